import type { Measurement } from './suite.ts';

/** Runs of one sweep in so many threads: how long all took, s, and how long the simulations among that, ms of all threads. */
export interface MeasuredSweep {
  readonly seconds: number;
  readonly simulating: number;
}

export interface MeasuredSweeps {
  /** In a process bound to one core; absent where processes cannot be bound. */
  readonly oneCore?: MeasuredSweep | undefined;
  readonly oneThread: MeasuredSweep;
  readonly twoThreads: MeasuredSweep;
}

/** Two threads on all cores are to be so many times as quick as one core. */
const QUICKER = 1.8;
/** What a run is to cost beside its simulation at most, ms. */
const BESIDE_MS = 1;

/** What of a run is not its simulation, ms; of one thread, where nothing runs beside it. */
export function besideSimulation({ oneThread }: MeasuredSweeps, runs: number): number {
  return (oneThread.seconds * 1000 - oneThread.simulating) / runs;
}

/** As the other suites have them: rates in runs a second. */
export function sweepMeasurements(sweeps: MeasuredSweeps, runs: number): Measurement[] {
  const { oneCore, oneThread, twoThreads } = sweeps;
  const first = oneCore ?? oneThread;
  const measured = (name: string, { seconds }: MeasuredSweep): Measurement => ({
    suite: 'sweep',
    group: `${runs} runs`,
    case: name,
    unit: 'runs/s',
    rate: runs / seconds,
    ratio: first.seconds / seconds,
    samples: 1,
  });
  const target = oneCore === undefined ? {} : { target: Math.ceil((QUICKER * runs) / oneCore.seconds) };
  return [
    ...(oneCore === undefined ? [] : [measured('one core', oneCore)]),
    measured('one thread', oneThread),
    { ...measured('two threads', twoThreads), ...target },
    {
      ...measured('beside simulation', { seconds: (besideSimulation(sweeps, runs) * runs) / 1000, simulating: 0 }),
      target: 1000 / BESIDE_MS,
    },
  ];
}

/** The ratios in words, each with its target. */
export function ratioLines(sweeps: MeasuredSweeps, runs: number): string[] {
  const { oneCore, oneThread, twoThreads } = sweeps;
  const quicker = (than: MeasuredSweep) => than.seconds / twoThreads.seconds;
  const verdict = (isMet: boolean, target: string) => `target ${target}: ${isMet ? 'met' : 'missed'}`;
  const beside = besideSimulation(sweeps, runs);
  return [
    oneCore === undefined
      ? 'two threads over one core: not measured, taskset is missing'
      : `two threads over one core: ${quicker(oneCore).toFixed(2)} (${verdict(quicker(oneCore) >= QUICKER, `${QUICKER}`)})`,
    `two threads over one thread: ${quicker(oneThread).toFixed(2)}`,
    `a run beside its ${(oneThread.simulating / runs).toFixed(2)} ms of simulation: ${beside.toFixed(2)} ms (${verdict(beside <= BESIDE_MS, `${BESIDE_MS} ms`)})`,
  ];
}
