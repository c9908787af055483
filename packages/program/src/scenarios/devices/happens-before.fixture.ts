import fc from 'fast-check';
import { type Call, type Program, volume } from '../../index.ts';

type CallOf<K> = Extract<Call, { readonly kind: K }>;

/** Bytes of an allocation that an operation touches. */
interface Touched {
  readonly allocation: string;
  readonly begin: number;
  readonly end: number;
  readonly writes: boolean;
}

/** Something enqueued, and what must be over before it begins. */
export interface Operation {
  readonly call: Call;
  readonly label: string;
  readonly stream: string;
  readonly after: Operation[];
  readonly touches: readonly Touched[];
}

/**
 * Calls of a program's host threads in one possible order, which `pick` chooses: which operations come about, and which
 * record each wait means. Throws where a thread waits for ever, or a wait has no record.
 *
 * Launches are taken to run in stream order, PDL or not.
 */
export function enqueued(program: Program, pick: (threads: number) => number): Operation[] {
  const operations: Operation[] = [];
  const last = new Map<string, Operation>();
  const records = new Map<string, Operation>();
  const flags = new Map<string, number>();
  const collectives = new Map<string, Operation[]>();
  const owners = new Map<string, string>();
  const next = program.threads.map(() => 0);
  const make = (call: Call & { readonly stream: string }, label: string): Operation => {
    const before = last.get(call.stream);
    const operation = {
      ...{ call, label, stream: call.stream, touches: touched(program, call) },
      after: before === undefined ? [] : [before],
    };
    operations.push(operation);
    last.set(call.stream, operation);
    return operation;
  };
  const step = (thread: Program['threads'][number], i: number): boolean => {
    const call = thread.calls.at(i);
    const label = thread.calls.label(i) ?? `${thread.name}[${i}] ${call.kind}`;
    if (call.kind === 'hostSignal') flags.set(call.flag, call.value);
    if (call.kind === 'hostAwait') return (flags.get(call.flag) ?? 0) >= call.value;
    if (!('stream' in call) || call.kind === 'streamSynchronize') return true;
    if ((owners.get(call.stream) ?? thread.name) !== thread.name) throw new Error(`${label}: two threads use a stream`);
    owners.set(call.stream, thread.name);
    const operation = make(call, label);
    if (call.kind === 'eventRecord') records.set(call.event, operation);
    if (call.kind === 'streamWaitEvent') {
      const record = records.get(call.event);
      if (record === undefined) throw new Error(`${label}: no record of ${call.event} yet`);
      operation.after.push(record);
    }
    if (call.kind === 'collective') join(collectives, call, operation);
    return true;
  };
  const lengths = program.threads.map(({ calls }) => calls.length);
  let open = program.threads.map((_, t) => t).filter((t) => (lengths[t] as number) > 0);
  let idle = 0;
  while (open.length > 0) {
    const t = open[pick(open.length)] as number;
    const thread = program.threads[t] as Program['threads'][number];
    if (step(thread, next[t] as number)) {
      next[t] = (next[t] as number) + 1;
      idle = 0;
      if (next[t] === lengths[t]) open = open.filter((other) => other !== t);
    } else if (++idle > 10_000) throw new Error(`threads ${open.join(', ')} wait for ever`);
  }
  return operations;
}

/** The members of a collective begin when all have come to it. */
function join(collectives: Map<string, Operation[]>, call: CallOf<'collective'>, operation: Operation): void {
  for (let round = 0; ; round++) {
    const key = `${call.group} ${round}`;
    const members = collectives.get(key) ?? [];
    if (members.some(({ stream }) => stream === operation.stream)) continue;
    const before = operation.after[0];
    for (const member of members) {
      if (before !== undefined) member.after.push(before);
      const other = member.after[0];
      if (other !== undefined) operation.after.push(other);
    }
    collectives.set(key, [...members, operation]);
    return;
  }
}

function touched(program: Program, call: Call): Touched[] {
  const range = (name: string, begin: number, bytes: number, writes: boolean): Touched => {
    const buffer = program.buffers.get(name);
    if (buffer === undefined) throw new Error(`no buffer ${name}`);
    return {
      ...{ allocation: buffer.allocation, writes },
      ...{ begin: buffer.offset + begin, end: buffer.offset + begin + bytes },
    };
  };
  if (call.kind === 'memcpy') {
    const { source, destination, bytes } = call;
    if (source === undefined || destination === undefined) throw new Error('a copy from or to nowhere');
    return [
      range(source.buffer, source.offset, bytes, false),
      range(destination.buffer, destination.offset, bytes, true),
    ];
  }
  if (call.kind !== 'launchKernel') return [];
  const kernel = program.kernels.get(call.kernel);
  if (kernel?.body.kind !== 'phases') return [];
  const phases = kernel.body.roles.flatMap((role) => role.phases);
  return phases.flatMap((phase) => {
    if ((phase.op !== 'load' && phase.op !== 'store') || phase.range === undefined) return [];
    const { buffer, offset, bytes, blockStride } = phase.range;
    const name = buffer.startsWith('$') ? (call.args?.[buffer.slice(1)] ?? '') : buffer;
    return [range(name, offset, (volume(kernel.grid) - 1) * blockStride + bytes, phase.op === 'store')];
  });
}

