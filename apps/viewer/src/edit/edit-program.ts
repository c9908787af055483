import { scaledKernel, spreadStreams, withAttribute, withTriggerAt } from '@griddep/insight/changes';
import type { Program } from '@griddep/program';

/** What to change of a program; what is absent stays as it is. */
export interface Edit {
  /** The kernel that the next three are about. */
  readonly kernel?: string;
  /** Its duration or, where it has phases, every phase's, times this. */
  readonly work?: number;
  /** Whether its launches allow programmatic dependent launch (programmaticStreamSerialization). */
  readonly programmatic?: boolean;
  /** Where its blocks trigger: before phase `trigger`, counted without triggers; or never. */
  readonly trigger?: number | 'never';
  /** Streams of each device: calls of surplus streams go to the others, launches are dealt in turn onto new ones. */
  readonly streams?: number;
}

/** The program with the edit made in it; whether its numbers make sense shows when it is read again. */
export function editProgram(program: Program, { kernel = '', work, programmatic, trigger, streams }: Edit): Program {
  let edited = program;
  const own = program.kernels.get(kernel);
  if (own !== undefined && work !== undefined && work !== 1)
    edited = { ...edited, kernels: new Map([...edited.kernels, [kernel, scaledKernel(own, work)]]) };
  if (trigger !== undefined)
    edited = withTriggerAt(edited, kernel, trigger === 'never' ? undefined : { phase: trigger, share: 0 });
  if (programmatic !== undefined) edited = withAttribute(edited, kernel, programmatic);
  return streams === undefined ? edited : spreadStreams(edited, streams);
}

/** Whether every launch of a kernel has the attribute, some have, or none. */
export function programmaticLaunches({ threads, graphs }: Program, kernel: string): 'all' | 'some' | 'none' {
  const calls = [
    ...threads.flatMap((thread) => Array.from({ length: thread.calls.length }, (_, i) => thread.calls.at(i))),
    ...[...graphs.values()].flatMap(({ nodes }) => nodes.map(({ call }) => call)),
  ];
  const launches = calls.flatMap((call) => (call.kind === 'launchKernel' && call.kernel === kernel ? [call] : []));
  const count = launches.filter(({ attributes }) => attributes.programmaticStreamSerialization === true).length;
  return count === 0 ? 'none' : count === launches.length ? 'all' : 'some';
}
