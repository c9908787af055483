import type { Call, Program } from '@griddep/program';

/**
 * Every order in which a small program can happen, tried one by one: the contract as a machine with state, written
 * without clocks and without the runtime of packages/cuda. A memory access may take effect at any time from the
 * instruction on until its grid is complete and flushed.
 */

/** What an operation does in order: touch memory, trigger, wait. */
type Micro = { readonly touch: number } | 'trigger' | 'wait';

interface Touch {
  readonly id: number;
  readonly op: string;
  readonly buffer: string;
  readonly from: number;
  readonly to: number;
  readonly writes: boolean;
}

interface Enqueued {
  readonly name: string;
  readonly code: readonly Micro[];
  readonly complete: readonly number[];
  /** Its primaries. */
  readonly triggered: readonly number[];
}

interface State {
  /** Next call, by thread. */
  readonly at: number[];
  readonly ops: Enqueued[];
  /** Per operation: -1 not begun, else the next of its code. */
  readonly pc: number[];
  readonly isComplete: boolean[];
  readonly performed: Set<number>;
  readonly streams: Map<string, { ops: number[]; gate: number[]; direct: number | undefined }>;
  readonly events: Map<string, number[]>;
  /** Operations of the newest launch, by executable. */
  readonly launches: Map<string, readonly number[]>;
  readonly flags: Map<string, number>;
}

export interface Oracle {
  /** Pairs of names of operations (or host calls) that conflict and can happen in either order, `a | b` in alphabetical order. */
  readonly races: ReadonlySet<string>;
  readonly states: number;
  /** Whether some order gets stuck. */
  readonly isStuck: boolean;
}

/** undefined above `most` states */
export function allOrders(program: Program, most = 2_000): Oracle | undefined {
  const machine = new AllOrders(program, most);
  if (!machine.explore()) return undefined;
  return { races: machine.races(), states: machine.seen.size, isStuck: machine.isStuck };
}

class AllOrders {
  readonly seen = new Set<string>();
  isStuck = false;
  private readonly program: Program;
  private readonly most: number;
  private readonly touches: Touch[] = [];
  private readonly touchIds = new Map<string, number>();
  private readonly before = new Set<string>();

  constructor(program: Program, most: number) {
    this.program = program;
    this.most = most;
  }

