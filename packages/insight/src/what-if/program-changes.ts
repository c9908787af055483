import { machineByName } from '@griddep/machine';
import { ProgramError } from '@griddep/program';
import { devices } from '../changes/devices.ts';
import { type EarlyShares, earlyKernels, withEarlyLaunches } from '../changes/early-launches.ts';
import { fuse } from '../changes/fuse.ts';
import { capturableStretches, graph, sharedStreams } from '../changes/graph.ts';
import { pinned, pinningTime } from '../changes/pinned.ts';
import { remove } from '../changes/remove.ts';
import { scale } from '../changes/scale.ts';
import { baseName } from '../changes/select-kernels.ts';
import { dealable, streams } from '../changes/streams.ts';
import type { Assumption, Setting } from './assumption.ts';
import type { Change } from './change.ts';
import { withDevices } from './machine-changes.ts';

/** What is enqueued between two waits of the host, or in a step, launched as one graph. */
export function graphChange(): Change {
  return {
    name: '--graph',
    what: 'launched as graphs',
    apply: ({ program, machine }) => ({ program: graph(program), machine }),
    notes: ({ program }) => {
      const notes = [
        capturableStretches(program) === 0
          ? 'nothing is enqueued that could become a graph: it is one already, or needs the legacy stream, pageable memory, or a stream that several host threads use'
          : 'what the host computes between the launches of a graph happens at its capture, and not again',
      ];
      const shared = [...sharedStreams(program)];
      if (shared.length > 0) {
        notes.push(`not captured: what is enqueued in streams of several host threads (${shared.join(', ')})`);
      }
      return notes;
    },
  };
}

export interface PdlOptions {
  readonly kernels: readonly string[] | 'all';
  /** Of kernels whose PTX is there, by name. */
  readonly fromPtx?: ReadonlyMap<string, EarlyShares>;
  /** Share of a kernel before its wait, as the user gave it. */
  readonly preamble?: number;
}

/**
 * What is taken where nothing tells where a kernel would wait: a preamble, and the trigger right behind the wait. In the
 * PTX of four kernels that Triton made, `scale` and `dot` of two widths, the wait stands behind 0.09, 0.13, 0.42 and 0.51
 * of the instructions; the usual share is their middle. A kernel that has no trigger, the slow end, triggers at its end.
 */
const USUAL: EarlyShares = { beforeWait: 0.27, beforeTrigger: 0.27 };
const QUICK: EarlyShares = { beforeWait: 0.51, beforeTrigger: 0.51 };
const SLOW: EarlyShares = { beforeWait: 0, beforeTrigger: 1 };

const SETTINGS: readonly Setting[] = ['usual', 'quick', 'slow'];

/** Programmatic dependent launch of kernels behind kernels in their stream. */
export function pdlChange({ kernels, fromPtx = new Map(), preamble }: PdlOptions): Change {
  const list = kernels === 'all' ? 'all' : kernels.join(',');
  const given = preamble === undefined ? undefined : { beforeWait: preamble, beforeTrigger: preamble };
  const otherwise = (setting: Setting): EarlyShares =>
    given ?? (setting === 'usual' ? USUAL : setting === 'quick' ? QUICK : SLOW);
  const share = (what: string, of: keyof EarlyShares, source: string): Assumption => ({
    ...{ what, unit: 'share', source },
    value: otherwise('usual')[of],
    low: Math.min(...SETTINGS.map((setting) => otherwise(setting)[of])),
    high: Math.max(...SETTINGS.map((setting) => otherwise(setting)[of])),
  });
  const source = given === undefined ? 'assumed: neither --ptx nor --preamble tells it' : 'given by --preamble';
  const ptx = [...fromPtx].map(
    ([name, { beforeWait, beforeTrigger }]): Assumption => ({
      what: `share of ${name} before its trigger (before its wait: ${beforeWait.toFixed(2)})`,
      ...{ value: beforeTrigger, low: quickTrigger({ beforeWait, beforeTrigger }), high: beforeTrigger, unit: 'share' },
      source: 'its PTX, by the number of instructions, in which loops count once',
    }),
  );
  const sharesAt = (setting: Setting): ReadonlyMap<string, EarlyShares> =>
    setting !== 'quick'
      ? fromPtx
      : new Map([...fromPtx].map(([name, of]) => [name, { ...of, beforeTrigger: quickTrigger(of) }]));
  return {
    name: `--pdl ${list}`,
    what: 'programmatic dependent launch of kernels behind kernels',
    assumptions: [
      ...ptx,
      share('share of a kernel before its wait', 'beforeWait', source),
      share('share of a kernel before its trigger', 'beforeTrigger', source),
    ],
    apply: ({ program, machine }, setting) => ({
      program: withEarlyLaunches(program, {
        kernels,
        machine,
        shares: sharesAt(setting),
        otherwise: otherwise(setting),
      }),
      machine,
    }),
    notes: ({ program }) => {
      const names = new Set(earlyKernels(program, kernels).map(({ name }) => baseName(name)));
      if (names.size === 0)
        return ['no kernel can launch early: collectives and kernels that wait for flags are left alone'];
      return [
        `PDL needs the sources of ${names.size} kernels: each has to wait before it touches what the kernel before makes`,
      ];
    },
  };
}

