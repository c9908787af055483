import { CaptureAdvice } from './advice-captures.ts';
import { CollectiveAdvice } from './advice-collectives.ts';
import { GraphAdvice } from './advice-graphs.ts';
import { EarlyLaunches } from './advice-launches.ts';
import { gridBarrierProblem, type Notes, notes, type ProgramWarning } from './advice-notes.ts';
import { PeerTransfers } from './advice-peers.ts';
import type { CallTable } from './call-table.ts';
import type { Call } from './calls.ts';
import { EnvironmentAdvice } from './environment.ts';
import type { Body } from './kernel.ts';
import type { HostThread, Program } from './program.ts';

/**
 * What a program does that CUDA allows but that is rarely meant: waits that do nothing, early launches that nothing
 * orders or that are not early, asynchronous copies that are not asynchronous. Looks at the calls in the order in which
 * each host thread makes them; takes time in proportion to their number. Alike ones are one, at the first place.
 */
export function programWarnings(program: Program): ProgramWarning[] {
  const found = notes();
  for (const { name, body } of program.kernels.values()) {
    const short = shortestWait(body);
    if (short < CYCLE) {
      found.add(
        '',
        `kernels.${name}`,
        `kernel "${name}" waits ${short} ps, less than a clock cycle: a duration without a unit is in picoseconds`,
      );
    }
    if (body.kind !== 'duration' || body.observer === 'blocks') continue;
    found.add(
      '',
      `kernels.${name}`,
      `the duration of kernel "${name}" is what ${OBSERVERS[body.observer]} saw, which is longer than its blocks took; it is simulated as the time of the blocks`,
    );
  }
  new GraphAdvice(program, found).look();
  const recorders = recordersOf(program);
  const collectives = new CollectiveAdvice(program, found);
  program.threads.forEach((thread, index) => {
    const isRecordedElsewhere = (event: string) => recorders.get(event)?.some((other) => other !== index) === true;
    threadWarnings(program, thread, isRecordedElsewhere, collectives, found);
  });
  return found.list();
}

/** A warning as one line. */
export function warningText({ rule, place, message }: ProgramWarning): string {
  return `${place}: ${message}${rule === '' ? '' : ` (rule ${rule})`}`;
}

/** Of a fast GPU, ps. */
const CYCLE = 300;

/** The shortest duration above zero that a body states, ps; Infinity if it states none. */
function shortestWait(body: Body): number {
  const stated =
    body.kind === 'phases'
      ? body.roles.flatMap(({ phases }) => phases.map((p) => (p.op === 'spin' || p.op === 'ramp' ? p.duration : 0)))
      : [body.kind === 'duration' ? body.duration : 0];
  return Math.min(...stated.filter((duration) => duration > 0), Number.POSITIVE_INFINITY);
}

const OBSERVERS = { profiler: 'the profiler', events: 'events around it' } as const;
const GRAPH = -1;

function threadWarnings(
  program: Program,
  thread: HostThread,
  isRecordedElsewhere: (event: string) => boolean,
  collectives: CollectiveAdvice,
  found: Notes,
): void {
  const { name, calls } = thread;
  const recorded = new Set<string>();
  const transfers = new PeerTransfers(program, thread, found);
  const environment = new EnvironmentAdvice(program, thread, found);
  const launches = new EarlyLaunches(program, name, found);
  const captures = new CaptureAdvice(program, found);
  for (let i = 0; i < calls.length; i++) {
    const call = calls.at(i);
    const place = () => placeOf(calls, i, name);
    launches.next(call, place);
    captures.next(call, place);
    collectives.next(call, place);
    transfers.next(call, place);
    environment.next(call, place);
    switch (call.kind) {
      case 'launchKernel': {
        const problem = gridBarrierProblem(program, call);
        if (problem !== undefined) found.add('5.14', place(), problem);
        for (const event of eventsOf(call)) recorded.add(event);
        break;
      }
      case 'eventRecord':
        recorded.add(call.event);
        break;
      case 'streamWaitEvent':
        if (recorded.has(call.event) || isRecordedElsewhere(call.event)) break;
        found.add(
          '5.5',
          place(),
          `stream "${call.stream}" waits for event "${call.event}", which is not recorded yet: legal, and waits for nothing`,
        );
        break;
      case 'memcpy':
        if (!call.async || call.hostMemory === 'pinned' || !HOST_SIDED.has(call.copy)) break;
        found.add(
          '6.4',
          place(),
          `an asynchronous ${call.copy} copy of pageable memory may hold the host until it is staged; give its host buffer, or the call, hostMemory: pinned`,
        );
        break;
    }
  }
  captures.end();
}

const HOST_SIDED: ReadonlySet<string> = new Set(['hostToDevice', 'deviceToHost']);

/** Events that a launch records. */
function eventsOf({ attributes }: Extract<Call, { kind: 'launchKernel' }>): string[] {
  const { programmaticEvent, launchCompletionEvent } = attributes;
  return [programmaticEvent?.event, launchCompletionEvent?.event].filter((event) => event !== undefined);
}

/** Which host threads (or graphs) record each event; what happens between threads is not followed. */
function recordersOf({ threads, graphs }: Program): Map<string, number[]> {
  const recorders = new Map<string, number[]>();
  const note = (call: Call, index: number) => {
    const events = call.kind === 'launchKernel' ? eventsOf(call) : call.kind === 'eventRecord' ? [call.event] : [];
    for (const event of events) recorders.set(event, [...(recorders.get(event) ?? []), index]);
  };
  threads.forEach(({ calls }, index) => {
    for (let shape = 0; shape < calls.distinct; shape++) note(calls.distinctCall(shape), index);
  });
  for (const { nodes } of graphs.values()) for (const { call } of nodes) note(call, GRAPH);
  return recorders;
}

function placeOf(calls: CallTable, index: number, thread: string): string {
  const origin = calls.origin(index);
  if (origin !== undefined) return `${origin.file || '<text>'}:${origin.line}:${origin.column}`;
  const label = calls.label(index);
  return `call ${index}${label === undefined ? '' : ` ("${label}")`} of host thread "${thread}"`;
}
