import { ProgramError } from './errors.ts';
import { checkSize, linePlace, parseSource, SIZE_LIMITS, type SizeLimits } from './parse-source.ts';
import type { Program } from './program.ts';
import { type DocumentOptions, programFromDocument } from './read-document.ts';
import type { Source } from './source.ts';

export interface ReadOptions extends DocumentOptions {
  /** Name for messages and for the places of calls; its ending decides between JSON and YAML. */
  readonly file: string;
  readonly sizeLimits?: SizeLimits | undefined;
  /** Further demands on the finished program, such as a machine's limits; a ProgramError it throws gets its place. */
  readonly check?: ((program: Program) => void) | undefined;
}

/**
 * Reads a program file, YAML or JSON, of schema griddep/program@1. Throws ProgramError, whose message begins with
 * `file:line:column`.
 */
export function readProgram(text: string, options: ReadOptions): Program {
  const source = parseSource(text.startsWith('\uFEFF') ? text.slice(1) : text, options.file, options.sizeLimits);
  try {
    const program = programFromDocument(source.value, options, (path, ordinal) => source.callPlace(path, ordinal));
    options.check?.(program);
    return program;
  } catch (error) {
    if (error instanceof ProgramError) throw locate(error, source, options.file);
    if (error instanceof RangeError) throw new ProgramError(`too large: ${error.message}`, { file: options.file });
    throw error;
  }
}

/** The same for the bytes of a file, which must be UTF-8. */
export function readProgramBytes(bytes: Uint8Array, options: ReadOptions): Program {
  const { file, sizeLimits = SIZE_LIMITS } = options;
  const json =
    /\.json$/i.test(file) || (bytes.subarray(0, 256).find((b) => b > 0x20) === 0x7b && !/\.ya?ml$/i.test(file));
  checkSize(bytes.length, json, file, sizeLimits);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const lenient = new TextDecoder('utf-8').decode(bytes);
    const place = linePlace(lenient, Math.max(0, lenient.indexOf('\uFFFD')));
    throw new ProgramError('the file is not UTF-8 text', { file, ...place });
  }
  return readProgram(text, options);
}

function locate(error: ProgramError, source: Source, file: string): ProgramError {
  if (error.line > 0) return error;
  const { line, column, text } = source.locate(error.path, error.atKey);
  return error.located(file, line, column, error.offending === '' ? text : error.offending);
}

/** In browsers and Node alike; the compiler knows no DOM here. */
declare const TextDecoder: new (label: string, options?: { fatal?: boolean }) => { decode(bytes: Uint8Array): string };
