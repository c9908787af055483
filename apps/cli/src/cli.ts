import { createRequire } from 'node:module';
import { CommanderError } from 'commander';
import { buildCommand } from './command-line.ts';
import { EXIT } from './exit-codes.ts';
import { reportError } from './report-error.ts';

/**
 * Runs the command with its arguments (without node and script), and returns its exit code. Results go to standard
 * output, messages and progress to standard error.
 */
export async function runCli(args: readonly string[]): Promise<number> {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  let code: number = EXIT.ok;
  const command = buildCommand(version, (result) => {
    code = result;
  });
  try {
    await command.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // Help and version end the parsing by throwing, too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.input;
    return reportError(error, command.opts().debug === true);
  }
}
