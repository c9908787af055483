import type { Call, Program } from '@griddep/program';

/** A call that raises a flag. */
export interface HostSignal {
  readonly thread: number;
  readonly call: number;
  readonly value: number;
}

/** Who raises each flag. */
export class FlagSignals {
  private readonly byHost = new Map<string, HostSignal[]>();
  private readonly byDevices = new Map<string, number>();

  constructor({ threads, kernels, graphs }: Program) {
    const launched = new Set<string>();
    const note = (call: Call): void => {
      if (call.kind === 'launchKernel') launched.add(call.kernel);
      if (call.kind === 'streamWriteValue') this.raisedByDevice(call.flag, call.value);
    };
    for (const graph of graphs.values()) for (const { call } of graph.nodes) note(call);
    for (const [thread, { calls }] of threads.entries()) {
      const signals = new Set<number>();
      for (let shape = 0; shape < calls.distinct; shape++) {
        const call = calls.distinctCall(shape);
        note(call);
        if (call.kind === 'hostSignal') signals.add(shape);
      }
      if (signals.size === 0) continue;
      for (let i = 0; i < calls.length; i++) {
        if (!signals.has(calls.shapeAt(i))) continue;
        const call = calls.at(i);
        if (call.kind !== 'hostSignal') continue;
        const known = this.byHost.get(call.flag) ?? [];
        this.byHost.set(call.flag, known);
        known.push({ thread, call: i, value: call.value });
      }
    }
    for (const name of launched) {
      const body = kernels.get(name)?.body;
      if (body?.kind !== 'phases') continue;
      for (const phase of body.roles.flatMap((role) => role.phases)) {
        if (phase.op !== 'signal') continue;
        this.raisedByDevice(phase.flag, phase.value);
      }
    }
  }

  /** Whether a kernel or a stream raises a flag so far. */
  isRaisedByDevices(flag: string, value: number): boolean {
    return (this.byDevices.get(flag) ?? -1) >= value;
  }

  private raisedByDevice(flag: string, value: number): void {
    this.byDevices.set(flag, Math.max(value, this.byDevices.get(flag) ?? 0));
  }

  /**
   * The host's signal that must have been given when a flag holds a value, if one can be told: the first of those of
   * one thread that suffice.
   */
  certain(flag: string, value: number): HostSignal | undefined {
    if (this.isRaisedByDevices(flag, value)) return undefined;
    const enough = (this.byHost.get(flag) ?? []).filter((signal) => signal.value >= value);
    const [first] = enough;
    return enough.every(({ thread }) => thread === first?.thread) ? first : undefined;
  }
}
