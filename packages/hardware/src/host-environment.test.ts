import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { hostEnvironment, machineIn, programIn } from './host-environment.ts';
import { handMade } from './measured.fixture.ts';
import type { MeasuredCallKind } from './measured-case.ts';

const H200 = machineByName('h200');
const calls = (kind: MeasuredCallKind, ...durations: number[]) => durations.map((durationNs) => ({ kind, durationNs }));
const many = (count: number, value: number) => Array.from({ length: count }, () => value);

describe('hostEnvironment', () => {
  it('takes the median of the calls of gated cases only', () => {
    const gated = handMade('gated', [], {
      gated: true,
      calls: calls('launchKernel', ...many(5, 5000), ...many(4, 6000)),
    });
    const free = handMade('free', [], { calls: calls('launchKernel', ...many(30, 1000)) });
    const environment = hostEnvironment([gated, free], H200);
    expect(environment.get('launchKernel')).toEqual({ valueNs: 5000, samples: 9 });
  });

  it('leaves kinds with fewer than eight calls to the machine', () => {
    const measured = handMade('few', [], { gated: true, calls: calls('memset', ...many(7, 5000)) });
    const environment = hostEnvironment([measured], H200);
    expect(environment.size).toBe(0);
    expect(machineIn(environment, H200).host.timing).toEqual(H200.host.timing);
  });

  it('does not let one case of many calls decide', () => {
    const long = handMade('long', [], {
      gated: true,
      calls: calls('launchKernel', ...many(32, 3000), ...many(600, 9000)),
    });
    const short = handMade('short', [], { gated: true, calls: calls('launchKernel', ...many(8, 3100)) });
    expect(hostEnvironment([long, short], H200).get('launchKernel')?.valueNs).toBe(3000);
  });

  it('changes the host of a machine and the gap between calls of a program', () => {
    const measured = handMade('gaps', [], {
      gated: true,
      calls: [...calls('callGap', ...many(8, 400)), ...calls('launchKernel', ...many(8, 5000))],
    });
    const environment = hostEnvironment([measured], H200);
    expect(machineIn(environment, H200).host.timing.launchKernel.value).toBe(5000);
    expect(programIn(environment, measured.program).threads[0]?.callGap).toBe(400_000);
    expect(measured.program.threads[0]?.callGap).toBe(180_000);
  });
});
