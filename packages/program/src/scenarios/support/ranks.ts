import type { ProgramBuilder } from '../../builder.ts';
import type { HostThreadBuilder } from '../../host-thread-builder.ts';
import type { AttributesInput, CollectiveInput } from '../../inputs.ts';
import type { Buffer, Stream } from '../../program.ts';
import { at } from './at.ts';
import { EventPool, type Recorded } from './event-pool.ts';
import type { Arguments } from './launch-chain.ts';
import { choice, count } from './parameters.ts';
import { Progress } from './progress.ts';

/** More operations than these devices make stay without labels of their own: millions of texts cost more than the calls. */
const MOST_LABELLED = 64;

/** Number of devices, where a scenario runs on any number. */
function devicesParameter(value: number, meaning = 'devices') {
  return count(value, meaning, 1, 1024);
}

/** Who calls: a thread for each device, or one for all. */
const hostParameter = choice('perDevice', 'a host thread for each device, or one for all', ['perDevice', 'one']);
/** Which devices can reach each other's memory. */
const nodeParameter = count(1024, 'devices of a node: peer access is enabled within nodes', 1, 1024);

/** The parameters that all scenarios on several devices have. */
export function ranksParameters(devices: number, meaning?: string) {
  return { devices: devicesParameter(devices, meaning), devicesPerNode: nodeParameter, host: hostParameter };
}

interface RanksOptions {
  readonly devices: number;
  /** Default: all in one node. */
  readonly devicesPerNode?: number;
  readonly host: (typeof hostParameter)['default'];
}

/** Part of a buffer that a copy reads or writes. */
export interface Part {
  readonly buffer: Buffer;
  readonly offset: number;
}

/**
 * A program's devices, numbered from 0, and who calls for each. Calls are made in an order in which one thread could make
 * them all, every record before its waits. With a host thread for each device, a wait for another device's event first
 * awaits that thread's word that it has recorded: a wait for an event not yet recorded would wait for nothing (docs/RULES.md
 * 5.4). One thread needs no such words, but calls so slowly for many devices that they wait for the host.
 */
export class Ranks {
  readonly count: number;
  private readonly devicesPerNode: number;
  private readonly program: ProgramBuilder;
  private readonly threads: readonly HostThreadBuilder[];
  private readonly progress: Progress;
  private readonly pools: readonly EventPool[];
  /** Current device of the one thread. */
  private current = 0;
  /** Calls have been made to set something up. */
  private hasCalled = false;

  constructor(program: ProgramBuilder, { devices, devicesPerNode = devices, host }: RanksOptions) {
    this.count = devices;
    this.devicesPerNode = devicesPerNode;
    this.program = program;
    this.threads =
      host === 'one'
        ? [program.hostThread()]
        : Array.from({ length: devices }, (_, rank) => program.hostThread(`rank${rank}`, { device: rank }));
    this.progress = new Progress(this.threads);
    this.pools = Array.from({ length: devices }, (_, rank) => new EventPool(program, rank, this.progress));
  }

  /** What `make` makes for each device. */
  map<T>(make: (rank: number) => T): T[] {
    return Array.from({ length: this.count }, (_, rank) => make(rank));
  }

  /** The thread that calls for a device, with that device current. */
  on(rank: number): HostThreadBuilder {
    const thread = this.thread(rank);
    if (this.threads.length === 1 && this.current !== rank) {
      thread.setDevice(rank);
      this.current = rank;
    }
    return thread;
  }

  stream(rank: number, name: string): Stream {
    return this.program.stream(`${name}${rank}`, { device: rank, kind: 'nonBlocking' });
  }

  buffer(rank: number, name: string, bytes: number): Buffer {
    return this.program.buffer(`${name}${rank}`, { device: rank, bytes });
  }

