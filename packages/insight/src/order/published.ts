import type { Node } from '../program/nodes.ts';
import type { Chains } from './chains.ts';
import { onHardware } from './contribution.ts';
import type { OpenGroup } from './group.ts';
import type { NodeRun, RoleRun } from './node-run.ts';
import type { Judged, Progress } from './progress.ts';
import { joinReadings, NOTHING, type Readings, withEpochs } from './readings.ts';

/** What a wait instruction lets know: its prerequisites in full (rule 1.8), or by the strict reading up to their triggers. */
export function waitReadings(node: Node, progress: readonly Progress[], judged: Judged): Readings {
  let known = NOTHING;
  for (const { node: prerequisite } of node.wait) {
    const { end = NOTHING, beforeTrigger } = progress[prerequisite] as Progress;
    const isPartial = judged === 'strict' && beforeTrigger !== undefined;
    known = joinReadings(known, isPartial ? joinReadings(beforeTrigger, onHardware(end)) : end);
  }
  return known;
}

/**
 * What the begin of a dependent lets know: what its primary knew when it began, and what its wait let it know where all
 * blocks trigger after it; nothing of what the primary itself touched (rule 2.2), but where a fence and the block's
 * barrier stand between (rule 1.7), under the reading that counts these.
 *
 * @param role the role that triggered first, if any did
 */
export function triggerReadings(run: NodeRun, role: RoleRun | undefined, chains: Chains, judged: Judged): Readings {
  const { code } = run.node;
  let known = run.begin;
  if (judged === 'contract') {
    if (code.triggers === 0) known = run.roles.reduce((sum, each) => joinReadings(sum, each.known), known);
    else if (code.triggersAfterWait && run.waited !== undefined) known = joinReadings(known, run.waited);
  }
  if (role === undefined || code.triggers !== 1) return known;
  const fenced = run.groups.filter((group) => group.fenced !== 'none' && (group.isMet || code.isOneWarp));
  if (fenced.length === 0) return known;
  const epochs = publish(run, fenced, role.known, chains);
  const published = withEpochs(role.known, epochs).fenced;
  return { ...known, fenced: known.fenced.join(published) };
}

/**
 * What a signal of a role publishes: what fences of the scope stand after, or all from the host. Without a role: what
 * stands before all triggers of a kernel.
 */
export function publishedBefore(
  run: NodeRun,
  role: RoleRun | undefined,
  chains: Chains,
): { readonly device: Readings; readonly system: Readings } {
  const { node } = run;
  if (role === undefined) return beforeTriggers(run, chains);
  // A fence of system scope precedes what a stream writes.
  if (node.kind === 'host' || node.kind === 'value') return { device: role.known, system: role.known };
  const reach = (wide: boolean): Readings => {
    const groups = run.groups.filter(({ fenced, role: of, isMet }) => {
      return (of === role.index || isMet) && (wide ? fenced === 'system' : fenced !== 'none');
    });
    const isFenced = groups.length > 0 || hasFence(role, wide);
    return isFenced ? withEpochs(role.known, publish(run, groups, role.known, chains)) : NOTHING;
  };
  return { device: reach(false), system: reach(true) };
}

function beforeTriggers(run: NodeRun, chains: Chains): { readonly device: Readings; readonly system: Readings } {
  const { code } = run.node;
  const roles = run.roles.reduce((sum, role) => joinReadings(sum, role.known), run.begin);
  const isWhole = code.triggers === 0 && !run.node.triggerAtStart;
  const before = isWhole
    ? run.groups
    : run.groups.filter((group) => group.before === code.triggers && code.triggers > 0);
  const waited = code.triggersAfterWait && run.waited !== undefined ? run.waited : run.begin;
  const known = isWhole ? roles : joinReadings(run.begin, waited);
  const readings = withEpochs(known, publish(run, before, known, chains));
  return { device: readings, system: readings };
}

function publish({ node }: NodeRun, groups: readonly OpenGroup[], known: Readings, chains: Chains) {
  return groups.map(({ group }) => group.publish(chains, node.timeline, known.judged));
}

function hasFence({ steps, at }: RoleRun, wide: boolean): boolean {
  return steps.slice(0, at).some((step) => step.do === 'fence' && (!wide || step.scope === 'system'));
}
