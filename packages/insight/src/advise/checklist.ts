import { type Machine, resolveTiming } from '@griddep/machine';
import type { Kernel, Program } from '@griddep/program';
import type { Operation, Timeline } from '@griddep/timeline';
import { checkHazards } from '../check.ts';
import { type Dependence, dependence, meetsOthers, type PairGroup, phasesBeforeWait } from './pairs.ts';
import type { Trial } from './trial.ts';

export interface Answer {
  readonly question: string;
  readonly answer: 'yes' | 'no' | 'unknown';
  readonly because: string;
}

const US = 1_000_000;
const us = (ps: number): string => `${(ps / US).toFixed(2)} us`;

/** What stands for and against an early launch of a pair, from the program and the machine, and from the trial of it. */
export function checklist(
  program: Program,
  machine: Machine,
  group: PairGroup,
  isOnPath: boolean,
  trial: Trial | undefined,
): Answer[] {
  const secondary = program.kernels.get(group.secondary);
  const preamble = secondary === undefined ? undefined : phasesBeforeWait(secondary);
  const tried = trial?.program === undefined ? secondary : trial.program.kernels.get(group.secondary);
  const before = preamble ?? (tried === undefined ? undefined : phasesBeforeWait(tried));
  const launch = observed(trial?.timeline, group);
  const capability = Math.min(...machine.devices.map(({ computeCapability: [major] }) => major));
  const relation: Dependence = dependence(program, group);
  const tail = launch === undefined ? undefined : launch.primary.end - letGo(launch.primary);
  return [
    {
      question: 'Has the secondary work that does not depend on the primary?',
      ...(before === undefined
        ? { answer: 'unknown', because: `nothing tells what of ${group.secondary} may run before its wait` }
        : before.length === 0
          ? { answer: 'no', because: `${group.secondary} has nothing before its wait` }
          : { answer: 'yes', because: `${before.length} phases of ${group.secondary} stand before its wait` }),
    },
    {
      question: 'Has the primary a tail that something could overlap?',
      ...(tail === undefined
        ? { answer: 'unknown', because: 'no early launch was tried' }
        : tail > 0
          ? { answer: 'yes', because: `${us(tail)} from its trigger, or the exit that stands for it, to its end` }
          : { answer: 'no', because: `${group.primary} lets go only as its last block exits` }),
    },
    {
      question: 'Can the secondary wait before it reads what the primary writes?',
      ...(secondary?.body.kind === 'phases'
        ? { answer: 'yes', because: preamble === undefined ? 'a wait can be put in' : 'it waits' }
        : { answer: 'unknown', because: `of ${group.secondary} only a duration is known` }),
    },
    {
      question: 'Does the secondary directly follow the primary in one stream, and depend on it?',
      answer: relation === 'independent' ? 'no' : relation === 'dependent' ? 'yes' : 'unknown',
      because:
        relation === 'independent'
          ? 'by what they declare they have no bytes in common: two streams fit better'
          : relation === 'dependent'
            ? 'they have bytes in common that one writes'
            : 'same stream; what they touch is not declared',
    },
    {
      question: 'Is the device of compute capability 9.0 or later?',
      answer: capability >= 9 ? 'yes' : 'no',
      because: `${machine.name} has ${capability}.x`,
    },
    {
      question: 'Is the pair on the way that sets the end?',
      answer: isOnPath ? 'yes' : 'no',
      because: isOnPath ? 'the last end comes after it' : 'something else ends later, whatever becomes of it',
    },
    {
      question: 'Does it overlap when tried?',
      ...(launch === undefined
        ? { answer: 'unknown', because: 'no early launch was tried' }
        : launch.secondary.start < launch.primary.end
          ? { answer: 'yes', because: `by ${us(launch.primary.end - launch.secondary.start)}` }
          : {
              answer: 'no',
              because: `it begins ${us(launch.secondary.start - launch.primary.end)} after the primary's end`,
            }),
    },
    {
      question: 'Is the whole faster?',
      ...(trial === undefined
        ? { answer: 'unknown', because: 'no early launch was tried' }
        : {
            answer: trial.verdict === 'gain' ? 'yes' : 'no',
            because: `${us(trial.gain)} of ${us(trial.endToEnd + trial.gain)}`,
          }),
    },
  ];
}

