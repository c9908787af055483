import {
  type GraphEdgeInput,
  type PhaseInput,
  type Program,
  type ProgramBuilder,
  programBuilder,
} from '@griddep/program';
import fc from 'fast-check';

interface SmallGraph {
  readonly nodes: readonly { readonly kernel: number; readonly isMemset: boolean; readonly buffer: number }[];
  /** Between nodes 0 and 1, 0 and 2, 1 and 2. */
  readonly edges: readonly ('none' | 'full' | 'programmatic')[];
}

interface SmallCall {
  readonly what: number;
  readonly kernel: number;
  readonly stream: number;
  readonly event: number;
  readonly buffer: number;
  readonly pdl: boolean;
  readonly second: boolean;
}

const phase: fc.Arbitrary<PhaseInput> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({ store: fc.boolean(), buffer: fc.nat(2), half: fc.nat(2) })
      .map(({ store, buffer, half }) => ({
        op: store ? ('store' as const) : ('load' as const),
        bytes: half === 2 ? 128 : 64,
        range: { buffer: `x${buffer}`, offset: half === 1 ? 64 : 0, bytes: half === 2 ? 128 : 64 },
      })),
  },
  { weight: 2, arbitrary: fc.constant({ op: 'wait' as const }) },
  { weight: 2, arbitrary: fc.constant({ op: 'trigger' as const }) },
);

const graph: fc.Arbitrary<SmallGraph> = fc.record({
  nodes: fc.array(fc.record({ kernel: fc.nat(2), isMemset: fc.nat(4).map((n) => n === 0), buffer: fc.nat(2) }), {
    minLength: 2,
    maxLength: 3,
  }),
  edges: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom('none', 'full', 'programmatic', 'programmatic' as const))),
}) as fc.Arbitrary<SmallGraph>;

/**
 * Programs of a few calls: kernels with and without PDL, wait and trigger, copies, memsets, events, synchronisation, the
 * host's own accesses, blocking, non-blocking and the legacy stream, a graph that is launched again and again, one or two
 * host threads.
 */
export function smallProgram(most = 8): fc.Arbitrary<Program> {
  return fc
    .record({
      kernels: fc.array(fc.array(phase, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      calls: fc.array(
        fc.record({
          ...{ what: fc.nat(99), kernel: fc.nat(2), stream: fc.nat(9), event: fc.nat(1), buffer: fc.nat(2) },
          ...{ pdl: fc.boolean(), second: fc.boolean() },
        }),
        { minLength: 2, maxLength: most },
      ),
      threads: fc.constantFrom(1, 1, 2),
      graph: fc.option(graph),
    })
    .map(({ kernels, calls, threads, graph: made }) => build(kernels, calls, threads, made ?? undefined));
}

function build(
  kernels: readonly PhaseInput[][],
  calls: readonly SmallCall[],
  threads: number,
  made: SmallGraph | undefined,
): Program {
  const p = programBuilder('small');
  for (const i of [0, 1, 2]) p.buffer(`x${i}`, { bytes: 128 });
  p.buffer('h', { bytes: 128, space: 'host', hostMemory: 'pinned' });
  kernels.forEach((phases, i) => {
    p.kernel(`k${i}`, { grid: 1, block: 64, phases });
  });
  p.stream('a', { kind: 'nonBlocking' });
  p.stream('b');
  p.stream('c');
  p.stream('legacy');
  for (const e of ['e', 'f']) p.event(e, { timing: false });
  const hosts = Array.from({ length: threads }, (_, t) => p.hostThread(`t${t}`));
  const streams = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'legacy'];
  if (made !== undefined) {
    declare(p, made, kernels.length);
    hosts[0]?.graphInstantiate('g', 'g');
    if (threads > 1) {
      hosts[0]?.hostSignal('made', 1);
      hosts[1]?.hostAwait('made', 1);
    }
  }
  let signalled = false;
  calls.forEach((call, i) => {
    const host = hosts[call.second && threads > 1 ? 1 : 0] as (typeof hosts)[number];
    const stream = streams[call.stream] as string;
    // An event is recorded in one stream alone: which of several records counts is not for the oracle.
    const event = call.event === 0 ? 'e' : 'f';
    const home = call.event === 0 ? 'a' : 'b';
    const label = `c${i}`;
    const { what, pdl } = call;
    if (what < 12 && made !== undefined) host.graphLaunch('g', stream, { label });
    else if (what < 45) {
      const attributes = { programmaticStreamSerialization: pdl && stream !== 'legacy' };
      host.launchKernel(`k${call.kernel % kernels.length}`, stream, attributes, { label });
    } else if (what < 53) {
      host.memcpyAsync('deviceToHost', 128, stream, {
        label,
        source: `x${call.buffer}`,
        destination: 'h',
        hostMemory: 'pinned',
      });
    } else if (what < 58) host.memsetAsync(64, stream, { label, destination: `x${call.buffer}` });
    else if (what < 70) host.eventRecord(event, home, { label });
    else if (what < 84) host.streamWaitEvent(stream, event, { label });
    else if (what < 88) host.streamSynchronize(stream, { label });
    else if (what < 90) host.eventSynchronize(event, { label });
    else if (what < 94) host.hostRead('h', { label });
    else if (what < 97 || threads === 1) host.deviceSynchronize({ label });
    else if (!signalled) {
      hosts[0]?.hostSignal('go', 1, { label });
      hosts[1]?.hostAwait('go', 1, { label: `${label}'` });
      signalled = true;
    }
  });
  return p.build();
}

function declare(p: ProgramBuilder, { nodes, edges }: SmallGraph, kernels: number): void {
  const isKernel = (i: number): boolean => nodes[i]?.isMemset === false;
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const;
  p.graph(
    'g',
    nodes.map(({ kernel, isMemset, buffer }, i) => ({
      id: `n${i}`,
      call: isMemset
        ? { memsetAsync: { bytes: 64, stream: 'a', destination: `x${buffer}` } }
        : { launchKernel: { kernel: `k${kernel % kernels}`, stream: 'a' } },
    })),
    pairs.flatMap(([from, to], i): GraphEdgeInput[] => {
      const kind = edges[i];
      if (kind === 'none' || kind === undefined || to >= nodes.length) return [];
      const early = kind === 'programmatic' && isKernel(from) && isKernel(to);
      return [early ? [`n${from}`, `n${to}`, 'programmatic'] : [`n${from}`, `n${to}`]];
    }),
  );
}
