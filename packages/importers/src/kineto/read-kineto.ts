import type { Trace } from '../trace.ts';
import { type KinetoOptions, KinetoReader } from './reader.ts';

export interface ReadKinetoOptions extends KinetoOptions {
  readonly onProgress?: (bytes: number, events: number) => void;
  /** Says what an error of the pieces' source means for the file, such as a gzip that is cut; undefined if nothing. */
  readonly brokenSource?: (error: unknown) => string | undefined;
}

/** Reads a whole trace from pieces. Throws TraceError, and what the source of the pieces throws. */
export async function readKineto(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadKinetoOptions,
): Promise<Trace> {
  const reader = new KinetoReader(options);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      reader.push(piece);
      bytes += piece.length;
      options.onProgress?.(bytes, reader.events);
    }
  } catch (error) {
    const why = options.brokenSource?.(error);
    if (why === undefined) throw error;
    reader.breakOff(why);
  }
  return reader.finish();
}
