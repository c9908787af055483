import type { Need, Node } from '../program/nodes.ts';
import type { Step } from '../program/steps.ts';
import { Chains } from './chains.ts';
import { clockOf, hardwareOf } from './contribution.ts';
import { FlagBoard } from './flag-board.ts';
import { NodeRun, type RoleRun } from './node-run.ts';
import type { Happening, Judged, Progress } from './progress.ts';
import { publishedBefore, triggerReadings, waitReadings } from './published.ts';
import { joinReadings, NOTHING, type Readings, withEpochs } from './readings.ts';

/**
 * Lets the nodes of a program happen in an order that they allow, and computes what is known where: a node begins when
 * its needs are met, its roles go on until they wait for something, and it ends when they and its prerequisites have.
 * The order in which the nodes are taken decides nothing: only needs carry knowledge.
 */
export class Execution {
  readonly progress: Progress[];
  /** Nodes that have begun and not ended. */
  readonly running = new Map<number, NodeRun>();
  readonly flags: FlagBoard;
  private readonly nodes: readonly Node[];
  private readonly judged: Judged;
  private readonly onAccess: ((happening: Happening) => void) | undefined;
  private readonly chains: Chains;
  /** Needs that are not met yet, by node; of its end likewise. */
  private readonly missing: Int32Array;
  private readonly missingWaits: Int32Array;
  private readonly uses: Int32Array;
  private readonly dependents: { readonly node: number; readonly at: Need['at'] | 'wait' }[][];
  private readonly ready: number[] = [];
  private readonly later: NodeRun[] = [];
  private readonly awaiting = new Map<string, Set<number>>();
  private readonly meetings = new Map<string, Map<number, { readonly run: NodeRun; readonly role: RoleRun }>>();

  /** @param onAccess told of every access in an order that the program allows; without it nothing is known of orders */
  constructor(nodes: readonly Node[], timelines: number, judged: Judged, onAccess?: (happening: Happening) => void) {
    this.nodes = nodes;
    this.judged = judged;
    this.onAccess = onAccess;
    this.chains = new Chains(timelines);
    this.flags = new FlagBoard(nodes);
    this.progress = nodes.map(() => ({}));
    this.missing = new Int32Array(nodes.length);
    this.missingWaits = new Int32Array(nodes.length);
    this.uses = new Int32Array(nodes.length);
    this.dependents = nodes.map(() => []);
    for (const { id, begin, wait } of nodes) {
      this.missing[id] = begin.length;
      this.missingWaits[id] = wait.length;
      for (const { node, at } of begin) this.depends(node, id, at);
      for (const { node } of wait) this.depends(node, id, 'wait');
    }
  }

  run(): void {
    for (const { id, begin } of this.nodes) if (begin.length === 0) this.ready.push(id);
    for (let i = 0; i < this.ready.length; i++) {
      this.begin(this.ready[i] as number);
      for (let run = this.later.pop(); run !== undefined; run = this.later.pop()) {
        if (this.running.get(run.node.id) === run) this.advance(run);
      }
    }
  }

  private depends(on: number, node: number, at: Need['at'] | 'wait'): void {
    this.dependents[on]?.push({ node, at });
    this.uses[on] = (this.uses[on] as number) + 1;
  }

  private begin(id: number): void {
    const node = this.nodes[id] as Node;
    const progress = this.progress[id] as Progress;
    let known = NOTHING;
    if (this.onAccess !== undefined) {
      for (const need of node.begin) known = joinReadings(known, clockOf(need, this.progress[need.node] as Progress));
    }
    for (const need of node.begin) this.used(need.node);
    progress.begin = known;
    this.reached(id, 'start');
    const run = new NodeRun(node, known);
    this.running.set(id, run);
    if (node.triggerAtStart) this.triggered(run, known);
    this.advance(run);
  }

  /** Lets a node's roles go on as far as they can. */
  private advance(run: NodeRun): void {
    let moved = true;
    while (moved) {
      moved = false;
      for (const role of run.roles) while (this.step(run, role)) moved = true;
      if (this.meetAtBarrier(run)) moved = true;
    }
    if (run.isOver && this.progress[run.node.id]?.end === undefined) this.finish(run);
  }

  private meetAtBarrier(run: NodeRun): boolean {
    const open = run.roles.filter(({ at, steps }) => at < steps.length);
    const [first] = open;
    const at = first?.steps[first.at]?.do;
    if (first === undefined || (at !== 'barrier' && at !== 'gridBarrier')) return false;
    if (!open.every((role) => role.steps[role.at]?.do === at)) return false;
    const known = open.reduce((sum, role) => joinReadings(sum, role.known), first.known);
    run.meet(known);
    return true;
  }

  /** One step of a role; false if it has to wait. */
  private step(run: NodeRun, role: RoleRun): boolean {
    const step = role.steps[role.at];
    if (step === undefined || !this.perform(run, role, step)) return false;
    role.at += 1;
    return true;
  }