  /**
   * Lets a device reach the memory of others of its node (one direction, docs/RULES.md 6.10); itself and doubles are passed
   * over.
   */
  enablePeerAccess(rank: number, peers: Iterable<number>): void {
    const node = (device: number) => Math.floor(device / this.devicesPerNode);
    for (const peer of new Set(peers)) {
      if (peer === rank || node(peer) !== node(rank)) continue;
      this.on(rank).deviceEnablePeerAccess(peer);
      this.hasCalled = true;
    }
  }

  /** Every host thread has made its calls so far, and then all go on: setting up takes some longer than others. */
  meet(): void {
    if (!this.hasCalled) return;
    for (let rank = 1; rank < this.count; rank++) this.progress.await(0, rank, this.progress.next(rank));
    const all = this.progress.next(0);
    for (let rank = 1; rank < this.count; rank++) this.progress.await(rank, 0, all);
  }

  launch(stream: Stream, kernel: string, args: Arguments, label: string, attributes?: AttributesInput): void {
    const { device } = stream;
    this.on(device).launchKernel(kernel, stream, attributes, { args, ...this.labelled(device, label) });
  }

  /** A copy from the memory of one device to that of another, in a stream of either. */
  copy(stream: Stream, source: Part, destination: Part, bytes: number, label: string): void {
    const range = ({ buffer, offset }: Part) => ({ buffer: buffer.name, offset, bytes, blockStride: 0 });
    this.thread(stream.device).push(
      {
        kind: 'memcpy',
        copy: 'peer',
        bytes,
        stream: stream.name,
        async: true,
        hostMemory: 'pageable',
        source: range(source),
        destination: range(destination),
        sourceDevice: source.buffer.device,
        destinationDevice: destination.buffer.device,
      },
      this.labelled(stream.device, label),
    );
  }

  /** Records an event of the stream's device, for exactly `waits` waits to come. */
  record(stream: Stream, waits = 1): Recorded {
    const recorded = at(this.pools, stream.device).take(waits);
    this.thread(stream.device).push({ kind: 'eventRecord', event: recorded.event, stream: stream.name });
    return recorded;
  }

  /**
   * The host thread of a device says that it has recorded, for those of other devices that will wait: else it does so only
   * when the first of them asks, after all calls that have been made for it by then.
   */
  tell(rank: number): void {
    this.progress.tell(rank);
  }

  /** Work enqueued in the stream from now on waits for what was recorded, on whatever device. */
  wait(stream: Stream, recorded: Recorded): void {
    const { device } = stream;
    this.progress.await(device, recorded.device, recorded.made);
    this.thread(device).push({ kind: 'streamWaitEvent', stream: stream.name, event: recorded.event });
    recorded.waited(device, this.progress.next(device));
  }

  /** Streams of a device wait for what has been enqueued in another of its streams. */
  spread(from: Stream, to: readonly Stream[]): void {
    if (to.length === 0) return;
    const recorded = this.record(from, to.length);
    for (const stream of to) this.wait(stream, recorded);
  }

  /** A stream of a device waits for what has been enqueued in others of its streams. */
  gather(from: readonly Stream[], to: Stream): void {
    for (const stream of from) this.wait(to, this.record(stream));
  }

  collective(
    operation: CollectiveInput['operation'],
    group: string,
    bytes: number,
    stream: Stream,
    label: string,
  ): void {
    const { device } = stream;
    this.on(device).collective(operation, group, bytes, stream, this.labelled(device, label));
  }

  /** Every device's work has ended. */
  synchronize(): void {
    for (let rank = 0; rank < this.count; rank++) this.on(rank).deviceSynchronize();
  }

  /** The thread that calls for a device, whatever device is current. */
  thread(rank: number): HostThreadBuilder {
    return at(this.threads, this.threads.length === 1 ? 0 : rank);
  }

  private labelled(rank: number, label: string): { readonly label?: string } {
    return this.count > MOST_LABELLED ? {} : { label: `rank${rank}/${label}` };
  }
}
