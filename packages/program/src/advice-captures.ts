import type { Notes } from './advice-notes.ts';
import type { Call, CallKind } from './calls.ts';
import type { Program } from './program.ts';

/** Calls that put work into a stream. */
const WORK: ReadonlySet<CallKind> = new Set([
  'launchKernel',
  'memcpy',
  'memset',
  'launchHostFunc',
  'graphLaunch',
  'collective',
  'mallocAsync',
  'freeAsync',
]);

/** Captures of one host thread: those that never end, and work that passes them by (rule 5.22). */
export class CaptureAdvice {
  private readonly program: Program;
  private readonly found: Notes;
  /** Where each capture began, by its stream. */
  private readonly open = new Map<string, string>();

  constructor(program: Program, found: Notes) {
    this.program = program;
    this.found = found;
  }

  /** The next call of the thread. */
  next(call: Call, place: () => string): void {
    if (call.kind === 'streamBeginCapture') this.open.set(call.stream, place());
    else if (call.kind === 'streamEndCapture') this.open.delete(call.stream);
    else if (this.open.size > 0 && 'stream' in call && WORK.has(call.kind)) this.look(call.stream, place);
  }

  /** The thread makes no more calls. */
  end(): void {
    for (const [stream, place] of this.open) {
      this.found.add('', place, `the capture of stream "${stream}" never ends: what it recorded does not run`);
    }
  }

  /** A blocking capture returns an error for it; beside a non-blocking one it runs, and nothing says so. */
  private look(name: string, place: () => string): void {
    const { streams } = this.program;
    const legacy = streams.get(name);
    if (legacy?.kind !== 'legacy') return;
    const there = [...this.open.keys()].map((open) => streams.get(open)).filter((s) => s?.device === legacy.device);
    if (there.length === 0 || there.some((stream) => stream?.kind !== 'nonBlocking')) return;
    this.found.add(
      '5.22',
      place(),
      `work in the legacy stream "${name}" while stream "${there[0]?.name}", a non-blocking one, captures: it runs at once and is not captured`,
    );
  }
}
