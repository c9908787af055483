import { EXIT } from './exit-codes.ts';
import { fileError } from './input/input-error.ts';
import { reportError } from './report-error.ts';

/**
 * What ends the process from outside of a command. A reader that went away (`| head`) ends it quietly: what it has read
 * is all it wanted. Other failures to write, and errors that a user's module throws later, get one message.
 */
export function guardProcess(debug: boolean): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      const name = stream === process.stdout ? 'standard output' : 'standard error';
      process.exit(stream === process.stdout ? reportError(fileError(name, error), debug) : EXIT.input);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => process.exit(reportError(error, debug)));
  }
}

/** Ends the process once everything is written, also when a module of the user's left a timer or server running. */
export function finish(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => {
    process.stderr.write('', () => process.exit());
  });
}
