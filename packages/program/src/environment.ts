import type { Notes } from './advice-notes.ts';
import type { Call } from './calls.ts';
import type { HostThread, Program } from './program.ts';

/** Number of hardware queues, read when the context is made (rule 5.11). */
const CONNECTIONS = 'CUDA_DEVICE_MAX_CONNECTIONS';
const MOST_CONNECTIONS = 32;

/**
 * The number of hardware queues that a program asks for before its context is made, which its first host thread does
 * with its first CUDA call; undefined if it asks for none, or for no number from 1 to 32 (rule 5.11).
 */
export function connectionsAtStart({ threads }: Program): number | undefined {
  let connections: number | undefined;
  for (const call of beforeContext(threads[0])) {
    if (call.kind === 'hostSetenv' && call.name === CONNECTIONS) connections = connectionsOf(call.value);
  }
  return connections;
}

/** Notes variables that are set to no effect: too late, to what is no value, or read by nobody. */
export class EnvironmentAdvice {
  private readonly found: Notes;
  private inTime: boolean;

  constructor(program: Program, thread: HostThread, found: Notes) {
    this.found = found;
    this.inTime = thread === program.threads[0];
  }

  next(call: Call, place: () => string): void {
    this.inTime &&= isOfHost(call);
    if (call.kind !== 'hostSetenv') return;
    const { name, value } = call;
    if (name !== CONNECTIONS) {
      this.found.add('', place(), `variable ${name} is set, which nothing here reads`);
    } else if (!this.inTime) {
      this.found.add(
        '5.11',
        place(),
        `${name} is set after the context is made, which has read it: the number of queues stays as it was`,
      );
    } else if (connectionsOf(value) === undefined) {
      this.found.add('5.11', place(), `${name} is set to "${value}", which is no number from 1 to ${MOST_CONNECTIONS}`);
    }
  }
}

function* beforeContext(thread: HostThread | undefined): Generator<Call> {
  for (let i = 0; thread !== undefined && i < thread.calls.length; i++) {
    const call = thread.calls.at(i);
    if (!isOfHost(call)) return;
    yield call;
  }
}

/** What a host thread does without CUDA. */
function isOfHost({ kind }: Call): boolean {
  return kind.startsWith('host') || kind === 'rangePush' || kind === 'rangePop';
}

function connectionsOf(value: string): number | undefined {
  const number = Number(value);
  return /^\d+$/.test(value) && number >= 1 && number <= MOST_CONNECTIONS ? number : undefined;
}
