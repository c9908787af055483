import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { machineByName } from '@griddep/machine';
import { buildScenario } from '@griddep/program';
import { type Panel, renderSvg, renderTerminal, type Timeline } from '@griddep/timeline';
import { only, shifted } from '../demo/arrange.ts';
import { chainKernels, chainTimes } from '../demo/chain.ts';
import { mergedTrace } from '../demo/merged-trace.ts';
import { latencyTable, type Result } from '../demo/report.ts';
import { MEASURED_CASES, MEASURED_LAYERS, MEASURED_ON, WAYS, type Way } from '../demo/ways.ts';
import { EXIT } from '../exit-codes.ts';
import { fileError } from '../input/input-error.ts';
import { DEFAULT_MACHINE, simulateWithProgress } from '../input/simulated.ts';
import { assumedConstants, basisText } from '../output/basis.ts';
import { checkOutputs, writeOutputs } from '../output/files.ts';
import { print } from '../output/stdout.ts';
import { pictureWidth } from '../output/width.ts';

export interface DemoOptions {
  readonly out: string;
  readonly layers: number;
  readonly width?: number;
  readonly ascii?: boolean;
}

const STREAM = 's0';
/** What of the chain the terminal shows: its first layer or so, where kernels are still wide enough to read. */
const WINDOW_PS = 60e6;
const SVG_WIDTH = 2400;

/** `griddep demo`: a decode step launched in four ways, as pictures, latencies and a trace. */
export async function demo(options: DemoOptions): Promise<number> {
  const { out, layers, ascii = false } = options;
  const width = pictureWidth(options.width);
  const files = { svg: join(out, 'decode-chain.svg'), trace: join(out, 'decode-chain.trace.json') };
  await makeFolder(out);
  await checkOutputs(Object.values(files).map((path) => ({ option: '--out', path })));

  const runs = await simulateWays(layers);
  const firstStart = ({ timeline }: Run) => chainKernels(timeline, STREAM)[0]?.start ?? 0;
  const chains = runs.map((run): Panel => {
    const chain = only(run.timeline, chainKernels(run.timeline, STREAM));
    return { title: run.way.title, timeline: shifted(chain, -firstStart(run)) };
  });
  const latest = Math.max(...runs.map(firstStart));
  const aligned = runs.map((run): Panel => {
    return { title: run.way.title, timeline: shifted(run.timeline, latest - firstStart(run)) };
  });
  const failure = await writeOutputs([
    { option: '--out', path: files.svg, content: () => renderSvg(chains, { width: SVG_WIDTH, host: false }) },
    { option: '--out', path: files.trace, content: () => mergedTrace(aligned) },
  ]);

  const results = runs.map(({ way, timeline }): Result => ({ way, times: chainTimes(chainKernels(timeline, STREAM)) }));
  await print(
    `A decode step of ${layers} layers (${layers * 8} kernels) on one H200, launched in four ways; the beginning:\n\n`,
    renderTerminal(chains, { width, ascii, host: false, range: { from: 0, to: WINDOW_PS } }),
    '\nFirst block start to last block end, us:\n\n',
    latencyTable(results, layers),
    `\n${explanation(layers)}\n${basisLine(runs)}\n`,
    `\nPicture of the whole step: ${files.svg} (any browser)\nTrace, all four side by side: ${files.trace} (open it in https://ui.perfetto.dev or chrome://tracing)\n`,
  );
  if (failure !== undefined) throw failure;
  return EXIT.ok;
}

interface Run {
  readonly way: Way;
  readonly timeline: Timeline;
}

async function simulateWays(layers: number): Promise<Run[]> {
  const machine = machineByName(DEFAULT_MACHINE);
  const runs: Run[] = [];
  for (const way of WAYS) {
    const program = buildScenario('decode-chain', { layers: String(layers), gated: 'true', ...way.set });
    runs.push({ way, timeline: (await simulateWithProgress(program, machine, {})).timeline });
  }
  return runs;
}

function explanation(layers: number): string {
  const lines = [
    'A gain is time between kernels that is saved (fewer gaps) and work done while the kernel before still runs (hidden',
    'work, less what the wait costs). Overlapped is all time that kernels spent before their wait returned while their',
    'predecessor ran.',
    layers === MEASURED_LAYERS
      ? `Real: ${MEASURED_ON}, cases ${MEASURED_CASES}.`
      : `Measured latencies exist for ${MEASURED_LAYERS} layers.`,
  ];
  return lines.join('\n');
}

function basisLine(runs: readonly Run[]): string {
  const entries = new Map(runs.flatMap(({ timeline }) => timeline.basis.map((entry) => [entry.constant, entry])));
  const basis = [...entries.values()];
  const assumed = runs.flatMap(({ timeline }) => assumedConstants(timeline));
  const names = [...new Set(assumed)].join(', ');
  return `Simulated: ${basisText(basis)}${names === '' ? '' : `;\nassumed are ${names}`}.`;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw fileError(`--out ${path}`, error, 'cannot be made: ');
  }
}
