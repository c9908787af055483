import type { Finding, Place, Verdict } from '../finding.ts';
import { Execution } from '../order/execution.ts';
import type { NodeRun, RoleRun } from '../order/node-run.ts';
import { type Places, placeText } from '../places.ts';
import type { Recorded } from '../program/recorded.ts';
import type { Step } from '../program/steps.ts';
import { Awaited } from './awaited.ts';
import { keyOf, mismatches } from './meetings.ts';
import { residencyFindings } from './residency.ts';
import { serialised } from './serialised.ts';

/**
 * What never ends whatever happens, and what does not where nothing overlaps that need not: early launches do not come
 * early (rule 1.2), and grids of one device run in the order of their calls (rule 5.11), since concurrency is never
 * promised.
 */
export function deadlockFindings(recorded: Recorded, execution: Execution, places: Places): Finding[] {
  const stuck = stuckIn(execution);
  const whom = new Awaited(recorded.nodes);
  const certain = stuck.map((each) => finding(each, 'deadlock', whom, execution, places));
  const ofHost = recorded.stuck.map(({ site, flag }): Finding => {
    const place = places.call(site);
    return {
      ...{ kind: 'unsignalled-flag', verdict: 'deadlock', rules: [], accesses: [], places: [place], count: 1 },
      hiddenByHardware: false,
      change: `signal flag "${flag}" before the call can be reached`,
      text: `"${place.name}" at ${placeText(place)} waits for flag "${flag}" for ever: no call that is reached raises it so far`,
    };
  });
  const known = new Set(stuck.map(({ run }) => run.node.id));
  const serial = new Execution(serialised(recorded.nodes), recorded.timelines, 'contract');
  serial.run();
  const possible = stuckIn(serial)
    .filter(({ run }) => !known.has(run.node.id))
    .map((each) => finding(each, 'possible deadlock', whom, serial, places));
  return merged([
    ...certain,
    ...ofHost,
    ...possible,
    ...mismatches(whom.meetings, places),
    ...residencyFindings(recorded, places),
  ]);
}

interface Stuck {
  readonly run: NodeRun;
  readonly step: Extract<Step, { do: 'await' | 'meet' | 'barrier' | 'gridBarrier' }>;
}

/** What waits for something that does not come, other than the end of what waits itself. */
function stuckIn(execution: Execution): Stuck[] {
  return [...execution.running.values()].flatMap((run) =>
    run.roles.flatMap((role) => {
      const step = waitsAt(role);
      return step === undefined ? [] : [{ run, step }];
    }),
  );
}

function waitsAt({ steps, at }: RoleRun): Stuck['step'] | undefined {
  const step = steps[at];
  return step?.do === 'await' || step?.do === 'meet' ? step : undefined;
}

function finding(
  { run: { node }, step }: Stuck,
  verdict: Verdict,
  whom: Awaited,
  execution: Execution,
  places: Places,
): Finding {
  const place = places.of(node);
  const plain = { verdict, accesses: [], hiddenByHardware: false, count: 1 };
  const who = `"${place.name}" at ${placeText(place)}`;
  const overlap = verdict === 'deadlock' ? '' : ' unless the two overlap, which nothing promises';
  if (step.do === 'meet') {
    const { group, sequence, ranks } = step.meeting;
    const others = (whom.meetings.get(keyOf(step.meeting)) ?? []).map((member) => member.node);
    const absent = ranks.filter((rank) => !others.some(({ device }) => device === rank));
    const late = others.filter((other) => other.id !== node.id && execution.progress[other.id]?.begin === undefined);
    const why =
      absent.length > 0
        ? `device ${absent.join(', ')} never calls it`
        : `${late.map((other) => `"${places.of(other).name}"`).join(', ') || 'a member'} cannot begin${overlap}`;
    return {
      ...plain,
      ...{ kind: 'collective-order', rules: ['5.11'], places: [place, ...late.map((other) => places.of(other))] },
      change:
        absent.length > 0
          ? `call the collective on every device of group "${group}"`
          : 'enqueue collectives in the same order on every device',
      text: `${who} waits for the other members of collective ${sequence + 1} of group "${group}": ${why}`,
    };
  }
  if (step.do !== 'await') throw new Error(`no wait: ${step.do}`);
  const signallers = whom.signallers(step.flag, step.value);
  const late = signallers.filter((other) => execution.progress[other.id]?.begin === undefined);
  const from: Place[] = (late.length > 0 ? late : signallers).slice(0, 3).map((other) => places.of(other));
  const isEarly = late.some((other) => other.wait.some((need) => need.node === node.id));
  const kind = signallers.length === 0 ? 'unsignalled-flag' : isEarly ? 'needs-overlap' : 'wait-cycle';
  const names = from.map(({ name }) => `"${name}"`).join(', ');
  return {
    ...plain,
    ...{ kind, rules: isEarly ? ['1.2'] : ['5.11'], places: [place, ...from] },
    ...(from[0] === undefined
      ? {}
      : { missingEdge: { from: from[0], to: place, text: `the signal of ${names} before ${who} needs it` } }),
    change:
      signallers.length === 0
        ? `raise flag "${step.flag}"`
        : `enqueue ${names} before "${place.name}", or let nothing wait for what comes later`,
    text:
      signallers.length === 0
        ? `${who} spins on flag "${step.flag}", which nothing raises to ${step.value}`
        : `${who} spins on flag "${step.flag}", which ${names} raises: that cannot ${late.length > 0 ? 'begin' : 'come so far'} before "${place.name}" ends${overlap}`,
  };
}

function merged(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  for (const each of findings) {
    const key = `${each.kind} ${each.places.map(placeText).join(' ')} ${each.text}`;
    const known = byPlace.get(key);
    byPlace.set(key, known === undefined ? each : { ...known, count: known.count + 1 });
  }
  return [...byPlace.values()];
}