/** The four questions that a profile of the early launch answers. */
export function profile(group: PairGroup, base: Timeline, trial: Trial | undefined): Answer[] {
  const launch = observed(trial?.timeline, group);
  if (launch === undefined) return [];
  const { primary, secondary } = launch;
  const release = secondary.lastRelease;
  const before = observed(base, group);
  const contention = (['primary', 'secondary'] as const).flatMap((which) =>
    launch[which].slowdown.flatMap(({ resource, factor }) => {
      const was = before?.[which].slowdown.find((each) => each.resource === resource)?.factor ?? 1;
      return factor > was * 1.02
        ? [`${which} ${factor.toFixed(2)} times slower by ${resource} (before ${was.toFixed(2)})`]
        : [];
    }),
  );
  const held = Number.isNaN(release) ? 0 : release - secondary.start;
  const early = primary.end - secondary.start;
  const tail = primary.end - letGo(primary);
  return [
    {
      question: 'Did the preamble run early?',
      answer: early > 0 ? 'yes' : 'no',
      because:
        early > 0 ? `it began ${us(early)} before the primary's end` : `it began ${us(-early)} after the primary's end`,
    },
    {
      question: 'Did the wait wait long?',
      answer: held > early && early > 0 ? 'yes' : 'no',
      because: Number.isNaN(release) ? 'it has no wait' : `its last wait returned ${us(held)} after it began`,
    },
    {
      question: 'Was the tail of the primary long enough?',
      answer: early > 0 ? 'yes' : 'no',
      because: `${us(tail)} from the primary's last trigger to its end`,
    },
    {
      question: 'Did the two contend for anything?',
      answer: contention.length > 0 ? 'yes' : 'no',
      because: contention.length > 0 ? contention.join('; ') : 'neither was slower than without',
    },
  ];
}

/** Reasons that speak against it, of those that are known to. */
export function unfit(
  program: Program,
  machine: Machine,
  group: PairGroup,
  base: Timeline,
  trial: Trial | undefined,
): string[] {
  const [primary, secondary] = kernelsOf(program, group);
  const reasons: string[] = [];
  const [device] = machine.devices;
  if (device === undefined) return reasons;
  if (device.computeCapability[0] < 9) reasons.push('the device has no programmatic dependent launch');
  const after = trial?.program?.kernels.get(group.secondary) ?? secondary;
  if (after !== undefined && phasesBeforeWait(after)?.length === 0)
    reasons.push('the secondary needs the primary from its first instruction on: only the launch itself can be hidden');
  const latency = resolveTiming(device.timing, device.name).programmaticLaunch;
  const alone = observed(base, group)?.primary;
  if (alone !== undefined && alone.end - alone.start < latency)
    reasons.push(`the primary takes ${us(alone.end - alone.start)}, less than an early launch does (${us(latency)})`);
  const launch = observed(trial?.timeline, group);
  const room = launch?.secondary.waits.find(
    ({ kind }) => kind === 'resources' || kind === 'carveOut' || kind === 'priority',
  );
  if (room !== undefined)
    reasons.push(`no room beside the primary: ${room.detail ?? room.kind}, for ${us(room.until - room.from)}`);
  const unstarted = launch !== undefined && launch.primary.lastStart - launch.primary.start > latency;
  if (unstarted)
    reasons.push('the primary has several waves: it cannot let go before its last block has begun (rule 1.4)');
  if (launch !== undefined && launch.secondary.cause.kind === 'host')
    reasons.push('the host launches too late: the primary has ended, or all but, before the secondary is enqueued');
  if (dependence(program, group) === 'independent')
    reasons.push('the two do not depend on each other: different streams let all of the secondary overlap');
  if ([primary, secondary].some((kernel) => kernel !== undefined && meetsOthers(kernel)))
    reasons.push('it meets other kernels or devices in memory, whose timing an overlap changes');
  if (trial?.program !== undefined) {
    const found = checkHazards(trial.program, machine).findings.filter(({ verdict }) => verdict === 'race');
    const was = checkHazards(program, machine).findings.filter(({ verdict }) => verdict === 'race').length;
    if (found.length > was) reasons.push(`unsafe: ${found[0]?.text ?? 'a race'}`);
  }
  return reasons;
}

/** The launch of a pair that overlaps most, or the first. */
function observed(
  timeline: Timeline | undefined,
  group: PairGroup,
): { primary: Operation; secondary: Operation } | undefined {
  if (timeline === undefined) return undefined;
  const last = new Map<string, Operation>();
  let found: { primary: Operation; secondary: Operation } | undefined;
  for (const operation of timeline.operations) {
    if (operation.kind !== 'kernel') continue;
    const key = `${operation.device} ${operation.stream}`;
    const primary = last.get(key);
    last.set(key, operation);
    if (primary?.name !== group.primary || operation.name !== group.secondary) continue;
    const overlap = primary.end - operation.start;
    if (found === undefined || overlap > found.primary.end - found.secondary.start)
      found = { primary, secondary: operation };
  }
  return found;
}

function letGo({ lastTrigger, end }: Operation): number {
  return Number.isNaN(lastTrigger) ? end : Math.min(lastTrigger, end);
}

function kernelsOf({ kernels }: Program, { primary, secondary }: PairGroup): [Kernel | undefined, Kernel | undefined] {
  return [kernels.get(primary), kernels.get(secondary)];
}