  /** False if there are too many states. */
  explore(): boolean {
    const start: State = {
      at: this.program.threads.map(() => 0),
      ops: [],
      pc: [],
      isComplete: [],
      performed: new Set(),
      streams: new Map(),
      events: new Map(),
      launches: new Map(),
      flags: new Map(),
    };
    const pending = [start];
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      const key = keyOf(state);
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      if (this.seen.size > this.most) return false;
      const next = this.successors(state);
      if (next.length === 0 && !this.isOver(this.settled(state))) this.isStuck = true;
      pending.push(...next);
    }
    return true;
  }

  races(): Set<string> {
    const found = new Set<string>();
    for (const a of this.touches) {
      for (const b of this.touches) {
        if (a.id >= b.id || a.op === b.op || a.buffer !== b.buffer || a.to <= b.from || b.to <= a.from) continue;
        if (!(a.writes || b.writes)) continue;
        if (!this.before.has(`${a.id} ${b.id}`) || !this.before.has(`${b.id} ${a.id}`)) continue;
        found.add([a.op, b.op].sort().join(' | '));
      }
    }
    return found;
  }

  private isOver({ at, isComplete }: State): boolean {
    return this.program.threads.every(({ calls }, t) => at[t] === calls.length) && isComplete.every(Boolean);
  }

  /**
   * States that a memory access, or a call where it matters which thread makes one first, leads to. All else is done at
   * once: nothing that can happen is ever prevented by something else happening, so to put it off shows no other order.
   */
  private successors(given: State): State[] {
    const state = this.settled(given);
    const next: State[] = [];
    this.program.threads.forEach((_, t) => {
      const made = this.nextCall(state, t);
      if (made !== undefined) next.push(made);
    });
    state.ops.forEach((op, o) => {
      for (const touch of this.open(state, op, o)) next.push(this.perform(state, touch));
    });
    return next;
  }

  private settled(given: State): State {
    let state = given;
    for (let moved = true; moved; ) {
      moved = false;
      const [only, other] = this.program.threads;
      const call = only?.calls.length === state.at[0] ? undefined : only?.calls.at(state.at[0] ?? 0);
      const made = other !== undefined || call === undefined || isAccess(call) ? undefined : this.nextCall(state, 0);
      if (made !== undefined) [state, moved] = [made, true];
      for (const [o, op] of state.ops.entries()) {
        const after = this.goOn(state, op, o);
        if (after !== undefined) [state, moved] = [after, true];
      }
    }
    return state;
  }

  private nextCall(state: State, t: number): State | undefined {
    const { calls } = this.program.threads[t] as Program['threads'][number];
    const i = state.at[t] as number;
    return i < calls.length ? this.call(state, t, calls.at(i), calls.label(i) ?? `${t}:${i}`) : undefined;
  }

  /** Accesses of an operation that have been issued and have not taken effect. */
  private open({ performed, pc }: State, { code }: Enqueued, o: number): number[] {
    return code
      .slice(0, Math.max(0, pc[o] as number))
      .flatMap((micro) => (typeof micro === 'object' && !performed.has(micro.touch) ? [micro.touch] : []));
  }

  private goOn(state: State, op: Enqueued, o: number): State | undefined {
    if (state.isComplete[o]) return undefined;
    const pc = state.pc[o] as number;
    const moved = (): State => set(state, { pc: replaced(state.pc, o, pc + 1) });
    if (pc < 0) return this.mayBegin(state, op) ? moved() : undefined;
    const micro = op.code[pc];
    if (micro === 'wait') return op.triggered.every((primary) => state.isComplete[primary]) ? moved() : undefined;
    if (micro !== undefined) return moved();
    return this.open(state, op, o).length === 0
      ? set(state, { isComplete: replaced(state.isComplete, o, true) })
      : undefined;
  }

  private mayBegin(state: State, { complete, triggered }: Enqueued): boolean {
    return (
      complete.every((o) => state.isComplete[o]) && triggered.every((primary) => this.hasTriggered(state, primary))
    );
  }

  private hasTriggered({ pc, ops }: State, primary: number): boolean {
    const at = pc[primary] as number;
    const code = ops[primary]?.code ?? [];
    const trigger = code.indexOf('trigger');
    return at >= 0 && (at >= code.length || (trigger >= 0 && at > trigger));
  }

  private perform(state: State, touch: number): State {
    for (const other of this.touches) {
      if (other.id === touch) continue;
      this.before.add(state.performed.has(other.id) ? `${other.id} ${touch}` : `${touch} ${other.id}`);
    }
    return set(state, { performed: new Set([...state.performed, touch]) });
  }

  /** The state after a call; undefined while it blocks. */
  private call(state: State, thread: number, call: Call, name: string): State | undefined {
    const at = replaced(state.at, thread, (state.at[thread] as number) + 1);
    const moved = set(state, { at });
    const done = (ops: readonly number[]): boolean => ops.every((o) => state.isComplete[o]);
    switch (call.kind) {
      case 'launchKernel': {
        const early = call.attributes.programmaticStreamSerialization === true;
        return this.enqueue(moved, call.stream, name, this.code(call, name), early, true);
      }
      case 'memcpy':
      case 'memset':
        return this.enqueue(moved, call.stream, name, this.code(call, name), false, false);
      case 'graphInstantiate':
        return moved;
      case 'graphLaunch':
        return this.launch(moved, call.executable, call.stream, name);
      case 'eventRecord': {
        const { ops, gate, direct } = streamOf(state, call.stream);
        // The record itself is work, which the legacy stream orders (rule 5.1).
        const recorded = [...gate, ...this.implied(state, call.stream)];
        const streams = new Map(state.streams).set(call.stream, { ops, gate: recorded, direct });
        return set(moved, { streams, events: new Map(state.events).set(call.event, [...ops, ...recorded]) });
      }
      case 'streamWaitEvent': {
        const stream = streamOf(state, call.stream);
        const implied = this.implied(state, call.stream);
        const gate = [...stream.gate, ...implied, ...(state.events.get(call.event) ?? [])];
        const streams = new Map(state.streams).set(call.stream, { ...stream, gate, direct: undefined });
        return set(moved, { streams });
      }
      case 'streamSynchronize': {
        const { ops, gate } = streamOf(state, call.stream);
        return done([...ops, ...gate]) ? moved : undefined;
      }
      case 'eventSynchronize':
        return done(state.events.get(call.event) ?? []) ? moved : undefined;
      case 'deviceSynchronize':
        return state.isComplete.every(Boolean) ? moved : undefined;
      case 'hostRead':
      case 'hostWrite': {
        const { buffer, offset, bytes } = call.range;
        const micro = this.touch(name, 0, buffer, offset, bytes, call.kind === 'hostWrite');
        return typeof micro === 'object' ? this.perform(moved, micro.touch) : moved;
      }
      case 'hostSignal':
        return set(moved, {
          flags: new Map(state.flags).set(call.flag, Math.max(call.value, state.flags.get(call.flag) ?? 0)),
        });
      case 'hostAwait':
        return (state.flags.get(call.flag) ?? -1) >= call.value ? moved : undefined;
      default:
        throw new Error(`no ${call.kind} here`);
    }
  }

  private code(call: Call, name: string): Micro[] {
    switch (call.kind) {
      case 'launchKernel': {
        const body = this.program.kernels.get(call.kernel)?.body;
        if (body?.kind !== 'phases') throw new Error('phases only');
        return (body.roles[0]?.phases ?? []).flatMap((phase, i): Micro[] => {
          if (phase.op === 'trigger' || phase.op === 'wait') return [phase.op];
          if ((phase.op !== 'load' && phase.op !== 'store') || phase.range === undefined) return [];
          const { buffer, offset, bytes } = phase.range;
          return [this.touch(name, i, buffer, offset, bytes, phase.op === 'store')];
        });
      }
      case 'memcpy': {
        const { source, destination, bytes } = call;
        const code: Micro[] = [];
        if (source !== undefined) code.push(this.touch(name, 0, source.buffer, source.offset, bytes, false));
        if (destination !== undefined)
          code.push(this.touch(name, 1, destination.buffer, destination.offset, bytes, true));
        return code;
      }
      case 'memset': {
        const { destination, bytes } = call;
        if (destination === undefined) throw new Error('a memset of nothing');
        return [this.touch(name, 0, destination.buffer, destination.offset, bytes, true)];
      }
      default:
        throw new Error(`no work: ${call.kind}`);
    }
  }

  private enqueue(state: State, name: string, op: string, code: Micro[], early: boolean, isKernel: boolean): State {
    const stream = streamOf(state, name);
    const implied = this.implied(state, name);
    const isEarly = early && stream.direct !== undefined;
    const triggered = isEarly ? [stream.direct as number] : [];
    const complete = isEarly ? implied : [...stream.ops, ...stream.gate, ...implied];
    const o = state.ops.length;
    const after = { ops: [...stream.ops, o], gate: stream.gate, direct: isKernel ? o : undefined };
    return set(withOps(state, [{ name: op, code, complete, triggered }]), {
      streams: new Map(state.streams).set(name, after),
    });
  }

  /** All nodes of a graph: roots after the stream's work and the last launch, the others by their edges (rules 4.1 to 4.9). */
  private launch(state: State, executable: string, name: string, label: string): State {
    const graph = this.program.graphs.get(executable);
    if (graph === undefined) throw new Error('executables bear the name of their graph');
    const stream = streamOf(state, name);
    const before = [
      ...stream.ops,
      ...stream.gate,
      ...this.implied(state, name),
      ...(state.launches.get(executable) ?? []),
    ];
    const first = state.ops.length;
    // The nodes stand in an order of their edges.
    const numbers = new Map(graph.nodes.map(({ id }, i) => [id, first + i]));
    const nodes = graph.nodes.map(({ id, call }): Enqueued => {
      const edges = graph.edges.filter(({ to }) => to === id);
      const from = (type: string): number[] =>
        edges.filter((edge) => edge.type === type).map((edge) => numbers.get(edge.from) as number);
      const of = `${label}/node "${id}" of graph "${graph.name}"`;
      const complete = edges.length === 0 ? before : from('full');
      return { name: of, code: this.code(call, of), complete, triggered: from('programmatic') };
    });
    const ids = [...numbers.values()];
    return set(withOps(state, nodes), {
      streams: new Map(state.streams).set(name, { ...stream, ops: [...stream.ops, ...ids], direct: undefined }),
      launches: new Map(state.launches).set(executable, ids),
    });
  }

  /** What the legacy stream's order puts before work of a stream now. */
  private implied(state: State, name: string): number[] {
    const { kind } = this.program.streams.get(name) ?? { kind: 'blocking' };
    const others = [...state.streams].filter(([other]) => {
      const of = this.program.streams.get(other)?.kind ?? 'blocking';
      if (other === name || kind === 'nonBlocking' || of === 'nonBlocking') return false;
      return kind === 'legacy' || of === 'legacy';
    });
    return others.flatMap(([, { ops, gate }]) => [...ops, ...gate]);
  }

  private touch(op: string, index: number, name: string, offset: number, bytes: number, writes: boolean): Micro {
    const key = `${op} ${index}`;
    const known = this.touchIds.get(key);
    if (known !== undefined) return { touch: known };
    const buffer = this.program.buffers.get(name);
    if (buffer === undefined) throw new Error(`no buffer ${name}`);
    const from = buffer.offset + offset;
    const id = this.touches.length;
    this.touches.push({ id, op, buffer: buffer.allocation, from, to: from + bytes, writes });
    this.touchIds.set(key, id);
    return { touch: id };
  }
}

