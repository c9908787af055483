import { EXIT } from './exit-codes.ts';
import { fileError, isSystemError } from './input/input-error.ts';
import { warn } from './output/stdout.ts';

/** Errors whose message is for the user. By name, so that the packages that throw them need not be loaded to ask. */
const USER_ERRORS: ReadonlySet<string> = new Set([
  'InputError',
  'ProgramError',
  'MachineError',
  'TimelineFileError',
  'CaseFileError',
  'TraceError',
  'SimulationLimit',
  'SimulationLost',
  'PtxError',
  'SweepError',
  'ExportError',
  'UnobservableError',
]);

/**
 * Writes one message for an error that ended a command, and returns the exit code.
 * @param debug also shows the stack
 */
export function reportError(error: unknown, debug: boolean): number {
  const known = asUserError(error);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  if (known !== undefined) {
    warn(known.message);
    return EXIT.input;
  }
  const { message } = error instanceof Error ? error : new Error(String(error));
  const hint = debug ? '' : '; --debug shows where';
  warn(`${message || 'unknown error'} (this is a bug in griddep${hint})`);
  return EXIT.bug;
}

function asUserError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  if (USER_ERRORS.has(error.name)) return error;
  if (isSystemError(error)) return fileError(error.path ?? error.syscall ?? 'system', error);
  return undefined;
}
