import type { Workers } from '@griddep/simulator/parallel';
import { hashTimeline, renderTable, renderTerminal, type Timeline } from '@griddep/timeline';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { parseSettings } from '../input/settings.ts';
import { type TimelineInput, timelineOfInput } from '../input/simulated.ts';
import { onlySource } from '../input/sources.ts';
import { type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { checkOutputs, type OutputFile, writeOutputs } from '../output/files.ts';
import { pictureOf } from '../output/picture.ts';
import { resultJson } from '../output/result-json.ts';
import { shardsText } from '../output/shards-text.ts';
import { statisticsText, summaryText } from '../output/statistics-text.ts';
import { print, warn } from '../output/stdout.ts';
import { traceJson, traceText } from '../output/trace-text.ts';
import { warnOfErrors, warnOfPrograms, warnOfStuck } from '../output/warnings.ts';
import { pictureWidth } from '../output/width.ts';
import type { LiveView } from '../view/live-view.ts';

export interface RunOptions extends TraceCommandOptions {
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly machine?: string;
  readonly json?: boolean;
  readonly save?: string;
  readonly svg?: string;
  readonly chrome?: string;
  readonly perfetto?: string;
  readonly blocks?: boolean;
  readonly stats?: boolean;
  readonly workers?: Workers;
  readonly blockByBlock?: boolean;
  readonly maxEvents?: number;
  readonly rows: number;
  readonly width?: number;
  readonly ascii?: boolean;
  /** us */
  readonly from?: number;
  readonly to?: number;
  readonly streams?: readonly string[];
  readonly explain?: boolean;
  readonly traced?: boolean;
  readonly watch?: boolean;
  readonly view?: boolean;
  /** With `view`: whether a browser is opened. */
  readonly open?: boolean;
}

/** `griddep run`: simulates an input (or takes a saved timeline), writes the files asked for, and prints the result. */
export async function run(path: string | undefined, options: RunOptions): Promise<number> {
  let input: TimelineInput | undefined;
  const outputs = outputsOf(options, () => input as TimelineInput);
  await checkOutputs(outputs, [path, options.machine]);
  const page = options.view === true ? await startPage(options) : undefined;
  try {
    input = await shownInput(path, options, page);
  } catch (error) {
    await page?.fail(error instanceof Error ? error.message : String(error));
    throw error;
  }
  const { timeline, warnings } = input;
  const { imported } = input;
  if (options.explain === true && imported === undefined) {
    throw new InputError('--explain: the input is no trace of a profiler');
  }
  pictureOf(timeline, options);
  if (options.blocks === true && timeline.blocks === undefined) {
    throw new InputError('--blocks: the timeline was saved without its blocks');
  }
  const failure = await writeOutputs(outputs);
  const isStuck = timeline.stuck.length > 0;
  if (options.json === true) await print(resultJson(timeline, warnings, await traceJson(imported, timeline)));
  else if (!isStuck) {
    await printText(timeline, options, input.shards);
    await print(await traceText(imported, timeline, options));
  }
  await warnOfPrograms(warnings);
  warnOfErrors(timeline);
  if (isStuck) warnOfStuck(timeline);
  if (failure !== undefined) throw failure;
  await page?.ended();
  return isStuck ? EXIT.input : EXIT.ok;
}

/** The input's timeline, which the page has got, if there is one. */
async function shownInput(
  path: string | undefined,
  options: RunOptions,
  page: LiveView | undefined,
): Promise<TimelineInput> {
  const input = await timelineOfInput(onlySource(path, options.scenario), {
    set: parseSettings(options.set),
    machine: options.machine,
    traces: { ...traceOptions(options), asTraced: options.traced === true },
    simulation: {
      recordBlocks: options.blocks === true,
      blockByBlock: options.blockByBlock === true,
      ...(options.maxEvents === undefined ? {} : { maxEvents: options.maxEvents }),
      ...(options.workers === undefined ? {} : { workers: options.workers }),
    },
    live: page,
  });
  await page?.show(input);
  return input;
}

async function startPage({ open }: RunOptions): Promise<LiveView> {
  const { LiveView } = await import('../view/live-view.ts');
  return LiveView.start(open !== false);
}

function outputsOf(options: RunOptions, input: () => TimelineInput): OutputFile[] {
  const { save, svg, chrome, perfetto } = options;
  const timeline = () => input().timeline;
  const library = () => import('@griddep/timeline');
  const outputs: (OutputFile | undefined)[] = [
    output('--save', save, async () => (await library()).writeTimeline(timeline())),
    output('--svg', svg, async () => {
      const { renderSvg } = await library();
      const panel = { title: timeline().program, subtitle: input().from, timeline: timeline() };
      return renderSvg([panel], pictureOf(timeline(), options));
    }),
    output('--chrome', chrome, async () => (await library()).writeChromeTrace(timeline())),
    output('--perfetto', perfetto, async () => (await library()).writePerfetto(timeline())),
  ];
  return outputs.filter((each) => each !== undefined);
}

function output(option: string, path: string | undefined, content: OutputFile['content']): OutputFile | undefined {
  return path === undefined ? undefined : { option, path, content };
}

async function printText(timeline: Timeline, options: RunOptions, shards: TimelineInput['shards']): Promise<void> {
  const { rows, ascii = false, stats = false } = options;
  const width = pictureWidth(options.width);
  if (timeline.operations.length === 0) warn(`${timeline.program} has no operations`);
  await print(
    renderTerminal([{ title: timeline.program, timeline }], { ...pictureOf(timeline, options), width, ascii }),
    '\n',
    renderTable(timeline, { rows }),
    '\n',
    summaryText(timeline),
    stats ? `\n${statisticsText(timeline)}\n${shardsText({ shards })}\n` : '',
    `hash ${hashTimeline(timeline)}\n`,
  );
}
