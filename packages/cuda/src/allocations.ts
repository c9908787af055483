import type { Buffer, CallOf } from '@griddep/program';
import { duration } from './call-cost.ts';
import { cudaError } from './errors.ts';
import type { Issued } from './issued.ts';
import { initialBuffers } from './memory.ts';
import type { PeerAccess } from './peer-access.ts';
import type { Invocation, ProcessState } from './process-state.ts';

/** Bytes of one device: taken in all, and held and used by the pool of stream-ordered allocations. */
interface Account {
  readonly capacity: number;
  taken: number;
  pool: number;
  poolUsed: number;
}

/** Memory that a buffer stands for: where it came from, or that it was given back. Aliases from the start share one. */
interface Holding {
  from: 'device' | 'pool' | 'freed';
  bytes: number;
}

/** Device memory: what is allocated, and the pools of stream-ordered allocation (rule 6.7), which only grow. */
export class Allocations {
  private readonly state: ProcessState;
  private readonly peers: PeerAccess;
  private readonly accounts: readonly Account[];
  /** By buffer. */
  private readonly holdings = new Map<string, Holding>();

  /** Buffers that no call allocates are there from the start. */
  constructor(state: ProcessState, peers: PeerAccess) {
    this.state = state;
    this.peers = peers;
    this.accounts = state.devices.map((d) => ({ capacity: d.memoryBytes, taken: 0, pool: 0, poolUsed: 0 }));
    const allocations = new Map<string, Holding>();
    for (const { buffer, added, taken } of initialBuffers(state.program)) {
      const account = this.accounts[buffer.device];
      if (account === undefined) continue;
      account.taken = taken;
      const key = `${buffer.device} ${buffer.allocation}`;
      const holding = allocations.get(key) ?? { from: 'device', bytes: 0 };
      holding.bytes += added;
      allocations.set(key, holding);
      this.holdings.set(buffer.name, holding);
    }
  }

  /** cudaMalloc; waits for the device's work, as an implicit synchronisation does (rule 6.6). */
  allocate(invocation: Invocation<CallOf<'malloc' | 'free'>>): Issued {
    const buffer = this.buffer(invocation.call.buffer);
    const account = this.account(buffer);
    if (account.taken + buffer.bytes > account.capacity) return this.outOfMemory(invocation, buffer);
    account.taken += buffer.bytes;
    this.holdings.set(buffer.name, { from: 'device', bytes: buffer.bytes });
    return this.state.done(invocation, this.state.devicePending(buffer.device), { cause: 'implicitSync' });
  }

  /**
   * cudaFree; waits for the work of the device, and of those that have access to its memory (rule 6.7). Memory that was
   * never allocated is a null pointer, which may be freed.
   */
  free(invocation: Invocation<CallOf<'malloc' | 'free'>>): Issued {
    const buffer = this.buffer(invocation.call.buffer);
    if (!this.release(buffer)) return this.freedTwice(invocation, buffer);
    const devices = [buffer.device, ...this.peers.accessing(buffer.device)];
    const pending = devices.flatMap((device) => this.state.devicePending(device));
    return this.state.done(invocation, pending, { cause: 'implicitSync' });
  }

  /** cudaMallocHost: pinning takes time by the byte (rule 6.12), and waits for the current device (rule 6.6). */
  allocateHost(invocation: Invocation<CallOf<'mallocHost' | 'freeHost'>>): Issued {
    const { bytes } = this.buffer(invocation.call.buffer);
    const { device } = this.state.thread(invocation.thread);
    const pending = this.state.devicePending(device);
    return this.state.done(invocation, pending, { grownBytes: bytes, cause: 'implicitSync' });
  }

  /** cudaFreeHost: every device can touch page-locked memory, so all must be done with theirs (rules 6.6, 6.7). */
  freeHost(invocation: Invocation<CallOf<'mallocHost' | 'freeHost'>>): Issued {
    const pending = this.state.devices.flatMap((_, device) => this.state.devicePending(device));
    return this.state.done(invocation, pending, { cause: 'implicitSync' });
  }

  /**
   * cudaMallocAsync: from the pool of the stream's device, which grows when it is used up. Growth takes the host's time;
   * by the documented list it also waits for the device, which an H200 was not seen to do (rule 6.7).
   */
  allocateAsync(invocation: Invocation<CallOf<'mallocAsync' | 'freeAsync'>>): Issued {
    const { thread, call } = invocation;
    const buffer = this.buffer(call.buffer);
    const account = this.account(buffer);
    const used = account.poolUsed + buffer.bytes;
    const grown = Math.max(0, used - account.pool);
    if (account.taken + grown > account.capacity) return this.outOfMemory(invocation, buffer);
    const first = account.pool === 0;
    account.poolUsed = used;
    account.pool += grown;
    account.taken += grown;
    this.holdings.set(buffer.name, { from: 'pool', bytes: buffer.bytes });
    const waits = grown > 0 && this.state.implicitSynchronization === 'listed';
    const issued = this.state.work(
      invocation,
      this.state.stream(thread, call.stream),
      { type: 'pool' },
      {
        grownBytes: grown,
        firstAllocation: first,
        ...(waits ? { blocks: this.state.devicePending(buffer.device), cause: 'implicitSync' } : {}),
      },
    );
    const growth = duration(grown, this.state.times.poolGrowth);
    return growth === 0 || issued.captured ? issued : { ...issued, growth };
  }

  /** cudaFreeAsync. */
  freeAsync(invocation: Invocation<CallOf<'mallocAsync' | 'freeAsync'>>): Issued {
    const { thread, call } = invocation;
    const buffer = this.buffer(call.buffer);
    if (!this.release(buffer)) return this.freedTwice(invocation, buffer);
    return this.state.work(invocation, this.state.stream(thread, call.stream), { type: 'pool' });
  }

  /** Gives a buffer's memory back to where it came from; false if that has been done. */
  private release(buffer: Buffer): boolean {
    const holding = this.holdings.get(buffer.name);
    if (holding === undefined) return true;
    if (holding.from === 'freed') return false;
    const account = this.account(buffer);
    if (holding.from === 'pool') account.poolUsed -= holding.bytes;
    else account.taken -= holding.bytes;
    holding.from = 'freed';
    return true;
  }

  private outOfMemory(invocation: Invocation, { device, bytes }: Buffer): Issued {
    const { capacity, taken } = this.accounts[device] as Account;
    const message = `device ${device} has ${capacity} bytes, ${capacity - taken} of them free; ${bytes} were asked for`;
    return this.state.fail(invocation, cudaError('cudaErrorMemoryAllocation', message));
  }

  private freedTwice(invocation: Invocation, { name }: Buffer): Issued {
    return this.state.fail(invocation, cudaError('cudaErrorInvalidValue', `buffer "${name}" has been freed`));
  }

  private buffer(name: string): Buffer {
    const buffer = this.state.program.buffers.get(name);
    if (buffer === undefined) throw new Error(`unknown buffer "${name}"`);
    return buffer;
  }

  private account({ device }: Buffer): Account {
    const account = this.accounts[device];
    if (account === undefined) throw new Error(`unknown device ${device}`);
    return account;
  }
}
