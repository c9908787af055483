import { EXIT } from './exit-codes.ts';
import { fileError, InputError } from './input/input-error.ts';
import { reportError } from './report-error.ts';

/** While a module of the user's runs, `process.exit` is another. */
const exit = process.exit.bind(process);

/**
 * What ends the process from outside of a command. A reader that went away (`| head`) ends it quietly: what it has read
 * is all it wanted. Other failures to write, and errors that a user's module throws later, get one message.
 */
export function guardProcess(debug: boolean): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') exit();
      const name = stream === process.stdout ? 'standard output' : 'standard error';
      exit(stream === process.stdout ? reportError(fileError(name, error), debug) : EXIT.input);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => exit(reportError(error, debug)));
  }
  // Commands end the process themselves: when nothing is left to do before one has, it awaits what never comes.
  process.once('beforeExit', () => {
    exit(reportError(new InputError('the input never completes: its module awaits what never settles'), debug));
  });
}

/** Ends the process once everything is written, also when a module of the user's left a timer or server running. */
export function finish(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => {
    process.stderr.write('', () => exit());
  });
}
