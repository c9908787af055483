import type { Machine } from '@griddep/machine';
import { CudaProgram } from './cuda-program.ts';
import { LiveProgram } from './live-program.ts';

/** A program as TypeScript code: it starts host threads, which make their calls while the simulation runs. */
export type HostCode = (cuda: CudaProgram) => Promise<void> | void;

/** Code that has started its host threads. */
export interface StartedCode {
  readonly live: LiveProgram;
  /** Ends when the code does; call it when the simulation has run. @throws what the code throws */
  finish(): Promise<void>;
}

/** Runs code up to its first await. */
export function startCode(code: HostCode, machine: Machine, name: string, places = true): StartedCode {
  const live = new LiveProgram(name, machine, places);
  const ran = (async () => code(new CudaProgram(live)))();
  // Taken up by `finish`, unless the simulation fails before.
  ran.catch(() => {});
  return {
    live,
    async finish() {
      const fault = live.threads.find((thread) => thread.fault !== undefined)?.fault;
      if (fault !== undefined) throw fault.error;
      // Code that waits for a thread which never ends does not end either.
      if (live.threads.every((thread) => thread.finished)) await ran;
    },
  };
}
