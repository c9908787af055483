/** Something that a sweep was given and cannot use. The message is complete. Errors in sweep files are ProgramErrors. */
export class SweepError extends Error {
  override readonly name = 'SweepError';
}
