import { type HostThreadBuilder, type PhaseInput, type Program, programBuilder } from '@griddep/program';
import fc from 'fast-check';
import { callArbitrary, kernelArbitrary, perform } from './random-program.fixture.ts';

/** Fits every device of the catalogue. */
const MOST_SHARED = 96 << 10;
type Role = { readonly name: string; readonly warps?: number; readonly phases: readonly PhaseInput[] };
const COLLECTIVES = ['allReduce', 'allGather', 'reduceScatter', 'broadcast', 'allToAll', 'sendRecv'] as const;

/**
 * Random programs whose host threads share nothing, one for each device, or one for two of them, and meet only in
 * collectives of various groups, alike enough that some end in the same picosecond.
 */
export function separateProcesses(devices: number): fc.Arbitrary<Program> {
  return fc
    .record({
      kernels: fc.array(kernelArbitrary, { minLength: 1, maxLength: 3 }),
      steps: fc.array(
        fc.record({
          call: callArbitrary,
          /** The devices that make the call, or the members of a collective. */
          mask: fc.integer({ min: 1, max: 2 ** devices - 1 }),
          collective: fc.integer({ min: 0, max: 3 }),
        }),
        { minLength: 2, maxLength: 30 },
      ),
      pairs: fc.boolean(),
    })
    .map(({ kernels, steps, pairs }) => {
      const p = programBuilder('random, separate processes');
      for (const [i, { roles, dynamicSharedMemory, ...kernel }] of kernels.entries()) {
        const own = (roles as readonly Role[]).map((role) => ({ ...role, phases: role.phases.map(withoutBuffer) }));
        const shared = Math.min(dynamicSharedMemory, MOST_SHARED);
        p.kernel(`k${i}`, { ...kernel, parameters: ['data'], roles: own, dynamicSharedMemory: shared });
      }
      const hosts: HostThreadBuilder[] = [];
      for (let d = 0; d < devices; d++) {
        if (d > 0) p.buffer(`data${d}`, { bytes: 64, device: d });
        for (const s of ['a', 'b']) p.stream(`${s}${d}`, { device: d, kind: 'blocking' });
        p.stream(`legacy${d}`, { device: d, kind: 'legacy' });
        const shared = pairs && d % 2 === 1 ? hosts[d - 1] : undefined;
        hosts.push(shared ?? p.hostThread(`rank${d}`, { device: d }));
      }
      for (const [i, { call, mask, collective }] of steps.entries()) {
        for (const [d, host] of hosts.entries()) {
          if ((mask & (1 << d)) === 0) continue;
          if (collective === 0) {
            host.collective(COLLECTIVES[call.other % 6] ?? 'allReduce', `members ${mask}`, call.bytes, `a${d}`);
          } else {
            const names = (n: number): string => `${n % 2 === 0 ? 'a' : 'b'}${d}`;
            perform(p, host, call, i * devices + d, kernels.length, { names, legacy: `legacy${d}`, device: d });
          }
        }
      }
      for (const [d, host] of hosts.entries()) for (const s of ['a', 'b']) host.streamSynchronize(`${s}${d}`);
      return p.build();
    });
}

function withoutBuffer(phase: PhaseInput): PhaseInput {
  if (!('range' in phase)) return phase;
  const { range: _, ...rest } = phase;
  return rest as PhaseInput;
}
