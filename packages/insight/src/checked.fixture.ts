import { machineByName } from '@griddep/machine';
import {
  type HostThreadBuilder,
  load,
  type PhaseInput,
  type ProgramBuilder,
  programBuilder,
  store,
} from '@griddep/program';
import { type CheckOptions, checkHazards } from './check.ts';
import { explore } from './explore/explore.ts';
import { disagreements } from './explore/shown.fixture.ts';
import type { Finding } from './finding.ts';

export const MACHINE = machineByName('h200x2');
export const PDL = { programmaticStreamSerialization: true };

/** Reads, and writes, all of a buffer of 64 KiB. */
export const R = (buffer: string): PhaseInput => load('64KiB', buffer);
export const W = (buffer: string): PhaseInput => store('64KiB', buffer);

export interface Setup {
  readonly p: ProgramBuilder;
  readonly host: HostThreadBuilder;
  /** Declares a kernel of 16 blocks. */
  kernel(name: string, ...phases: PhaseInput[]): void;
}

/**
 * All that is found, and by the contract the same as schedules show, in a program of two devices with streams `s`, `t`, `u` (device 0) and `far` (device 1), events `e`,
 * `f` (device 0) and `g` (device 1), device buffers `a` to `d` and `y` (device 1), and pinned `h`, pageable `pageable`.
 */
export function check(make: (setup: Setup) => void, options: CheckOptions = {}): readonly Finding[] {
  const p = programBuilder('checked');
  for (const name of ['s', 't', 'u']) p.stream(name, { kind: 'nonBlocking' });
  p.stream('far', { kind: 'nonBlocking', device: 1 });
  for (const name of ['e', 'f']) p.event(name, { timing: false });
  p.event('g', { timing: false, device: 1 });
  for (const name of ['a', 'b', 'c', 'd']) p.buffer(name, { bytes: '64KiB' });
  p.buffer('y', { bytes: '64KiB', device: 1 });
  p.buffer('h', { bytes: '64KiB', space: 'host', hostMemory: 'pinned' });
  p.buffer('pageable', { bytes: '64KiB', space: 'host' });
  const kernel = (name: string, ...phases: PhaseInput[]): void => {
    p.kernel(name, { grid: 16, block: 256, phases });
  };
  make({ p, host: p.hostThread('main'), kernel });
  const program = p.build();
  const { findings } = checkHazards(program, MACHINE, options);
  if ((options.assume ?? 'contract') === 'contract') {
    const unlike = disagreements(findings, explore(program, MACHINE, { shrink: 0, random: 3 }));
    if (unlike.length > 0) throw new Error(`what schedules show is not what is reported: ${unlike.join('; ')}`);
  }
  return findings;
}

/** What is more than lint, as `verdict kind buffer`, in alphabetical order. */
export function unsafe(make: (setup: Setup) => void, options: CheckOptions = {}): string[] {
  return check(make, options)
    .filter(({ verdict }) => verdict !== 'lint')
    .map(({ verdict, kind, accesses }) => [verdict, kind, ...accesses.slice(1).map((a) => a.buffer)].join(' '))
    .sort();
}