function streamOf(state: State, name: string) {
  return state.streams.get(name) ?? { ops: [], gate: [], direct: undefined };
}

function withOps(state: State, ops: readonly Enqueued[]): State {
  return set(state, {
    ops: [...state.ops, ...ops],
    pc: [...state.pc, ...ops.map(() => -1)],
    isComplete: [...state.isComplete, ...ops.map(() => false)],
  });
}

function set(state: State, change: Partial<State>): State {
  return { ...state, ...change };
}

function replaced<T>(list: readonly T[], index: number, value: T): T[] {
  const copy = [...list];
  copy[index] = value;
  return copy;
}

function keyOf({ at, ops, pc, isComplete, performed, streams, events, launches, flags }: State): string {
  return JSON.stringify([
    at,
    ops.map(({ name, complete, triggered }) => [name, complete, triggered]),
    pc,
    isComplete,
    [...performed].sort((a, b) => a - b),
    [...streams].map(([name, { ops, gate, direct }]) => [name, ops, numbers(gate), direct]),
    [...events].map(([name, ops]) => [name, numbers(ops)]),
    [...launches],
    [...flags],
  ]);
}

function numbers(list: readonly number[]): number[] {
  return [...new Set(list)].sort((a, b) => a - b);
}

function isAccess({ kind }: Call): boolean {
  return kind === 'hostRead' || kind === 'hostWrite';
}
