import { type PhaseInput, type Program, programBuilder } from '@griddep/program';
import fc from 'fast-check';

/** One operation of a hazard-free program: in a lane (a stream), after some of the operations before it in other lanes. */
interface Draft {
  readonly lane: number;
  readonly kind: 'kernel' | 'copy' | 'memset';
  readonly early: boolean;
  readonly reads: readonly number[];
  readonly writes: number;
}

export interface Removable {
  readonly program: Program;
  /** Orderings that events, waits or the stream give and that can be left out, as names. */
  readonly orders: readonly string[];
  /** The same program without one of them. */
  without(order: string): Program;
  /** Pairs of operations that conflict and that nothing orders without one of them, as `o1 | o2`. */
  unordered(order: string | undefined): ReadonlySet<string>;
}

const BUFFERS = 6;

/**
 * Programs without hazards over 1 to 4 devices: every operation waits for all earlier ones that it conflicts with, by
 * an event across lanes, by the stream or a wait instruction within one; some lie in a captured graph that is replayed.
 */
export function hazardFree(): fc.Arbitrary<Removable> {
  return fc
    .record({
      devices: fc.integer({ min: 1, max: 4 }),
      lanes: fc.integer({ min: 1, max: 4 }),
      graph: fc.boolean(),
      drafts: fc.array(
        fc.record({
          lane: fc.nat(3),
          kind: fc.constantFrom(
            'kernel' as const,
            'kernel' as const,
            'kernel' as const,
            'copy' as const,
            'memset' as const,
          ),
          early: fc.boolean(),
          reads: fc.uniqueArray(fc.nat(BUFFERS - 1), { maxLength: 2 }),
          writes: fc.nat(BUFFERS - 1),
        }),
        { minLength: 2, maxLength: 14 },
      ),
    })
    .map((input) => {
      const orders: string[] = [];
      const program = build(input, undefined, orders);
      return {
        ...{ program, orders },
        without: (order) => build(input, order, []),
        unordered: (order) => unordered(input, order),
      };
    });
}

interface Input {
  readonly devices: number;
  readonly lanes: number;
  readonly graph: boolean;
  readonly drafts: readonly Draft[];
}

/**
 * Reachability over what the builder below emits: by operation, those that are over when its accesses begin. In a stream
 * what is not early comes after all before it; in a captured graph after the newest node of its lane alone.
 */
function unordered({ lanes, graph, drafts }: Input, without: string | undefined): Set<string> {
  const over: Set<number>[] = [];
  const begun: Set<number>[] = [];
  const gates = new Map<number, Set<number>>();
  const inLane = (lane: number, before: number): number[] =>
    drafts.flatMap((draft, i) => (i < before && draft.lane % lanes === lane ? [i] : []));
  const ends = (list: readonly number[]): Set<number> => new Set(list.flatMap((i) => [i, ...(over[i] as Set<number>)]));
  const found = new Set<string>();
  drafts.forEach((draft, i) => {
    const lane = draft.lane % lanes;
    const gate = new Set(gates.get(lane));
    const waited = drafts.slice(0, i).flatMap((other, j) => {
      return other.lane % lanes !== lane && conflicts(other, draft) ? [j] : [];
    });
    for (const j of waited) {
      if (`e${j} before o${i}` === without) continue;
      const other = (drafts[j] as Draft).lane % lanes;
      const recorded = inLane(other, j + 1);
      for (const each of ends(graph ? recorded.slice(-1) : recorded)) gate.add(each);
    }
    gates.set(lane, gate);
    const before = inLane(lane, i);
    const last = before.at(-1);
    const isEarly =
      draft.kind === 'kernel' && draft.early && waited.length === 0 && drafts[last ?? -1]?.kind === 'kernel';
    const begin = isEarly
      ? (begun[last as number] as Set<number>)
      : new Set([...gate, ...ends(graph ? before.slice(-1) : before)]);
    const waits = isEarly && `wait of o${i}` !== without;
    begun.push(begin);
    over.push(waits ? new Set([...begin, ...ends([last as number])]) : begin);
    for (const [j, other] of drafts.slice(0, i).entries()) {
      if (conflicts(other, draft) && !over[i]?.has(j)) found.add(`o${j} | o${i}`);
    }
  });
  return found;
}

