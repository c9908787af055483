/** A timeline file that cannot be read, or a timeline that cannot be written; the message says where. */
export class TimelineFileError extends Error {
  override readonly name = 'TimelineFileError';
}
