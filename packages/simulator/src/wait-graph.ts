import type { Rendezvous } from '@griddep/cuda';
import type { Call, Kernel, Program } from '@griddep/program';
import type { Operation } from '@griddep/timeline';
import type { DeviceResult } from './device/device-result.ts';
import type { JoinedHosts } from './host/join-hosts.ts';
import type { Positions } from './positions.ts';

/** Operations by their numbers, and host threads as negative ones. */
type Node = number;

/** The node of a host thread, by its index in the program; `threadOf` is the inverse, undefined for an operation. */
const threadNode = (thread: number): Node => -1 - thread;
export const threadOf = (node: Node): number | undefined => (node < 0 ? -1 - node : undefined);

/** What a run has left when it can never finish. */
export interface Standstill {
  readonly host: JoinedHosts;
  readonly devices: readonly DeviceResult[];
  readonly operations: readonly Operation[];
  readonly position: Positions;
  readonly program: Program;
}

/**
 * Who waits for whom at a standstill. An operation waits for those that it is ordered behind, for the head of its hardware
 * queue, for blocks that hold the room it needs, for whoever would still signal the flag that its blocks spin on, and for the members of its
 * collective that have not come; a host thread waits for an operation or a flag. What has not been called yet is the thread
 * that would call it.
 */
export class WaitGraph {
  readonly edges = new Map<Node, Node[]>();
  private readonly rest: Standstill;
  private readonly signalling: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(rest: Standstill) {
    this.rest = rest;
    this.signalling = flagsSignalled(rest.program.kernels.values());
    for (const device of rest.devices) this.addDevice(device);
    this.addMeetings();
    for (const { thread, op, flag, fullStream } of rest.host.unfinished) {
      const from = threadNode(thread);
      if (op >= 0) this.add(from, op);
      if (flag !== undefined) this.addSignallers(from, flag.name);
      if (fullStream !== undefined) this.addStream(from, fullStream);
    }
  }

  private add(from: Node, to: Node): void {
    const known = this.edges.get(from);
    if (known === undefined) this.edges.set(from, [to]);
    else if (!known.includes(to)) known.push(to);
  }

  private addDevice({ unfinished, awaitedFlags }: DeviceResult): void {
    const running = unfinished.filter(({ start }) => !Number.isNaN(start));
    const heads = new Map<string, Node>();
    for (const { op, awaits, queue, inQueue, behind, room } of unfinished) {
      for (const on of awaits) this.add(op, on);
      const head = heads.get(queue);
      if (head === undefined) {
        if (inQueue) heads.set(queue, op);
      } else if (behind === true) this.add(op, head);
      if (room === true) for (const holder of running) this.add(op, holder.op);
    }
    for (const { op, flag } of awaitedFlags) this.addSignallers(op, flag);
  }

  /** Whoever may still signal a flag: kernels that have not ended, and threads that have not come to it. */
  private addSignallers(from: Node, flag: string): void {
    const { devices } = this.rest;
    const kernels = this.signalling.get(flag) ?? new Set();
    for (const { unfinished } of devices) {
      for (const { op } of unfinished) {
        const operation = this.operation(op);
        if (op !== from && operation?.kind === 'kernel' && kernels.has(operation.name)) this.add(from, op);
      }
    }
    this.addCallers(from, (call) =>
      call.kind === 'hostSignal' ? call.flag === flag : call.kind === 'launchKernel' && kernels.has(call.kernel),
    );
  }

  /** The first operation of a stream that has not completed. */
  private addStream(from: Node, stream: string): void {
    for (const { unfinished } of this.rest.devices) {
      const first = unfinished.find(({ op }) => this.operation(op)?.stream === stream);
      if (first !== undefined) this.add(from, first.op);
    }
  }

  private addMeetings(): void {
    const { devices } = this.rest;
    const enqueued = new Map<string, Node>();
    for (const [device, { unfinished }] of devices.entries()) {
      for (const { op, meets } of unfinished) {
        if (meets !== undefined) enqueued.set(`${device} ${meets.group} ${meets.sequence}`, op);
      }
    }
    for (const { meetings } of devices) {
      for (const { op, rendezvous } of meetings) {
        for (const rank of absent(rendezvous, devices)) {
          const call = enqueued.get(`${rank} ${rendezvous.group} ${rendezvous.sequence}`);
          if (call !== undefined) this.add(op, call);
          else this.addMember(op, rendezvous.group, rank);
        }
      }
    }
  }

  /** Threads that would still call a collective of a group on a device. */
  private addMember(from: Node, group: string, device: number): void {
    const { streams, threads } = this.rest.program;
    this.addCallers(from, (call, thread) => {
      if (call.kind !== 'collective' || call.group !== group) return false;
      return (streams.get(call.stream)?.device ?? threads[thread]?.device) === device;
    });
  }

  private addCallers(from: Node, matches: (call: Call, thread: number) => boolean): void {
    for (const { thread, made } of this.rest.host.unfinished) {
      const calls = this.rest.program.threads[thread]?.calls;
      for (let i = made; i < (calls?.length ?? 0); i++) {
        if (!matches((calls as NonNullable<typeof calls>).at(i), thread)) continue;
        this.add(from, threadNode(thread));
        break;
      }
    }
  }

  private operation(op: number): Operation | undefined {
    return this.rest.operations[this.rest.position.get(op) ?? -1];
  }
}

/** Kernels by the flags that their blocks signal. */
function flagsSignalled(kernels: Iterable<Kernel>): Map<string, Set<string>> {
  const signalling = new Map<string, Set<string>>();
  for (const { name, body } of kernels) {
    if (body.kind !== 'phases') continue;
    for (const { phases } of body.roles) {
      for (const phase of phases) {
        if (phase.op !== 'signal') continue;
        signalling.set(phase.flag, (signalling.get(phase.flag) ?? new Set()).add(name));
      }
    }
  }
  return signalling;
}

/** Devices of the members of a collective that have not come to it. */
export function absent({ group, ranks, sequence }: Rendezvous, devices: readonly DeviceResult[]): number[] {
  return ranks.filter(
    (rank) => !devices[rank]?.meetings.some(({ rendezvous: r }) => r.group === group && r.sequence === sequence),
  );
}
