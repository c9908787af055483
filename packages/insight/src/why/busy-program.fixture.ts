import { load, type Program, programBuilder, spin, trigger, wait } from '@griddep/program';
import fc from 'fast-check';

const duration = fc.integer({ min: 500, max: 20_000 }).map((ns) => `${ns}ns`);
const kernel = fc.record({
  grid: fc.constantFrom(1, 16, 66, 132, 200, 264, 600),
  block: fc.constantFrom(32, 256, 512, 1024),
  registersPerThread: fc.constantFrom(16, 32, 64),
  dynamicSharedMemory: fc.constantFrom('0B', '24KiB', '100KiB', '200KiB'),
  phases: fc
    .tuple(duration, duration, fc.boolean(), fc.boolean(), fc.boolean())
    .map(([a, b, waits, triggers, loads]) => [
      ...(triggers ? [trigger()] : []),
      spin(a),
      ...(waits ? [wait()] : []),
      loads ? load('32KiB') : spin(b),
    ]),
});

const call = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('launch' as const), n: fc.nat(99), pdl: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const), n: fc.nat(99), pdl: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('record' as const), n: fc.nat(3), pdl: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('await' as const), n: fc.nat(3), pdl: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sync' as const), n: fc.nat(99), pdl: fc.boolean() }) },
);

/** Random programs in which operations hold each other up in many ways, and one of their operations. */
export function busyProgram(): fc.Arbitrary<{ program: Program; pick: number }> {
  return fc
    .record({
      kernels: fc.array(kernel, { minLength: 1, maxLength: 4 }),
      streams: fc.array(
        fc.record({
          kind: fc.constantFrom('blocking' as const, 'nonBlocking' as const, 'nonBlocking' as const),
          priority: fc.constantFrom(0, 0, -3),
        }),
        { minLength: 1, maxLength: 10 },
      ),
      calls: fc.array(fc.record({ what: call, stream: fc.nat(99), legacy: fc.nat(11) }), {
        minLength: 3,
        maxLength: 24,
      }),
      pick: fc.nat(999),
    })
    .map(({ kernels, streams, calls, pick }) => {
      const p = programBuilder('busy');
      for (const [i, each] of kernels.entries()) p.kernel(`k${i}`, each);
      for (const [i, each] of streams.entries()) p.stream(`s${i}`, each);
      for (let i = 0; i < 4; i++) p.event(`e${i}`, { timing: false });
      const host = p.hostThread('main');
      for (const { what, stream, legacy } of calls) {
        const name = legacy === 0 ? 'legacy' : `s${stream % streams.length}`;
        const { kind, n, pdl } = what;
        if (kind === 'launch') {
          const attributes = { programmaticStreamSerialization: pdl };
          host.launchKernel(`k${n % kernels.length}`, name, attributes);
        } else if (kind === 'copy')
          host.memcpyAsync('hostToDevice', `${64 + n * 8}KiB`, name, { hostMemory: 'pinned' });
        else if (kind === 'record') host.eventRecord(`e${n}`, name);
        else if (kind === 'await') host.streamWaitEvent(name, `e${n}`);
        else host.streamSynchronize(name);
      }
      host.deviceSynchronize();
      return { program: p.build(), pick };
    });
}
