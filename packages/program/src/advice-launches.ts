import { hasPhase, type Notes } from './advice-notes.ts';
import type { Call } from './calls.ts';
import type { Kernel } from './kernel.ts';
import type { Program } from './program.ts';

/** What follows one host thread's launches with programmatic stream serialisation, and the kernel before each. */
export class EarlyLaunches {
  private readonly program: Program;
  private readonly found: Notes;
  /** Streams that other threads use too: which kernel comes before is not known there. */
  private readonly shared: ReadonlySet<string>;
  /** The kernel that a launch would come directly after, by stream. */
  private readonly last = new Map<string, Kernel>();
  private readonly triggered = new Set<string>();

  constructor(program: Program, thread: string, found: Notes) {
    this.program = program;
    this.found = found;
    const others = program.threads.filter(({ name }) => name !== thread);
    this.shared = new Set(others.flatMap(({ calls }) => streamsOf(calls)));
  }

  next(call: Call, place: () => string): void {
    if (!('stream' in call) || OBSERVING.has(call.kind)) return;
    const { stream } = call;
    // An event without timing leaves the two kernels next to each other (RULES.md section 11, rule 1.15).
    if (call.kind === 'eventRecord' && this.program.events.get(call.event)?.timing === false) return;
    if (call.kind !== 'launchKernel') {
      this.last.delete(stream);
      return;
    }
    const kernel = this.program.kernels.get(call.kernel);
    const before = this.last.get(stream);
    const { programmaticStreamSerialization, programmaticEvent } = call.attributes;
    if (kernel === undefined) return;
    if (programmaticStreamSerialization === true && before !== undefined && !this.shared.has(stream)) {
      earlyLaunchProblems(before, kernel, this.triggered.has(stream), this.found, place());
    }
    this.last.set(stream, kernel);
    if (programmaticEvent?.triggerAtBlockStart === true) this.triggered.add(stream);
    else this.triggered.delete(stream);
  }
}

/**
 * Notes what is missing in a kernel that may start before the one before it ends.
 * @param isTriggered by its launch, whatever its body does (rule 3.1)
 */
export function earlyLaunchProblems(
  before: Kernel,
  kernel: Kernel,
  isTriggered: boolean,
  found: Notes,
  place: string,
): void {
  const why = (body: Kernel['body']) => (body.kind === 'duration' ? ' (a body given by its duration has none)' : '');
  if (hasPhase(kernel, 'wait') === false) {
    found.add(
      '1.12',
      place,
      `kernel "${kernel.name}" may start before "${before.name}" ends and has no wait${why(kernel.body)}: nothing orders what it reads after what "${before.name}" writes`,
    );
  }
  if (!isTriggered && hasPhase(before, 'trigger') === false) {
    found.add(
      '1.5',
      place,
      `kernel "${kernel.name}" may start before "${before.name}" completes, but "${before.name}" has no trigger${why(before.body)}: it starts only once the blocks of "${before.name}" have ended`,
    );
  }
}

const OBSERVING: ReadonlySet<Call['kind']> = new Set(['streamSynchronize', 'streamQuery']);

function streamsOf(calls: Program['threads'][number]['calls']): string[] {
  return Array.from({ length: calls.distinct }, (_, shape) => calls.distinctCall(shape)).flatMap((call) =>
    'stream' in call ? [call.stream] : [],
  );
}
