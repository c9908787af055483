import { type Kernel, volume } from '@griddep/program';
import { residentBlocks } from '../deadlocks/residency.ts';
import { IN_QUEUES, type Need, type Node } from '../program/nodes.ts';
import type { Recorded } from '../program/recorded.ts';
import type { Step } from '../program/steps.ts';
import type { Holds } from './holds.ts';
import { layOut, type NodeHappenings, type Performed } from './layout.ts';
import { isBarrier } from './publication.ts';

/**
 * What must have happened before what, by the contract alone: every happening has conditions, all of which must be met,
 * and each is met by any one of some other happenings. Nothing that happens ever prevents anything else.
 */
export interface Conditions {
  readonly count: number;
  readonly happenings: readonly NodeHappenings[];
  readonly accesses: readonly Performed[];
  /** By happening, how many conditions it has. */
  readonly missing: Int32Array;
  /** By happening, the conditions that it meets. */
  readonly meets: readonly (readonly number[])[];
  /** By condition, whose it is. */
  readonly owner: readonly number[];
}

/** The conditions of a program's nodes. What only an H200 was seen to do (RULES.md section 11) is none. */
export function conditionsOf({ nodes, machine }: Pick<Recorded, 'nodes' | 'machine'>, holds: Holds): Conditions {
  const { happenings, accesses, count } = layOut(nodes);
  const missing = new Int32Array(count);
  const meets: number[][] = Array.from({ length: count }, () => []);
  const owner: number[] = [];
  const when = (happening: number, ...any: readonly number[]): void => {
    missing[happening] = (missing[happening] as number) + 1;
    for (const one of any) meets[one]?.push(owner.length);
    owner.push(happening);
  };
  const of = (node: number): NodeHappenings => happenings[node] as NodeHappenings;
  const signals = signalsOf(nodes);
  const meetings = meetingsOf(nodes);
  const lastGrid = new Map<string, number>();

  for (const node of nodes) {
    const own = of(node.id);
    const { roles } = node.code;
    const before = (r: number, s: number): number => (s === 0 ? own.begin : (own.steps[r]?.[s - 1] as number));
    const last = (r: number): number => own.steps[r]?.at(-1) ?? own.begin;
    for (const need of node.begin) if (!need.hardwareOnly) when(own.begin, reached(need, holds.late.has(node.id)));
    if (IN_QUEUES.has(node.kind)) {
      const queue = `${node.site.thread} ${node.device}`;
      const previous = lastGrid.get(queue);
      lastGrid.set(queue, node.id);
      if (previous !== undefined && holds.alone.has(node.id)) when(own.begin, of(previous).end);
    }
    roles.forEach(({ steps }, r) => {
      steps.forEach((step, s) => {
        const id = own.steps[r]?.[s] as number;
        when(id, before(r, s));
        stepConditions(node, step, r, s, id);
      });
    });
    when(own.over, own.begin);
    for (let r = 0; r < roles.length; r++) when(own.over, last(r));
    // Any thread's first trigger counts for its block (rule 1.3); without one, the exits do (rule 1.5).
    const triggers = roles.flatMap(({ steps }, r) => {
      const first = steps.findIndex((step) => step.do === 'trigger');
      const step = steps[first];
      return step?.do === 'trigger' && !step.someBlocks ? [own.steps[r]?.[first] as number] : [];
    });
    when(own.trigger, own.over, ...triggers, ...(node.triggerAtStart ? [own.begin] : []));
    when(own.end, own.over);
    for (const performed of own.performed.values()) when(own.end, performed);
  }
  return { count, happenings, accesses, missing, meets, owner };

  function reached({ node, at }: Need, late: boolean): number {
    const { begin, trigger, end } = of(node);
    return late || at === 'end' ? end : at === 'trigger' ? trigger : begin;
  }

  function stepConditions(node: Node, step: Step, r: number, s: number, id: number): void {
    const own = of(node.id);
    switch (step.do) {
      case 'access':
        when(own.performed.get(`${r} ${s}`) as number, id);
        return;
      case 'wait':
        for (const need of node.wait) if (!need.hardwareOnly) when(id, of(need.node).end);
        return;
      case 'signal': {
        const { near, far, what } = own.seen.get(`${r} ${s}`) as NonNullable<ReturnType<typeof own.seen.get>>;
        for (const [seen, published] of [
          [near, what.near],
          [far, what.far],
        ] as const) {
          when(seen, id);
          for (const { role, step: at } of published) when(seen, own.performed.get(`${role} ${at}`) as number);
        }
        return;
      }
      case 'await': {
        const enough = (signals.get(step.flag) ?? []).filter(({ value }) => value >= step.value);
        when(
          id,
          ...enough.map(({ node: from, key }) => {
            const seen = of(from.id).seen.get(key) as { near: number; far: number };
            const isNear = node.kind !== 'host' && from.kind !== 'host' && node.device === from.device;
            return isNear ? seen.near : seen.far;
          }),
        );
        return;
      }
      case 'meet': {
        const members = meetings.get(meetingKey(step)) ?? [];
        for (const rank of step.meeting.ranks) {
          const those = members.filter((member) => member.node.device === rank);
          when(id, ...those.map((member) => arrival(member.node, member.role, member.step)));
        }
        return;
      }
      case 'barrier':
      case 'gridBarrier':
        barrierConditions(node, step, r, s, id);
        return;
      default:
    }
  }

  function arrival(node: Node, r: number, s: number): number {
    return s === 0 ? of(node.id).begin : (of(node.id).steps[r]?.[s - 1] as number);
  }

  /** All roles that are not over come to the same barrier; all blocks of a grid, which must be resident, to a grid's. */
  function barrierConditions(node: Node, step: Step, r: number, s: number, id: number): void {
    const { roles } = node.code;
    const place = roles[r]?.steps.slice(0, s).filter(isBarrier).length as number;
    roles.forEach(({ steps }, other) => {
      if (other === r) return;
      const barriers = steps.flatMap((each, index) => (isBarrier(each) ? [index] : []));
      const index = barriers[place];
      if (index === undefined) when(id, of(node.id).steps[other]?.at(-1) ?? of(node.id).begin);
      else if (steps[index]?.do === step.do) when(id, arrival(node, other, index));
      else when(id);
    });
    if (step.do !== 'gridBarrier') return;
    if (holds.split.has(node.id) || isTooLarge(node, machine)) when(id);
  }
}

