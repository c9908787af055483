import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { parseSettings } from '../input/settings.ts';
import { type TimelineInput, timelineOfInput } from '../input/simulated.ts';
import { allSources } from '../input/sources.ts';
import { refuseWithoutTrace, type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { checkOutputs, writeOutputs } from '../output/files.ts';
import { print, warn } from '../output/stdout.ts';
import { openBrowser } from '../view/open-browser.ts';
import { viewerPage } from '../view/page.ts';
import { viewRun } from '../view/runs.ts';
import { servePage, untilInterrupted } from '../view/serve.ts';

export interface ViewOptions extends TraceCommandOptions {
  readonly scenario: readonly string[];
  readonly set: readonly string[];
  readonly machine?: string;
  readonly blocks?: boolean;
  readonly port?: number;
  readonly open: boolean;
  readonly output?: string;
}

/** `griddep view`: serves the viewer with one or two runs until interrupted, or writes the page as a file. */
export async function view(paths: readonly string[], options: ViewOptions): Promise<number> {
  const { output, machine } = options;
  const sources = allSources(paths, options.scenario);
  if (sources.length === 0) throw new InputError('no input: give a file, - for standard input, or --scenario NAME');
  if (sources.length > 2) throw new InputError(`at most two inputs can be compared, these are ${sources.length}`);
  const target = output === undefined ? [] : [{ option: '--output', path: output }];
  await checkOutputs(target, [...paths, machine]);
  const set = parseSettings(options.set);
  const traces = traceOptions(options);
  const simulation = { recordBlocks: options.blocks === true };
  const inputs: TimelineInput[] = [];
  for (const source of sources) {
    const isOneOfSeveral = sources.length > 1;
    inputs.push(await timelineOfInput(source, { set, machine, traces, simulation, isOneOfSeveral }));
  }
  refuseWithoutTrace(
    traces,
    inputs.map(({ imported }) => imported !== undefined),
  );
  const runs = [];
  for (const input of inputs) runs.push(await viewRun(input));
  const { packView } = await import('@griddep/viewer');
  const bytes = packView(runs);
  if (output !== undefined) {
    const content = () => viewerPage({ base64: Buffer.from(bytes.buffer).toString('base64') });
    const failure = await writeOutputs([{ option: '--output', path: output, content }]);
    if (failure !== undefined) throw failure;
    return EXIT.ok;
  }
  const { url, close } = await servePage(options.port ?? 0, async () => bytes);
  await print(`${url}\n`);
  warn('serving until interrupted (Ctrl-C)');
  if (options.open) openBrowser(url);
  await untilInterrupted();
  close();
  return EXIT.ok;
}
