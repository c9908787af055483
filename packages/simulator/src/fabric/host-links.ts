import type { DeviceTimes } from '../device/body.ts';
import type { FabricSpec } from './fabric-actor.ts';

/**
 * The link between a device and its host: one port up, one down, which slow each other a little when both are in use
 * (case family `copies-h2d-d2h`).
 */
export function hostLinks(device: number, times: DeviceTimes): FabricSpec {
  const up = `up ${device}`;
  const down = `down ${device}`;
  return {
    name: `host link of device ${device}`,
    answerDelay: times.transferAnswer,
    capacity: (port, busy) => {
      if (port !== up && port !== down) throw new Error(`no port "${port}" at the host link of device ${device}`);
      const alone = port === up ? times.copyUpBandwidth : times.copyDownBandwidth;
      return busy.has(up) && busy.has(down) ? alone / times.copyBothPenalty : alone;
    },
  };
}