  private perform(run: NodeRun, role: RoleRun, step: Step): boolean {
    const { node } = run;
    switch (step.do) {
      case 'access': {
        this.onAccess?.({ access: step.access, node, known: role.known, group: run.groupOf(role) });
        return true;
      }
      case 'fence':
        run.fence(role, step.scope);
        return true;
      case 'trigger':
        this.trigger(run, role, step.someBlocks);
        return true;
      case 'wait':
        if ((this.missingWaits[node.id] as number) > 0) return false;
        run.waited ??= waitReadings(node, this.progress, this.judged);
        role.known = joinReadings(role.known, run.waited);
        return true;
      case 'signal': {
        const { device, system } = publishedBefore(run, role, this.chains);
        this.flags.raise(step.flag, { node: node.id, value: step.value, device, system });
        for (const id of this.awaiting.get(step.flag) ?? []) this.lookAgain(id);
        return true;
      }
      case 'await':
        if (this.flags.holds(step.flag, step.value)) {
          role.known = joinReadings(role.known, this.flags.seen(step.flag, step.value, node));
          return true;
        }
        this.awaiting.set(step.flag, (this.awaiting.get(step.flag) ?? new Set()).add(node.id));
        return false;
      case 'meet':
        return this.comeTogether(run, role, step);
      default:
        return false;
    }
  }

  /** What a node waited for may have come; it goes on once others are done. */
  private lookAgain(id: number): void {
    const run = this.running.get(id);
    if (run !== undefined) this.later.push(run);
  }

  private comeTogether(run: NodeRun, role: RoleRun, { meeting }: Extract<Step, { do: 'meet' }>): boolean {
    const key = `${meeting.group} ${meeting.sequence}`;
    const members = this.meetings.get(key) ?? new Map();
    this.meetings.set(key, members);
    members.set(run.node.device, { run, role });
    if (members.size < meeting.ranks.length) return false;
    let known = role.known;
    for (const member of members.values()) known = joinReadings(known, member.role.known);
    for (const member of members.values()) {
      member.role.known = known;
      if (member.run === run) continue;
      member.role.at += 1;
      this.lookAgain(member.run.node.id);
    }
    return true;
  }

  private trigger(run: NodeRun, role: RoleRun, someBlocks: boolean): void {
    if (role.hasTriggered) return;
    run.trigger(role);
    const isFirst = this.progress[run.node.id]?.trigger === undefined;
    if (isFirst && !someBlocks) this.triggered(run, triggerReadings(run, role, this.chains, this.judged));
  }

  private triggered({ node }: NodeRun, known: Readings): void {
    const progress = this.progress[node.id] as Progress;
    if (progress.trigger !== undefined) return;
    progress.trigger = known;
    this.reached(node.id, 'trigger');
  }

  /** The blocks have ended; the node has when its prerequisites have, too. */
  private finish(run: NodeRun): void {
    const { node, roles } = run;
    const progress = this.progress[node.id] as Progress;
    if (progress.trigger === undefined) this.triggered(run, triggerReadings(run, undefined, this.chains, this.judged));
    if ((this.missingWaits[node.id] as number) > 0) return;
    let known = roles.reduce((sum, role) => joinReadings(sum, role.known), run.begin);
    if (this.judged === 'strict') progress.beforeTrigger = publishedBefore(run, undefined, this.chains).device;
    const epochs = run.groups.map(({ group }) => group.publish(this.chains, node.timeline, known.judged));
    known = withEpochs(known, epochs);
    progress.end = hardwareOf(known, node.wait, this.progress);
    this.running.delete(node.id);
    for (const { node: prerequisite } of node.wait) this.used(prerequisite);
    this.reached(node.id, 'end');
    if (this.uses[node.id] === 0) this.forget(node.id);
  }

  private reached(id: number, at: Need['at']): void {
    const dependents = this.dependents[id] as (typeof this.dependents)[number];
    for (const dependent of dependents) {
      if (dependent.at === at) {
        const left = (this.missing[dependent.node] as number) - 1;
        this.missing[dependent.node] = left;
        if (left === 0) this.ready.push(dependent.node);
      } else if (at === 'end' && dependent.at === 'wait') {
        this.missingWaits[dependent.node] = (this.missingWaits[dependent.node] as number) - 1;
        if (this.running.has(dependent.node)) this.lookAgain(dependent.node);
      }
    }
  }

  private used(id: number): void {
    const left = (this.uses[id] as number) - 1;
    this.uses[id] = left;
    if (left === 0) this.forget(id);
  }

  /** Nobody asks for its clocks any more. */
  private forget(id: number): void {
    const progress = this.progress[id] as Progress;
    if (progress.end === undefined) return;
    progress.begin = NOTHING;
    progress.trigger = NOTHING;
    progress.end = NOTHING;
    delete progress.beforeTrigger;
  }
}
