import type { ExportInput } from '@griddep/hardware';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { programOf, resolveInput, tracedMachine } from '../input/resolve.ts';
import { parseSettings } from '../input/settings.ts';
import { allSources } from '../input/sources.ts';
import { refuseWithoutTrace, type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { checkOutputs, writeOutputs } from '../output/files.ts';
import { print } from '../output/stdout.ts';

export interface ExportOptions extends TraceCommandOptions {
  readonly scenario: readonly string[];
  readonly set: readonly string[];
  readonly output?: string;
  readonly gate: 'auto' | 'never';
}

/** `griddep export INPUT...`: writes programs as one file of CUDA C++ that measures them on real devices. */
export async function exportCommand(paths: readonly string[], options: ExportOptions): Promise<number> {
  const { output, gate } = options;
  const sources = allSources(paths, options.scenario);
  if (sources.length === 0) throw new InputError('no input: give a file, - for standard input, or --scenario NAME');
  const target = output === undefined ? [] : [{ option: '--output', path: output }];
  await checkOutputs(target, paths);
  const set = parseSettings(options.set);
  const inputs: ExportInput[] = [];
  const traces = traceOptions(options);
  const isTrace: boolean[] = [];
  for (const source of sources) {
    const input = await resolveInput(source, { set, traces, isOneOfSeveral: sources.length > 1 });
    isTrace.push(tracedMachine(input) !== undefined);
    inputs.push({ program: programOf(input, 'export'), gate });
  }
  refuseWithoutTrace(traces, isTrace);
  const { exportPrograms } = await import('@griddep/hardware');
  const content = exportPrograms(inputs);
  if (output === undefined) await print(content);
  else {
    const failure = await writeOutputs([{ option: '--output', path: output, content: () => content }]);
    if (failure !== undefined) throw failure;
  }
  return EXIT.ok;
}
