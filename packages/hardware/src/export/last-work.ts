import type { Call, Program } from '@griddep/program';
import { Captures } from './captures.ts';

/** Bytes of what stands for the last work of the repetition before. */
const LAST_BYTES = 4096;
/** Calls that give a stream's work to an engine. */
export const WORK: ReadonlySet<Call['kind']> = new Set(['launchKernel', 'memcpy', 'memset', 'launchHostFunc']);

/** The small copy or memset that stands for the last work of each stream. */
export function lastWork(source: Program): Map<string, Call> {
  const last = new Map<string, Call>();
  for (const { calls } of source.threads) {
    const captures = new Captures();
    for (let i = 0; i < calls.length; i++) {
      const call = calls.at(i);
      if (captures.follow(call) || !WORK.has(call.kind) || !('stream' in call)) continue;
      last.set(call.stream, call);
    }
  }
  for (const [stream, call] of last) {
    const memset: Call = { kind: 'memset', bytes: LAST_BYTES as never, stream, async: true };
    const copies = call.kind === 'memcpy' && call.async && call.copy !== 'deviceToDevice' && call.copy !== 'peer';
    last.set(stream, copies && call.hostMemory === 'pinned' ? small(call) : memset);
  }
  return last;
}

function small(call: Call & { readonly kind: 'memcpy' }): Call {
  const { source: _, destination: __, ...rest } = call;
  return { ...rest, bytes: Math.min(LAST_BYTES, call.bytes) as typeof call.bytes };
}
