import type { DeviceTimes } from '../device/body.ts';
import type { FabricSpec } from './fabric-actor.ts';

/** Port of a device's link through which uploads come, and downloads go. */
export const upPort = (device: number): string => `up ${device}`;
export const downPort = (device: number): string => `down ${device}`;

/** The link of one device to its host, which no other device uses. */
export function hostLink(device: number, times: DeviceTimes): FabricSpec {
  return { ...linksOf(new Map([[device, times]])), name: `host link of device ${device}` };
}

/** The PCIe root that devices share: every device's link to it, which copies between devices cross too. */
export function pcieRoot(name: string, devices: ReadonlyMap<number, DeviceTimes>): FabricSpec {
  return { ...linksOf(devices), name };
}

/**
 * Links to a host: for each device one port up, one down, which slow each other a little when both are in use
 * (case family `copies-h2d-d2h`).
 */
function linksOf(devices: ReadonlyMap<number, DeviceTimes>): FabricSpec {
  const ports = new Map<string, { readonly other: string; readonly times: DeviceTimes; readonly up: boolean }>();
  for (const [device, times] of devices) {
    const [up, down] = [upPort(device), downPort(device)];
    ports.set(up, { other: down, times, up: true });
    ports.set(down, { other: up, times, up: false });
  }
  return {
    name: 'host links',
    loadDelay: Math.min(...[...devices.values()].map((times) => times.transferAnswer)),
    capacity: (port, busy) => {
      const known = ports.get(port);
      if (known === undefined) throw new Error(`no port "${port}" at host links`);
      const { other, times, up } = known;
      const alone = up ? times.copyUpBandwidth : times.copyDownBandwidth;
      return busy.has(port) && busy.has(other) ? alone / times.copyBothPenalty : alone;
    },
  };
}
