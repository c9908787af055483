import { type Command, Option } from 'commander';
import { columns, fraction, roundCount, wholeNumber } from '../option-values.ts';
import type { CommandGroup } from './group.ts';
import { PROGRAM_INPUTS, withInput } from './with-input.ts';

const PROFILE = "constants that griddep calibrate wrote, in place of the machine's; of a machine with the same device";
const OTHER_DEVICE = 'take a --profile that was fitted to another device';
const CASES = 'files of measured cases, or folders of them (default: those that come with griddep)';

const EXPORT_NOTES = `${PROGRAM_INPUTS}

Build what it writes with nvcc (CUDA 12.4 or newer); what that runs is a file of measured cases, for validate and compare.
Several inputs make one file.`;

/** What real devices were measured to do, beside what is simulated. */
export const measurementCommands: CommandGroup = (add, work) => {
  add('validate', 'compare simulated with measured cases')
    .argument('[cases...]', CASES)
    .option('--machine <name|file>', 'the machine to simulate', 'h200')
    .option('--profile <file>', PROFILE)
    .option('--other-device', OTHER_DEVICE)
    .addOption(hostOption())
    .option('--filter <regex>', 'only cases whose name matches')
    .option(
      '--fail-above <percent>',
      'exit 1 when the median makespan error is larger, such as 5%, or cases are refused',
      fraction,
    )
    .option('--worst <n>', 'list the n worst cases', wholeNumber, 10)
    .option('--json', 'print one JSON object')
    .action(work(async () => (await import('../commands/validate.ts')).validate));
  withCases(add('trust', 'how far the simulation is off by family of measured cases, and what it does not model'))
    .option('--markdown', 'print the page that docs/trust.md is')
    .option('--json', 'print one JSON object')
    .action(work(async () => (await import('../commands/trust.ts')).trust));
  withCases(add('ablate', 'what the error over measured cases becomes without each mechanism'))
    .option('--markdown', 'print the page that docs/ablation.md is')
    .option('--json', 'print one JSON object')
    .action(work(async () => (await import('../commands/ablate.ts')).ablate));
  add('calibrate', 'fit the constants of a device to measured cases of the fit part')
    .argument('[cases...]', CASES)
    .option('-o, --output <file>', 'write the profile, for --profile of other commands')
    .option('--only <names>', 'only these constants, with commas between them')
    .option('--rounds <n>', 'times to go through all constants, 1 to 100', roundCount, 2)
    .option('--base <name|file>', 'the machine to begin with', 'h200')
    .option('--plan <folder>', 'write the programs whose measurement determines a profile, and fit nothing')
    .addOption(hostOption())
    .action(work(async () => (await import('../commands/calibrate.ts')).calibrate));
  withCases(add('compare', 'simulated and measured timelines of cases one over the other, operation by operation'))
    .option('--filter <regex>', 'only cases whose name matches')
    .option('--cases <n>', 'cases shown', wholeNumber, 5)
    .option('--rows <n>', 'operations listed of each, those furthest off', wholeNumber, 30)
    .option('--svg <file>', 'write a picture')
    .option('--width <n>', "columns of the picture (default: the terminal's, COLUMNS where set, or 100)", columns)
    .option('--ascii', 'draw with ASCII characters only')
    .action(work(async () => (await import('../commands/compare.ts')).compare));
  withInput(add('export [inputs...]', 'write programs as CUDA C++ that measures them on a real GPU'), { many: true })
    .option('-o, --output <file>', 'the file (default: standard output)')
    .addOption(
      new Option('--gate <when>', 'hold the device until all calls are made: where that is possible, or never')
        .choices(['auto', 'never'])
        .default('auto'),
    )
    .addHelpText('after', EXPORT_NOTES)
    .action(work(async () => (await import('../commands/export.ts')).exportCommand));
};

/** The options of commands that look at all measured cases. */
function withCases(command: Command): Command {
  return command
    .argument('[cases...]', CASES)
    .option('--machine <name|file>', 'the machine to simulate', 'h200')
    .option('--profile <file>', PROFILE)
    .option('--other-device', OTHER_DEVICE)
    .addOption(hostOption());
}

/** Whose call costs cases are simulated with. */
function hostOption(): Option {
  return new Option('--host <whose>', "call costs: what they were where the cases were measured, or the machine's own")
    .choices(['environment', 'profile'])
    .default('environment');
}