/** Pairs of operations that touch the same bytes, one writing, with nothing to order them. */
export function races(operations: readonly Operation[]): string[] {
  const clocks = clocksOf(operations);
  const byAllocation = new Map<string, [Operation, Touched][]>();
  for (const operation of operations) {
    for (const touch of operation.touches) {
      const known = byAllocation.get(touch.allocation) ?? [];
      known.push([operation, touch]);
      byAllocation.set(touch.allocation, known);
    }
  }
  const found: string[] = [];
  for (const [allocation, all] of byAllocation) {
    all.forEach(([a, p], i) => {
      for (const [b, q] of all.slice(i + 1)) {
        if (a === b || !(p.writes || q.writes) || p.end <= q.begin || q.end <= p.begin) continue;
        if (!clocks.before(a, b) && !clocks.before(b, a)) found.push(`${a.label} and ${b.label} on ${allocation}`);
      }
    });
  }
  return found;
}

function clocksOf(operations: readonly Operation[]) {
  const clocks = new Map<Operation, Map<string, number>>();
  const counts = new Map<Operation, number>();
  const made = new Map<string, number>();
  for (const operation of operations) {
    const count = (made.get(operation.stream) ?? 0) + 1;
    made.set(operation.stream, count);
    counts.set(operation, count);
  }
  // Members of a collective depend on operations that come later in the list, so several passes may be needed.
  let left = [...operations];
  while (left.length > 0) {
    const blocked = left.filter((operation) => {
      if (!operation.after.every((before) => clocks.has(before))) return true;
      const clock = new Map<string, number>();
      for (const before of operation.after) {
        for (const [stream, count] of clocks.get(before) ?? []) {
          clock.set(stream, Math.max(count, clock.get(stream) ?? 0));
        }
      }
      clock.set(operation.stream, counts.get(operation) ?? 0);
      clocks.set(operation, clock);
      return false;
    });
    if (blocked.length === left.length) throw new Error(`${blocked.length} operations wait for each other`);
    left = blocked;
  }
  return {
    before: (a: Operation, b: Operation) => (clocks.get(b)?.get(a.stream) ?? 0) >= (counts.get(a) ?? 0),
  };
}

/** What each wait waits for, as text, whatever order the operations are listed in. */
export function bindings(operations: readonly Operation[]): string[] {
  const made = new Map<string, number>();
  const names = new Map<Operation, string>();
  for (const operation of operations) {
    const count = (made.get(operation.stream) ?? 0) + 1;
    made.set(operation.stream, count);
    names.set(operation, `${operation.stream}:${count}`);
  }
  return operations
    .filter(({ call }) => call.kind === 'streamWaitEvent')
    .map((wait) => `${names.get(wait)} waits for ${wait.after.map((o) => names.get(o)).join(', ')}`)
    .sort();
}

/** Thread by thread, each as far as it gets. */
export function inTurn(): (threads: number) => number {
  let i = 0;
  return (threads) => i++ % threads;
}

/** Seeded random choice. */
export function atRandom(seed: number): (threads: number) => number {
  const state = fc.sample(fc.infiniteStream(fc.nat()), { seed, numRuns: 1 })[0] as Iterator<number>;
  return (threads) => (state.next().value as number) % threads;
}

/** When the last host thread is done, where every call takes 1 and awaiting takes no longer than it must. */
export function hostTime(program: Program): number {
  const signalled = new Map<string, number>();
  const clocks = program.threads.map(() => 0);
  const next = program.threads.map(() => 0);
  let moved = true;
  while (moved) {
    moved = false;
    program.threads.forEach(({ calls }, t) => {
      for (let i = next[t] as number; i < calls.length; i++) {
        const call = calls.at(i);
        let clock = clocks[t] as number;
        if (call.kind === 'hostAwait') {
          const told = signalled.get(`${call.flag} ${call.value}`);
          if (told === undefined) return;
          clock = Math.max(clock, told);
        }
        clocks[t] = clock + 1;
        if (call.kind === 'hostSignal') signalled.set(`${call.flag} ${call.value}`, clock + 1);
        next[t] = i + 1;
        moved = true;
      }
    });
  }
  return Math.max(...clocks);
}
