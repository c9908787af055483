import { type Machine, machineByName, resolvedValue } from '@griddep/machine';
import { programBuilder, spin } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';

const H200 = machineByName('h200');
const timing = H200.devices[0]?.timing as Machine['devices'][number]['timing'];
const period = resolvedValue(timing.copyLookPeriod);

function withTimes(times: Readonly<Record<string, number>>): Machine {
  const changed = Object.fromEntries(Object.entries(times).map(([name, value]) => [name, { value }]));
  const devices = H200.devices.map((device) => ({
    ...device,
    timing: Object.fromEntries(
      Object.entries(device.timing).map(([name, constant]) => [name, { ...constant, ...changed[name] }]),
    ) as typeof device.timing,
  }));
  return { ...H200, devices };
}

/** Gaps between kernels of a stream that a copy stands between, ps. */
function gaps(copies: number, bytes: number, machine = H200): number[] {
  const p = programBuilder('chain');
  p.kernel('k', { grid: 32, block: 128, phases: [spin('5us')] });
  const s = p.stream('s', { kind: 'nonBlocking' });
  const host = p.hostThread('main');
  p.kernel('hold', { grid: 1, block: 32, phases: [spin('200us')] });
  host.launchKernel('hold', s);
  host.launchKernel('k', s);
  for (let i = 0; i < copies; i++) {
    host.memcpyAsync('hostToDevice', bytes, s, { hostMemory: 'pinned' });
    host.launchKernel('k', s);
  }
  host.deviceSynchronize();
  const kernels = simulate(p.build(), machine).operations.filter(({ name }) => name === 'k');
  return kernels.slice(1).map(({ start }, i) => start - (kernels[i]?.end as number));
}

describe('kernels and copies in turn', () => {
  it('6.11 are a whole look of the engine further apart now and then, however small the copies', () => {
    const all = gaps(24, 4096);
    const least = Math.min(...all);
    expect(Math.max(...all) - least).toBeGreaterThan(0.8 * period);
    expect(Math.max(...all) - least).toBeLessThan(1.4 * period);
    // The first time the engine notices at once.
    expect(all[0]).toBeLessThan(least + period / 5);
  });

  it('6.11 wait for the engine to notice, also where that takes it no time before', () => {
    const [slow = 0] = gaps(1, 65_536, withTimes({ copyStart: 0, copyLookFirst: 0, copyLookPeriod: 1 }));
    const [quick = 0] = gaps(
      1,
      65_536,
      withTimes({ copyStart: 0, copyLookFirst: 0, copyLookPeriod: 1, copyNotice: 0 }),
    );
    expect(slow - quick).toBeCloseTo(resolvedValue(timing.copyNotice), -4);
  });
});
