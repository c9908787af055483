import type { Change, EarlyShares, Run } from '@griddep/insight/what-if';
import type { Program } from '@griddep/program';
import type { Scaling } from '../whatif-options.ts';
import { InputError } from './input-error.ts';
import { resolveMachine } from './machine.ts';
import { readBytes, shown } from './read-bytes.ts';

/** The changes that a user asked for. */
export interface ChangeOptions {
  readonly scale: readonly Scaling[];
  readonly remove: readonly string[];
  readonly fuse: readonly string[];
  readonly pinned?: boolean;
  readonly streams?: number;
  readonly pdl?: string;
  readonly ptx?: readonly string[];
  readonly preamble?: number;
  readonly graph?: boolean;
  readonly devices?: number;
  readonly machine?: string;
  readonly copyEngines?: number;
  readonly launchCost?: string;
}

/**
 * The changes in the order in which they are made. Each is tried on the program at once, so that what cannot be is told
 * before anything runs.
 *
 * @throws InputError, MachineError or PtxError
 */
export async function changesOf(options: ChangeOptions, start: Run): Promise<Change[]> {
  const make = await import('@griddep/insight/what-if');
  const { ProgramError } = await import('@griddep/program');
  if (options.pdl === undefined) {
    for (const option of ['ptx', 'preamble'] as const) {
      if (options[option] !== undefined) throw new InputError(`--${option} needs --pdl`);
    }
  }
  const changes: Change[] = [];
  let run = start;
  const add = (option: string, change: () => Change) => {
    try {
      const made = change();
      run = made.apply(run, 'usual');
      changes.push(made);
    } catch (error) {
      throw error instanceof ProgramError ? new InputError(`${option}: ${error.message}`) : error;
    }
  };
  for (const { kernel, factor } of options.scale) add(`--scale ${kernel}`, () => make.scaleChange(kernel, factor));
  for (const kernel of options.remove) add(`--remove ${kernel}`, () => make.removeChange(kernel));
  for (const pair of options.fuse) {
    const [first, second] = await pairOf(pair, run.program);
    add(`--fuse ${pair}`, () => make.fuseChange(first, second));
  }
  if (options.pinned === true) add('--pinned', () => make.pinnedChange());
  const { streams, pdl, devices, copyEngines, launchCost } = options;
  if (streams !== undefined) add(`--streams ${streams}`, () => make.streamsChange(streams));
  if (pdl !== undefined) {
    const fromPtx = await sharesOf(options.ptx ?? []);
    const kernels = pdl === 'all' ? 'all' : await kernelsOf(pdl, run.program);
    const preamble = options.preamble === undefined ? {} : { preamble: options.preamble };
    add(`--pdl ${pdl}`, () => make.pdlChange({ kernels, fromPtx, ...preamble }));
  }
  if (options.graph === true) add('--graph', () => make.graphChange());
  if (devices !== undefined) add(`--devices ${devices}`, () => make.devicesChange(devices));
  if (options.machine !== undefined) {
    const machine = await resolveMachine(options.machine);
    const from = run.machine;
    add(`--machine ${options.machine}`, () => make.machineChange(machine, from));
  }
  if (copyEngines !== undefined) add(`--copy-engines ${copyEngines}`, () => make.copyEnginesChange(copyEngines));
  if (launchCost !== undefined) {
    const time = await durationOf(launchCost, '--launch-cost');
    add('--launch-cost', () => make.launchCostChange(time, launchCost));
  }
  return changes;
}

/** A duration with its unit in ps. Throws InputError. */
export async function durationOf(text: string, option: string): Promise<number> {
  const { parseDuration, ProgramError } = await import('@griddep/program');
  try {
    return parseDuration(text);
  } catch (error) {
    throw error instanceof ProgramError ? new InputError(`${option} ${text}: ${error.message}`) : error;
  }
}

/** Names of kernels hold commas too, so a list is divided where both sides are kernels. */
async function pairOf(text: string, program: Program): Promise<[string, string]> {
  const commas = [...text.matchAll(/,/g)].map(({ index }) => index);
  const pairs = commas.map((at): [string, string] => [text.slice(0, at).trim(), text.slice(at + 1).trim()]);
  const known = await Promise.all(
    pairs.map(async (pair) => (await isKernel(pair[0], program)) && isKernel(pair[1], program)),
  );
  const pair = pairs[known.indexOf(true)] ?? pairs[0];
  if (pair === undefined) throw new InputError(`--fuse ${text}: expected two kernels with a comma between them`);
  return pair;
}

async function kernelsOf(text: string, program: Program): Promise<string[]> {
  return (await isKernel(text, program)) ? [text] : text.split(',').map((name) => name.trim());
}

async function isKernel(text: string, program: Program): Promise<boolean> {
  const { hasKernel } = await import('@griddep/insight/what-if');
  return hasKernel(program, text);
}

/** Where the kernels of PTX files wait and trigger. A kernel that does neither is not told of. */
async function sharesOf(files: readonly string[]): Promise<Map<string, EarlyShares>> {
  const shares = new Map<string, EarlyShares>();
  if (files.length === 0) return shares;
  const { kernelSkeleton, readModule } = await import('@griddep/ptx');
  for (const file of files) {
    const module = readModule(new TextDecoder().decode(await readBytes(file)), shown(file));
    for (const fn of module.functions.values()) {
      if (fn.kind !== 'entry' || fn.body === undefined) continue;
      const { beforeWait, beforeTrigger } = kernelSkeleton(fn, module);
      if (beforeWait === undefined && beforeTrigger === undefined) continue;
      shares.set(fn.name, { beforeWait: beforeWait ?? 0, beforeTrigger: beforeTrigger ?? 1 });
    }
  }
  if (shares.size === 0) throw new InputError(`--ptx ${files.join(',')}: no kernel waits or triggers`);
  return shares;
}
