import type { Call, Program } from '@griddep/program';

/** Ids for the operations of a program that are measured: the author's, else what they are and a count. */
export class Labels {
  private readonly byCall: Map<number, string>[];

  constructor(program: Program) {
    const taken = new Set<string>();
    for (const { calls } of program.threads) {
      for (let i = 0; i < calls.length; i++) {
        const label = calls.label(i);
        if (label !== undefined) taken.add(label);
      }
    }
    const counts = new Map<string, number>();
    this.byCall = program.threads.map(({ calls }) => {
      const labels = new Map<number, string>();
      for (let i = 0; i < calls.length; i++) {
        const given = calls.label(i);
        const what = whatOf(calls.at(i));
        if (given !== undefined || what === undefined) continue;
        let label: string;
        do {
          const count = counts.get(what) ?? 0;
          counts.set(what, count + 1);
          label = `${what}#${count}`;
        } while (taken.has(label));
        labels.set(i, label);
      }
      return labels;
    });
  }

  /** Undefined for calls that make no operation which is measured, or have an id of the author's. */
  of(thread: number, index: number): string | undefined {
    return this.byCall[thread]?.get(index);
  }
}

function whatOf(call: Call): string | undefined {
  switch (call.kind) {
    case 'launchKernel':
      return call.kernel;
    case 'memcpy':
      return call.copy;
    case 'memset':
    case 'graphLaunch':
    case 'launchHostFunc':
      return call.kind;
    default:
      return undefined;
  }
}
