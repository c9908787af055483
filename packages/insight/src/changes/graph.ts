import type { Call, Event, Program } from '@griddep/program';
import { type Entry, entriesOf, freeName, withEntries } from './entries.ts';
import { isStepRange } from './steps.ts';

export interface GraphOptions {
  /** What the host spends outside CUDA before each launch of a graph, ps. */
  readonly replay?: number;
}

/** Calls that enqueue, and that a capture takes. */
const ENQUEUES: ReadonlySet<Call['kind']> = new Set([
  'launchKernel',
  'memcpy',
  'memset',
  'launchHostFunc',
  'eventRecord',
  'streamWaitEvent',
  'streamWaitValue',
  'streamWriteValue',
  'collective',
]);

/** Calls that run while a graph is captured and have no effect on the device: gone in a replay. */
const HOST_ONLY: ReadonlySet<Call['kind']> = new Set(['hostCompute', 'rangePush', 'rangePop', 'setDevice']);

/** A graph of one operation only replaces a launch by a launch. */
const LEAST = 2;

/** A stretch of calls that becomes a graph. */
interface Segment {
  readonly entries: readonly Entry[];
  /** Device that is current at its begin and its end. */
  readonly device: number;
  readonly endDevice: number;
}

/**
 * Captures what the host threads enqueue between two calls that wait, and launches it as graphs: one for each such
 * stretch, or for each step where steps are named. Captures and instantiations come first, before anything else runs.
 * What the host computed between the calls of a stretch is not repeated by a replay, so it is gone; what it computed
 * elsewhere stays. Stretches that a capture refuses (the legacy stream, a stream of several host
 * threads, pageable memory) stay as they are.
 */
export function graph(program: Program, { replay = 0 }: GraphOptions = {}): Program {
  const events = new Map(program.events);
  const waitedElsewhere = eventsOfWaits(program);
  const shared = sharedStreams(program);
  let count = 0;
  const threads = program.threads.map((thread) => {
    const before: Entry[] = [];
    const after: Entry[] = [];
    for (const part of segmentsOf(entriesOf(thread), thread.device)) {
      if (!isCapturable(part, program, shared)) {
        after.push(...part.entries);
        continue;
      }
      count += 1;
      const made = captured(part, program, events, `step graph ${count}`, replay, waitedElsewhere);
      before.push(...made.before);
      after.push(...made.launch);
    }
    const device = before.length === 0 ? [] : [plain({ kind: 'setDevice', device: thread.device })];
    return withEntries(thread, [...before, ...device, ...after]);
  });
  return { ...program, events, threads };
}

/** How many stretches of a program `graph` would capture. */
export function capturableStretches(program: Program): number {
  const shared = sharedStreams(program);
  return program.threads.reduce(
    (sum, thread) =>
      sum + segmentsOf(entriesOf(thread), thread.device).filter((part) => isCapturable(part, program, shared)).length,
    0,
  );
}

/** Streams that several host threads use: a capture of one would take in what the others enqueue meanwhile. */
export function sharedStreams({ threads }: Program): Set<string> {
  const owner = new Map<string, string>();
  const shared = new Set<string>();
  for (const thread of threads) {
    for (const { call } of entriesOf(thread)) {
      const stream = streamOf(call);
      if (stream === undefined) continue;
      if (owner.has(stream) && owner.get(stream) !== thread.name) shared.add(stream);
      owner.set(stream, thread.name);
    }
  }
  return shared;
}

function segmentsOf(entries: readonly Entry[], first: number): Segment[] {
  const segments: Segment[] = [];
  let open: Entry[] = [];
  let device = first;
  let begin = first;
  const close = () => {
    if (open.length > 0) segments.push({ entries: open, device: begin, endDevice: device });
    open = [];
    begin = device;
  };
  for (const entry of entries) {
    const { call } = entry;
    const isPart = HOST_ONLY.has(call.kind) || (ENQUEUES.has(call.kind) && !blocksHost(call));
    if (!isPart) {
      close();
      segments.push({ entries: [entry], device, endDevice: device });
      continue;
    }
    if (call.kind === 'rangePush' && isStepRange(call.name)) close();
    open.push(entry);
    if (call.kind === 'setDevice') device = call.device;
  }
  close();
  return segments;
}

function blocksHost(call: Call): boolean {
  return (call.kind === 'memcpy' || call.kind === 'memset') && !call.async;
}

function isCapturable({ entries }: Segment, program: Program, shared: ReadonlySet<string>): boolean {
  const work = entries.filter(({ call }) => becomesNode(call));
  if (work.length < LEAST) return false;
  return entries.every(({ call }) => {
    const stream = streamOf(call);
    if (stream !== undefined && shared.has(stream)) return false;
    const kind = stream === undefined ? undefined : program.streams.get(stream)?.kind;
    // 5.19: the legacy stream cannot be captured; pageable memory is copied by the host's own hand.
    return kind !== 'legacy' && !(call.kind === 'memcpy' && isPageable(call));
  });
}

