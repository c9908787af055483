import { kernelResources } from '@griddep/cuda';
import { blocksPerSm, type Machine } from '@griddep/machine';
import { type Kernel, volume } from '@griddep/program';
import type { Finding } from '../finding.ts';
import { type Places, placeText } from '../places.ts';
import type { Node } from '../program/nodes.ts';
import type { Recorded } from '../program/recorded.ts';

/** Grids whose blocks wait for each other, and cannot all be resident or are not launched so that they are (rule 5.14). */
export function residencyFindings({ nodes, machine }: Recorded, places: Places): Finding[] {
  const found = new Map<string, Finding>();
  for (const node of nodes) {
    const { kernel, device, cooperative } = node;
    if (kernel === undefined || !waitsForItself(node)) continue;
    const blocks = volume(kernel.grid);
    const most = residentBlocks(kernel, machine, device);
    if (blocks === 1 || most === undefined || (blocks <= most && cooperative)) continue;
    const key = `${kernel.name} ${device} ${places.key(node)}`;
    const before = found.get(key);
    if (before !== undefined) {
      found.set(key, { ...before, count: before.count + 1 });
      continue;
    }
    const place = places.of(node);
    const fits = blocks <= most;
    found.set(key, {
      ...{ kind: 'not-co-resident', verdict: fits ? 'possible deadlock' : 'deadlock', rules: ['5.14'] },
      ...{ accesses: [], places: [place], hiddenByHardware: false, count: 1 },
      change: fits ? 'launch it with attribute cooperative' : `launch at most ${most} blocks`,
      text: `"${place.name}" at ${placeText(place)}: the blocks of kernel "${kernel.name}" wait for each other, ${
        fits
          ? 'and nothing promises that all are resident at once'
          : `and only ${most} of the ${blocks} can be resident at once`
      }`,
    });
  }
  return [...found.values()];
}

/** Blocks of a grid that meet in it. */
function waitsForItself({ code }: Node): boolean {
  return code.roles.some(({ steps }) => steps.some((step) => step.do === 'gridBarrier'));
}

/** Blocks of a kernel that a device holds at once; undefined for one that does not fit at all. */
export function residentBlocks(kernel: Kernel, machine: Machine, device: number): number | undefined {
  const limits = machine.devices[device]?.limits;
  if (limits === undefined) return undefined;
  const occupancy = blocksPerSm(kernelResources(kernel), limits);
  return 'error' in occupancy ? undefined : occupancy.blocksPerSm * limits.sms;
}