/** Whether not all blocks of a grid can be resident at once. */
function isTooLarge({ kernel, device }: Node, machine: Recorded['machine']): boolean {
  const most = kernel === undefined ? undefined : residentBlocks(kernel, machine, device);
  return most !== undefined && volume((kernel as Kernel).grid) > most && volume((kernel as Kernel).grid) > 1;
}

function signalsOf(nodes: readonly Node[]) {
  const found = new Map<string, { readonly node: Node; readonly key: string; readonly value: number }[]>();
  eachStep(nodes, (node, step, r, s) => {
    if (step.do !== 'signal') return;
    const known = found.get(step.flag) ?? [];
    found.set(step.flag, known);
    known.push({ node, key: `${r} ${s}`, value: step.value });
  });
  return found;
}

function meetingsOf(nodes: readonly Node[]) {
  const found = new Map<string, { readonly node: Node; readonly role: number; readonly step: number }[]>();
  eachStep(nodes, (node, step, role, index) => {
    if (step.do !== 'meet') return;
    const known = found.get(meetingKey(step)) ?? [];
    found.set(meetingKey(step), known);
    known.push({ node, role, step: index });
  });
  return found;
}

/** Members meet that name the same collective, in all that they say of it. */
function meetingKey({ meeting }: Extract<Step, { do: 'meet' }>): string {
  const { ranks: _, ...same } = meeting;
  return JSON.stringify(same);
}

function eachStep(nodes: readonly Node[], visit: (node: Node, step: Step, role: number, index: number) => void): void {
  for (const node of nodes) {
    node.code.roles.forEach(({ steps }, r) => {
      steps.forEach((step, s) => {
        visit(node, step, r, s);
      });
    });
  }
}