/** Waits and records of events become edges. */
function becomesNode({ kind }: Call): boolean {
  return ENQUEUES.has(kind) && kind !== 'eventRecord' && kind !== 'streamWaitEvent';
}

function isPageable(call: Call & { kind: 'memcpy' }): boolean {
  return call.hostMemory === 'pageable' && (call.copy === 'hostToDevice' || call.copy === 'deviceToHost');
}

function captured(
  { entries, device, endDevice }: Segment,
  program: Program,
  events: Map<string, Event>,
  name: string,
  replay: number,
  waitedElsewhere: ReadonlyMap<string, number>,
): { readonly before: Entry[]; readonly launch: Entry[] } {
  const enqueued = entries.filter(({ call }) => ENQUEUES.has(call.kind));
  const streams = [...new Set(enqueued.flatMap(({ call }) => streamOf(call) ?? []))];
  const origin = enqueued
    .map(({ call }) => (becomesNode(call) ? streamOf(call) : undefined))
    .find((each) => each !== undefined);
  const others = streams.filter((each) => each !== origin);
  const from = origin as string;
  const event = (of: string, stream: string): string => {
    const made = freeName(`${name} ${of} ${stream}`, events);
    const { device: own = 0 } = program.streams.get(stream) ?? {};
    events.set(made, { name: made, device: own, timing: false, interprocess: false });
    return made;
  };
  const before: Entry[] = [
    plain({ kind: 'setDevice', device }),
    plain({ kind: 'streamBeginCapture', stream: from, mode: 'relaxed' }),
  ];
  if (others.length > 0) {
    const fork = event('fork', from);
    before.push(plain({ kind: 'eventRecord', event: fork, stream: from }));
    for (const stream of others) before.push(plain({ kind: 'streamWaitEvent', event: fork, stream }));
  }
  const recorded = new Set<string>();
  const external: Entry[] = [];
  const inside = new Map<string, number>();
  for (const entry of entries) {
    const { call } = entry;
    // Entries know their groups themselves, so the calls that open and close them are not needed.
    if (call.kind === 'hostCompute' || call.kind === 'rangePush' || call.kind === 'rangePop') continue;
    if (call.kind === 'streamWaitEvent') {
      inside.set(call.event, (inside.get(call.event) ?? 0) + 1);
      // An event of before the capture: the launch waits for it.
      if (!recorded.has(call.event)) {
        external.push(plain({ kind: 'streamWaitEvent', stream: from, event: call.event }));
        continue;
      }
    }
    if (call.kind === 'eventRecord') recorded.add(call.event);
    before.push(entry);
  }
  for (const stream of others) {
    const join = event('join', stream);
    before.push(plain({ kind: 'eventRecord', event: join, stream }));
    before.push(plain({ kind: 'streamWaitEvent', event: join, stream: from }));
  }
  const executable = `${name} executable`;
  before.push(plain({ kind: 'streamEndCapture', stream: from, graph: name }));
  before.push(plain({ kind: 'graphInstantiate', graph: name, executable }));
  const path = enqueued[0]?.path ?? '';
  const launch: Entry[] = [...external];
  // The launch stands for work of all its streams, so it follows what was in them and comes before what will be.
  for (const stream of others) {
    const earlier = event('after', stream);
    launch.push(plain({ kind: 'eventRecord', event: earlier, stream }));
    launch.push(plain({ kind: 'streamWaitEvent', stream: from, event: earlier }));
  }
  if (replay > 0) launch.push(plain({ kind: 'hostCompute', duration: Math.round(replay) }));
  launch.push({ call: { kind: 'graphLaunch', executable, stream: from }, label: name, path });
  if (others.length > 0) {
    const done = event('done', from);
    launch.push(plain({ kind: 'eventRecord', event: done, stream: from }));
    for (const stream of others) launch.push(plain({ kind: 'streamWaitEvent', stream, event: done }));
  }
  // Who waits for these events outside waits for the whole launch.
  for (const each of recorded) {
    if ((waitedElsewhere.get(each) ?? 0) <= (inside.get(each) ?? 0)) continue;
    launch.push(plain({ kind: 'eventRecord', event: each, stream: from }));
  }
  if (endDevice !== device) launch.push(plain({ kind: 'setDevice', device: endDevice }));
  return { before, launch };
}

/** How often something waits for, or asks about, each event. */
function eventsOfWaits({ threads }: Program): Map<string, number> {
  const uses = new Map<string, number>();
  const add = (event: string) => uses.set(event, (uses.get(event) ?? 0) + 1);
  for (const thread of threads) {
    for (const { call } of entriesOf(thread)) {
      if (call.kind === 'eventElapsedTime') {
        add(call.start);
        add(call.end);
      } else if (call.kind === 'streamWaitEvent' || call.kind === 'eventSynchronize' || call.kind === 'eventQuery') {
        add(call.event);
      }
    }
  }
  return uses;
}

function streamOf(call: Call): string | undefined {
  return 'stream' in call && typeof call.stream === 'string' ? call.stream : undefined;
}

function plain(call: Call): Entry {
  return { call, path: '' };
}
