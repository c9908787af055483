import { INSTANTS } from '@griddep/timeline';
import { FACT, FACTS, INSTANT, KINDS } from '../data/columns.ts';
import type { Store } from '../data/store.ts';
import { type Curve, curvesOf } from './curves.ts';
import { type Lane, packLanes, Slices } from './lane.ts';

/** Lanes that belong together under a heading, made when they are first opened. */
export interface Section {
  /** `host`, `0 streams`, `0 queues` ... */
  readonly key: string;
  readonly title: string;
  /** -1 for the host. */
  readonly device: number;
  readonly isOpenAtFirst: boolean;
  readonly lanes: () => readonly Lane[];
  readonly curves: () => readonly Curve[];
}

const HOST_CALL = KINDS.indexOf('hostCall');
const KERNEL = KINDS.indexOf('kernel');
const COLLECTIVE = KINDS.indexOf('collective');
const GRAPH = KINDS.indexOf('graph');
const MOST_DEVICES_WITH_CURVES = 4;
/** Curves of more operations take a while, so they wait until somebody opens them. */
const MOST_OPERATIONS_WITH_CURVES = 200_000;

/** Host threads, then for each device its streams, hardware queues, engines and links, SMs and curves. */
export function sectionsOf(store: Store): Section[] {
  const dealt = deal(store);
  const sections: Section[] = [];
  const add = (key: string, title: string, device: number, isOpenAtFirst: boolean, parts: Partial<Section>) =>
    sections.push({ key, title, device, isOpenAtFirst, lanes: () => [], curves: () => [], ...parts });
  add('host', 'host threads', -1, true, { lanes: once(() => lanesOf(store, dealt.host, true)) });
  for (const device of [...dealt.streams.keys()].sort((a, b) => a - b)) {
    const name = store.columns.head.devices[device]?.name ?? '';
    const title = name === '' ? `GPU ${device}` : `GPU ${device}: ${name}`;
    const named = (groups: ReadonlyMap<number, Groups>) => once(() => lanesOf(store, groups.get(device), false));
    add(`${device} streams`, `${title}, streams`, device, true, { lanes: named(dealt.streams) });
    if (dealt.queues.has(device)) {
      add(`${device} queues`, `${title}, hardware queues`, device, false, { lanes: named(dealt.queues) });
    }
    if (dealt.engines.has(device)) {
      add(`${device} engines`, `${title}, copy engines and links`, device, false, { lanes: named(dealt.engines) });
    }
    if (store.columns.blocks !== undefined) {
      add(`${device} sms`, `${title}, SMs and blocks`, device, false, { lanes: once(() => smLanes(store, device)) });
    }
    const isOpen = device < MOST_DEVICES_WITH_CURVES && store.count <= MOST_OPERATIONS_WITH_CURVES;
    add(`${device} curves`, `${title}, curves`, device, isOpen, { curves: once(() => curvesOf(store, device)) });
  }
  return sections;
}

type Groups = Map<string, Slices>;

