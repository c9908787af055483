import type { NodeList } from './node-list.ts';
import type { Need, Node } from './nodes.ts';
import { follows, type RecordView, type Snapshot, type StreamView, supersedes, UNUSED } from './views.ts';

/** What a host thread knows as it makes its calls. */
export class ThreadView {
  readonly index: number;
  /** The thread's own newest node. */
  host: readonly Need[] = [];
  readonly heard: number[];
  private readonly streams = new Map<number, StreamView>();
  private readonly records = new Map<string, RecordView>();

  constructor(index: number, threads: number) {
    this.index = index;
    this.heard = Array.from({ length: threads }, () => 0);
  }

  stream(stream: number): StreamView {
    return this.streams.get(stream) ?? UNUSED;
  }

  setStream(stream: number, view: StreamView): void {
    this.streams.set(stream, view);
  }

  record(event: string): RecordView | undefined {
    return this.records.get(event);
  }

  setRecord(event: string, record: RecordView): void {
    this.records.set(event, record);
  }

  /** As others may learn it. */
  snapshot(): Snapshot {
    const { host, heard } = this;
    return { host, streams: new Map(this.streams), records: new Map(this.records), heard: [...heard] };
  }

  /** Learns what another thread knew when it signalled. */
  learn(other: Snapshot, nodes: NodeList, site: Node['site']): void {
    for (const [stream, theirs] of other.streams) {
      this.streams.set(stream, merged(this.stream(stream), theirs, nodes, site));
    }
    for (const [event, theirs] of other.records) {
      const ours = this.records.get(event);
      if (ours === undefined || supersedes(theirs, ours)) this.records.set(event, theirs);
    }
    other.heard.forEach((calls, thread) => {
      this.heard[thread] = Math.max(calls, this.heard[thread] ?? 0);
    });
  }
}

function merged(ours: StreamView, theirs: StreamView, nodes: NodeList, site: Node['site']): StreamView {
  if (ours === theirs || follows(ours, theirs)) return ours;
  if (follows(theirs, ours)) return theirs;
  const ends = nodes.joined([...ours.ends, ...theirs.ends], site);
  const version = Math.max(ours.version, theirs.version);
  const direct = ours.direct === undefined && theirs.direct === undefined ? undefined : 'unknown';
  return { ...UNUSED, version, parent: ours, ends, direct, gate: [...ours.gate, ...theirs.gate] };
}
