/** A trace that cannot be read. The message is complete: file, place, what is wrong. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
}