/** All operations by where they are shown; as the pictures of @griddep/timeline do it. */
function deal(store: Store) {
  const { instants, facts } = store.columns;
  const host: Groups = new Map();
  const streams = new Map<number, Groups>();
  const queues = new Map<number, Groups>();
  const engines = new Map<number, Groups>();
  const horizon = lastInstant(store);
  // Texts are positions here: a million look-ups of names would take seconds.
  const cache = { '': new Map<Groups, Map<number, Slices>>(), ' graph': new Map<Groups, Map<number, Slices>>() };
  const slices = (groups: Groups, position: number, suffix: keyof typeof cache = ''): Slices => {
    const known = made(cache[suffix], groups, () => new Map<number, Slices>());
    return made(known, position, () => made(groups, store.text(position) + suffix, () => new Slices()));
  };
  const groupsOf = (devices: Map<number, Groups>, device: number): Groups =>
    made(devices, device, () => new Map<string, Slices>());
  for (let i = 0; i < store.count; i++) {
    const row = i * INSTANTS.length;
    const fact = i * FACTS.length;
    const callBegin = instants[row + INSTANT.callBegin] ?? Number.NaN;
    const callEnd = instants[row + INSTANT.callEnd] ?? Number.NaN;
    const device = facts[fact + FACT.device] ?? -1;
    const thread = facts[fact + FACT.thread] ?? -1;
    const kind = facts[fact + FACT.kind] ?? 0;
    const hasCall = callBegin <= callEnd;
    if (hasCall) slices(host, thread).add(i, callBegin, callEnd);
    if (device < 0 && hasCall) continue;
    const start = instants[row + INSTANT.start] ?? Number.NaN;
    const end = instants[row + INSTANT.end] ?? Number.NaN;
    const processing = instants[row + INSTANT.processing] ?? Number.NaN;
    const completion = instants[row + INSTANT.completion] ?? Number.NaN;
    const ran = !Number.isNaN(start);
    if (!ran && !(processing <= completion)) continue;
    const from = ran ? start : processing;
    const to = start <= end ? end : ran ? Math.max(start, horizon) : completion;
    if (device < 0) {
      slices(host, thread).add(i, from, to);
      continue;
    }
    const stream = facts[fact + FACT.stream] ?? -1;
    if (kind === GRAPH) slices(groupsOf(streams, device), stream, ' graph').add(i, from, to);
    else slices(groupsOf(streams, device), stream).add(i, from, to);
    const unit = facts[fact + FACT.unit] ?? -1;
    if (unit < 0 || !ran) continue;
    const isKernel = kind === KERNEL || kind === COLLECTIVE;
    slices(groupsOf(isKernel ? queues : engines, device), unit).add(i, from, to);
  }
  for (const [thread, all] of host) host.set(thread, distinctCalls(store, all));
  return { host, streams, queues, engines };
}

/** One call may have made many operations (a graph launch), but is one slice. A host call stands for the others. */
function distinctCalls(store: Store, { starts, ends, operations }: Slices): Slices {
  const order = operations.map((_, i) => i);
  order.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || (ends[a] ?? 0) - (ends[b] ?? 0) || a - b);
  const kept = new Slices();
  for (let i = 0; i < order.length; ) {
    const first = order[i] ?? 0;
    let chosen = first;
    let next = i;
    for (; next < order.length; next++) {
      const at = order[next] ?? 0;
      if (starts[at] !== starts[first] || ends[at] !== ends[first]) break;
      if (store.fact(operations[at] ?? 0, 'kind') === HOST_CALL) chosen = at;
    }
    kept.add(operations[chosen] ?? 0, starts[chosen] ?? 0, ends[chosen] ?? 0);
    i = next;
  }
  return kept;
}

function lanesOf(store: Store, groups: Groups | undefined, isHost: boolean): Lane[] {
  return [...(groups ?? [])].flatMap(([name, slices]) => packLanes(store, name, slices, isHost));
}

function smLanes(store: Store, device: number): Lane[] {
  const { blocks } = store.columns;
  const groups: Slices[] = [];
  if (blocks === undefined) return [];
  for (let i = 0; i < blocks.operation.length; i++) {
    const operation = blocks.operation[i] ?? 0;
    if (store.fact(operation, 'device') !== device) continue;
    const start = blocks.start[i] ?? Number.NaN;
    const end = blocks.end[i] ?? Number.NaN;
    if (!(start <= end)) continue;
    const sm = blocks.sm[i] ?? 0;
    groups[sm] ??= new Slices();
    groups[sm].add(operation, start, end, blocks.block[i] ?? 0);
  }
  return groups.flatMap((slices, sm) => packLanes(store, `SM ${sm}`, slices, false));
}

/** The last instant of anything, ps. */
export function lastInstant(store: Store): number {
  let last = 0;
  const { instants } = store.columns;
  for (let i = 0; i < instants.length; i++) if ((instants[i] ?? 0) > last) last = instants[i] ?? 0;
  return last;
}

/** The value of `key`, made and kept if there is none. */
function made<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
