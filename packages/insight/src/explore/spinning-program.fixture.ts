import { type PhaseInput, type Program, programBuilder } from '@griddep/program';
import fc from 'fast-check';

const phase: fc.Arbitrary<PhaseInput> = fc.oneof(
  fc.record({ op: fc.constantFrom('await' as const, 'signal' as const), flag: fc.constantFrom('f', 'g') }),
  fc.constantFrom<PhaseInput>({ op: 'trigger' }, { op: 'wait' }, { op: 'fence', scope: 'device' }),
);

/** Kernels of one device that signal flags and spin for them, in two streams, some launched early, and the host's part. */
export function spinningProgram(): fc.Arbitrary<Program> {
  return fc
    .record({
      kernels: fc.array(fc.array(phase, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      calls: fc.array(
        fc.record({ what: fc.nat(19), kernel: fc.nat(2), stream: fc.constantFrom('s', 't'), early: fc.boolean() }),
        { minLength: 2, maxLength: 7 },
      ),
    })
    .map(({ kernels, calls }) => {
      const p = programBuilder('spinning');
      for (const name of ['s', 't']) p.stream(name, { kind: 'nonBlocking' });
      p.event('e', { timing: false });
      kernels.forEach((phases, i) => {
        p.kernel(`k${i}`, { grid: 1, block: 64, phases });
      });
      const host = p.hostThread('main');
      calls.forEach(({ what, kernel, stream, early }, i) => {
        const label = `c${i}`;
        if (what < 14) {
          const attributes = { programmaticStreamSerialization: early };
          host.launchKernel(`k${kernel % kernels.length}`, stream, attributes, { label });
        } else if (what < 16) host.eventRecord('e', stream, { label });
        else if (what < 18) host.streamWaitEvent(stream, 'e', { label });
        else if (what < 19) host.streamSynchronize(stream, { label });
        else host.hostSignal('f', 1, { label });
      });
      return p.build();
    });
}
