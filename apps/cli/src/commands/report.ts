import { EXIT } from '../exit-codes.ts';
import { parseSettings } from '../input/settings.ts';
import { timelineOfInput } from '../input/simulated.ts';
import { onlySource } from '../input/sources.ts';
import { type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { checkOutputs, writeOutputs } from '../output/files.ts';
import { pairOf } from '../report/pair.ts';
import { reportPage } from '../report/report-page.ts';
import { findingsOf } from '../view/findings.ts';

export interface ReportOptions extends TraceCommandOptions {
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly machine?: string;
  readonly output: string;
  readonly blocks?: boolean;
  readonly pair?: readonly string[];
}

/** `griddep report`: writes a page about a run. */
export async function report(path: string | undefined, options: ReportOptions): Promise<number> {
  const { output, machine, pair } = options;
  await checkOutputs([{ option: '--output', path: output }], [path, machine]);
  const input = await timelineOfInput(onlySource(path, options.scenario), {
    set: parseSettings(options.set),
    machine,
    traces: traceOptions(options),
    simulation: { recordBlocks: options.blocks === true },
  });
  const { timeline, from, program } = input;
  const { writeProgramYaml } = await import('@griddep/program');
  const content = reportPage({
    timeline,
    from,
    findings: await findingsOf(input),
    program: program === undefined ? undefined : writeProgramYaml(program),
    pair: pairOf(timeline, pair),
  });
  const failure = await writeOutputs([{ option: '--output', path: output, content: () => content }]);
  if (failure !== undefined) throw failure;
  return EXIT.ok;
}
