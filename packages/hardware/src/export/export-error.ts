/** A program that cannot be written as CUDA C++, or not so that it runs as the program says. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}