function build({ devices, lanes, graph, drafts }: Input, without: string | undefined, orders: string[]): Program {
  const p = programBuilder('removable');
  for (let i = 0; i < BUFFERS; i++) p.buffer(`x${i}`, { bytes: 1024, device: i % devices });
  const deviceOf = (lane: number): number => (graph ? 0 : lane % devices);
  for (let lane = 0; lane < lanes; lane++) p.stream(`s${lane}`, { kind: 'nonBlocking', device: deviceOf(lane) });
  const host = p.hostThread('main');
  for (let device = 0; devices > 1 && device < devices; device++) {
    host.setDevice(device);
    for (let peer = 0; peer < devices; peer++) if (peer !== device) host.deviceEnablePeerAccess(peer);
  }
  if (devices > 1) host.setDevice(0);
  const keep = (order: string): boolean => {
    orders.push(order);
    return order !== without;
  };
  if (graph) begin();
  const laneOf = (draft: Draft): number => draft.lane % lanes;
  const newest = new Map<number, { readonly index: number; readonly isKernel: boolean }>();
  drafts.forEach((draft, i) => {
    const lane = laneOf(draft);
    const waited = drafts
      .slice(0, i)
      .flatMap((other, j) => (laneOf(other) !== lane && conflicts(other, draft) ? [j] : []));
    for (const j of waited) if (keep(`e${j} before o${i}`)) host.streamWaitEvent(`s${lane}`, `e${j}`);
    const before = newest.get(lane);
    const isEarly = draft.kind === 'kernel' && draft.early && before?.isKernel === true && waited.length === 0;
    perform(draft, i, lane, isEarly);
    p.event(`e${i}`, { timing: false, device: deviceOf(lane) });
    host.eventRecord(`e${i}`, `s${lane}`);
    newest.set(lane, { index: i, isKernel: draft.kind === 'kernel' });
  });
  if (graph) end();
  return p.build();

  function perform({ kind, reads, writes }: Draft, i: number, lane: number, isEarly: boolean): void {
    const device = deviceOf(lane);
    const label = `o${i}`;
    if (devices > 1 && !graph) host.setDevice(device);
    if (kind === 'copy') {
      host.memcpyAsync('hostToDevice', 1024, `s${lane}`, { label, destination: `x${writes}`, hostMemory: 'pinned' });
      return;
    }
    if (kind === 'memset') {
      host.memsetAsync(1024, `s${lane}`, { label, destination: `x${writes}` });
      return;
    }
    const waits = !isEarly || keep(`wait of o${i}`);
    const phases: PhaseInput[] = [
      { op: 'trigger' },
      ...(waits ? [{ op: 'wait' as const }] : []),
      ...reads.map(
        (read): PhaseInput => ({ op: 'load', bytes: 64, range: { buffer: `x${read}`, bytes: 64, blockStride: 64 } }),
      ),
      { op: 'store', bytes: 64, range: { buffer: `x${writes}`, bytes: 64, blockStride: 64 } },
    ];
    p.kernel(`k${i}`, { grid: 16, block: 64, phases });
    host.launchKernel(`k${i}`, `s${lane}`, { programmaticStreamSerialization: isEarly }, { label });
  }

  function begin(): void {
    host.streamBeginCapture('s0', 'threadLocal');
    p.event('fork', { timing: false });
    host.eventRecord('fork', 's0');
    for (let lane = 1; lane < lanes; lane++) host.streamWaitEvent(`s${lane}`, 'fork');
  }

  function end(): void {
    for (let lane = 1; lane < lanes; lane++) {
      p.event(`join${lane}`, { timing: false });
      host.eventRecord(`join${lane}`, `s${lane}`);
      host.streamWaitEvent('s0', `join${lane}`);
    }
    host.streamEndCapture('s0', 'g');
    host.graphInstantiate('g', 'x');
    host.graphLaunch('x', 's0');
    host.graphLaunch('x', 's0');
  }
}

function touched({ kind, reads, writes }: Draft): readonly number[] {
  return kind === 'kernel' ? [...reads, writes] : [writes];
}

function conflicts(a: Draft, b: Draft): boolean {
  return touched(b).includes(a.writes) || touched(a).includes(b.writes);
}
