import type { Buffer, Stream } from '../../program.ts';
import { at } from './at.ts';
import { type Additions, type Chunk, chunksOf, wholeTiles } from './chunks.ts';
import type { Recorded } from './event-pool.ts';
import type { Ranks } from './ranks.ts';

/** Chunks take turns over so many streams of a device, so that one is copied while another is added. */
const CHANNELS = 2;

/** A buffer in one segment for each device, each in chunks. */
export interface Segments {
  /** Bytes of a segment. */
  readonly bytes: number;
  /** Chunks of a segment; offsets from its beginning. */
  readonly chunks: readonly Chunk[];
}

/** Equal segments of whole tiles, at least one tile each, so that `bytes` may be rounded. */
export function segmentsOf(bytes: number, devices: number, chunkBytes: number): Segments {
  const segment = wholeTiles(bytes / devices);
  return { bytes: segment, chunks: chunksOf(segment, chunkBytes) };
}

/** The streams of each device that chunks take turns over. */
export function ringChannels(ranks: Ranks, { chunks }: Segments, name = 'channel'): [Stream, ...Stream[]][] {
  const channels = Math.min(CHANNELS, chunks.length);
  return ranks.map((rank) => {
    const others = Array.from({ length: channels - 1 }, (_, i) => i + 1);
    const stream = (channel: number) => ranks.stream(rank, `${name}${channel}_`);
    return [stream(0), ...others.map(stream)];
  });
}

/** The device that a device sends to. */
export function nextInRing(rank: number, devices: number): number {
  return (rank + 1) % devices;
}

interface Ring {
  readonly segments: Segments;
  /** Of each device: all its segments. */
  readonly data: readonly Buffer[];
  readonly channels: readonly (readonly Stream[])[];
  /** Before the labels. */
  readonly name?: string;
}

/**
 * Every device passes on segment after segment, each when it has arrived, until all devices have all of them: device r
 * sends segment r - s in step s, straight to its place. The devices' channels wait for the last arrival at the end.
 */
export function ringAllGather(ranks: Ranks, ring: Ring): void {
  new RingSteps(ranks, ring).run(0, ranks.count - 1, ring.data);
}

/**
 * Reduce-scatter then all-gather. In the first n - 1 steps segments arrive in `scratch` (of each device, as large as its
 * data, so that nothing need wait for room) and are added before they go on; in the other n - 1 sums go round.
 */
export function ringAllReduce(
  ranks: Ranks,
  ring: Ring & { readonly scratch: readonly Buffer[]; readonly additions: Additions },
): void {
  const { scratch, additions, data } = ring;
  const last = ranks.count - 1;
  const steps = new RingSteps(ranks, ring);
  steps.run(0, last, scratch, (rank, stream, { bytes }, offset, label) => {
    const args = { sum: at(data, rank), part: at(scratch, rank) };
    ranks.launch(stream, additions.kernel(offset, bytes), args, label('add'));
  });
  steps.run(last, 2 * last, data);
}

type Receive = (rank: number, stream: Stream, chunk: Chunk, offset: number, label: (what: string) => string) => void;

class RingSteps {
  private readonly ranks: Ranks;
  private readonly ring: Ring;

  constructor(ranks: Ranks, ring: Ring) {
    this.ranks = ranks;
    this.ring = ring;
  }

  /** Steps `from` to `to` - 1, and the arrival of the last. Each sends to `into`; `receive` says what is done with it. */
  run(from: number, to: number, into: readonly Buffer[], receive?: Receive): void {
    const { ranks, ring } = this;
    const { chunks } = ring.segments;
    const devices = ranks.count;
    let sent: Recorded[] = [];
    for (let step = from; step <= to && from < to; step++) {
      const sending: Recorded[] = [];
      for (let rank = 0; rank < devices; rank++) {
        const before = (rank + devices - 1) % devices;
        for (const chunk of chunks) {
          const stream = this.channel(rank, chunk);
          const label = (what: string) => `${ring.name ?? ''}${what}.${step}.${chunk.index}`;
          const offset = this.segment(rank, step) + chunk.offset;
          if (step > from) {
            ranks.wait(stream, at(sent, before * chunks.length + chunk.index));
            receive?.(rank, stream, chunk, offset, label);
          }
          if (step === to) continue;
          const source = { buffer: at(ring.data, rank), offset };
          const destination = { buffer: at(into, nextInRing(rank, devices)), offset };
          ranks.copy(stream, source, destination, chunk.bytes, label('send'));
          sending.push(ranks.record(stream));
        }
        if (step < to) ranks.tell(rank);
      }
      sent = sending;
    }
  }

  private channel(rank: number, { index }: Chunk): Stream {
    const channels = at(this.ring.channels, rank);
    return at(channels, index % channels.length);
  }

  /** Where the segment lies that a device sends in a step, and that it received in the step before. */
  private segment(rank: number, step: number): number {
    const devices = this.ranks.count;
    return ((((rank - step) % devices) + devices) % devices) * this.ring.segments.bytes;
  }
}
