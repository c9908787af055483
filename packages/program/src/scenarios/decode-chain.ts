import type { ProgramBuilder } from '../builder.ts';
import type { AttributesInput, PhaseInput } from '../inputs.ts';
import { await_, spin, trigger, wait } from '../phases.ts';
import { modeParameter } from './support/common-parameters.ts';
import { count, flag } from './support/parameters.ts';
import { captureGraph } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

/** Name, grid, block, dynamic shared memory in bytes, time before the wait and time after it, in ns. */
const KERNELS = [
  ['rms', 32, 256, 0, 500, 1500],
  ['qkv', 96, 256, 102_400, 1500, 5000],
  ['attn', 128, 128, 65_536, 500, 7000],
  ['proj', 64, 256, 102_400, 1500, 4000],
  ['up', 264, 256, 102_400, 1500, 6000],
  ['act', 56, 256, 0, 300, 1000],
  ['down', 128, 256, 102_400, 1500, 6500],
] as const;
/** With more, a closed gate would fill the stream's queue, block the host, and so never be opened. */
const MOST_LAYERS = 96;
const LAYER = ['rms', 'qkv', 'attn', 'proj', 'rms', 'up', 'act', 'down'] as const;

export const decodeChain = defineScenario({
  name: 'decode-chain',
  summary: 'Layers of a decode step as measured on an H200: eight kernels each, in one stream or graph',
  description:
    'The chain of the measured cases `decode-12layers-*`, kernel by kernel: grids, shared memory and phases of the ' +
    'measuring kernel, which stamps the time at every phase boundary. As in the measurement, neither of the first ' +
    "layer's two `rms` launches carries the attribute. With `gated=true`, as the cases were measured, a kernel in another " +
    'stream holds the chain back until everything is enqueued and the host raises the flag `release`: what launches cost ' +
    'the host is hidden, and the makespan of the whole program includes the gate and the enqueuing. With `gated=false` ' +
    'the chain starts with its first launch, and the makespan is that of the chain, longer where the host launches too slowly.',
  params: {
    layers: count(12, 'layers of eight kernels', 1, MOST_LAYERS),
    mode: modeParameter,
    pdl: flag(true, 'the kernels trigger at once and wait after their preamble, and are launched with the attribute'),
    gated: flag(false, 'hold the chain back until everything is enqueued, as the cases were measured'),
  },
  declare(program, { layers, mode, pdl, gated }) {
    declareKernels(program, pdl);
    const stream = program.stream('s0', { kind: 'nonBlocking' });
    const thread = program.hostThread();
    const enqueue = () => {
      for (let layer = 0; layer < layers; layer++) {
        thread.range(`layer${layer}`, () => {
          LAYER.forEach((kernel, i) => {
            const early = pdl && !(layer === 0 && kernel === 'rms');
            const attributes: AttributesInput | undefined = early
              ? { programmaticStreamSerialization: true }
              : undefined;
            thread.launchKernel(kernel, stream, attributes, { label: `${kernel}#${layer * LAYER.length + i}` });
          });
        });
      }
    };
    if (gated) {
      const gate = program.stream('gate', { kind: 'nonBlocking' });
      program.kernel('gate', { grid: 1, block: 1, registersPerThread: 26, phases: [await_('release')] });
      const open = program.event('open', { timing: false });
      const base = program.event('base');
      thread.launchKernel('gate', gate, undefined, { label: 'gate' });
      thread.eventRecord(open, gate);
      thread.eventRecord(base, gate);
      if (mode === 'graph') captureGraph(thread, stream, 'chain', enqueue);
      thread.streamWaitEvent(stream, open);
    } else if (mode === 'graph') {
      captureGraph(thread, stream, 'chain', enqueue);
    }
    if (mode === 'graph') thread.graphLaunch('chain-exec', stream, { label: 'graphLaunch' });
    else enqueue();
    if (gated) {
      thread.hostCompute('50us');
      thread.hostSignal('release');
    }
    thread.deviceSynchronize();
  },
});

function declareKernels(program: ProgramBuilder, pdl: boolean): void {
  for (const [name, grid, block, dynamicSharedMemory, before, after] of KERNELS) {
    const body: PhaseInput[] = [spin(`${before}ns`), spin(`${after}ns`)];
    const early: PhaseInput[] = [trigger(), spin(`${before}ns`), wait(), spin(`${after}ns`)];
    program.kernel(name, {
      grid,
      block,
      dynamicSharedMemory,
      registersPerThread: 26,
      staticSharedMemory: 4,
      instrumented: true,
      phases: pdl ? early : body,
    });
  }
}