/** Instructions stand for time only roughly: a trigger may come as early as halfway between its place and the wait's. */
function quickTrigger({ beforeWait, beforeTrigger }: EarlyShares): number {
  return Math.min(beforeTrigger, (beforeWait + beforeTrigger) / 2);
}

/** Repeating work of a stream dealt onto a fixed pool of streams. */
export function streamsChange(count: number): Change {
  return {
    name: `--streams ${count}`,
    what: `repeating work dealt onto ${count} streams`,
    apply: ({ program, machine }) => ({ program: streams(program, { count }), machine }),
    notes: ({ program }) => {
      const found = dealable(program);
      if (found.length === 0) return ['no stream holds chunks that repeat, so nothing is dealt onto further streams'];
      const text = found.map(({ stream, repetitions }) => `${repetitions} chunks of "${stream}"`).join(', ');
      return [`taken for granted: ${text} do not need what each other makes`];
    },
  };
}

/** Page-locked memory for what copies to and from the host use. */
export function pinnedChange(): Change {
  return {
    name: '--pinned',
    what: 'host memory of copies page-locked',
    apply: ({ program, machine }) => ({ program: pinned(program), machine }),
    once: ({ program, machine }) => pinningTime(program, machine),
    notes: ({ program, machine }) => (pinningTime(program, machine) === 0 ? ['no copy is of pageable memory'] : []),
  };
}

/** Kernels that take another time; `text` is as the user gave it. */
export function scaleChange(kernel: string, factor: number): Change {
  return {
    name: `--scale ${kernel}=${factor}x`,
    what: `${kernel} takes ${factor} times as long`,
    apply: ({ program, machine }) => ({ program: scale(program, { kernel, factor }), machine }),
  };
}

/** Launches of kernels left out. */
export function removeChange(kernel: string): Change {
  return {
    name: `--remove ${kernel}`,
    what: `without ${kernel}`,
    apply: ({ program, machine }) => ({ program: remove(program, { kernel }), machine }),
  };
}

/** Two kernels that follow each other made one. */
export function fuseChange(first: string, second: string): Change {
  return {
    name: `--fuse ${first},${second}`,
    what: `${second} fused into ${first}`,
    apply: ({ program, machine }) => ({ program: fuse(program, { first, second }), machine }),
    notes: () => ['a fused kernel takes the time of both: what it need not store and load any more is not taken off'],
  };
}

/** The whole work on each of several devices. @throws ProgramError where it cannot be repeated */
export function devicesChange(count: number): Change {
  if (count < 1) throw new ProgramError('at least one device is needed', { offending: String(count), path: [] });
  return {
    name: `--devices ${count}`,
    what: `the same work on each of ${count} devices`,
    apply: ({ program, machine }) => ({
      program: devices(program, { count }),
      machine: withDevices(machine, count, machineByName),
    }),
    notes: () => [`every device does the whole work: ${count} times as much is done in the time after the change`],
  };
}
