import type { ProgramBuilder } from '../builder.ts';
import { blockBarrier, fma, load, spin, store, trigger, wait } from '../phases.ts';
import { pdlParameter } from './support/common-parameters.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { defineScenario } from './support/scenario.ts';

const ROWS_PER_BLOCK = 256;
const ENTRIES_PER_ROW = 27;
const VECTOR_BLOCK = ROWS_PER_BLOCK * 8;
const SCALAR = 8;

export const iterativeSolver = defineScenario({
  name: 'iterative-solver',
  summary: 'Conjugate gradients: six small kernels an iteration, the host looks at the residual now and then',
  description:
    'Sparse matrix times vector, two dot products and three vector updates an iteration. The matrix structure does not ' +
    'change and is loaded before the wait. Every `checkEvery` iterations the residual is downloaded, the host queries ' +
    'the event, works a little and then waits for it.',
  params: {
    iterations: count(24, 'iterations', 1, 256),
    checkEvery: count(8, 'iterations between two looks at the residual', 1, 256),
    blocks: count(128, 'blocks of 256 rows: size of the system', 1, 1024),
    pdl: pdlParameter,
  },
  declare(program, { iterations, checkEvery, blocks, pdl }) {
    declareKernels(program, blocks);
    const vector = (name: string) => program.buffer(name, { bytes: blocks * VECTOR_BLOCK });
    const [x, r, d, q] = [vector('x'), vector('r'), vector('d'), vector('q')];
    const dq = program.buffer('dq', { bytes: SCALAR });
    const rr = program.buffer('rr', { bytes: SCALAR });
    const residual = program.buffer('residual', { bytes: SCALAR, space: 'host', hostMemory: 'pinned' });
    const stream = program.stream('main', { kind: 'nonBlocking' });
    const checked = program.event('checked', { timing: false });
    const thread = program.hostThread();
    const chain = new LaunchChain(thread, stream, pdl);
    for (let i = 1; i <= iterations; i++) {
      thread.range(`iteration${i}`, () => {
        chain.launch('spmv', { x: d, y: q });
        chain.launch('dot', { a: d, b: q, result: dq });
        chain.launch('axpy', { scale: dq, x: d, y: x });
        chain.launch('axpy', { scale: dq, x: q, y: r });
        chain.launch('dot', { a: r, b: r, result: rr });
        chain.launch('axpy', { scale: rr, x: r, y: d });
        if (i % checkEvery !== 0 && i !== iterations) return;
        thread.memcpyAsync('deviceToHost', SCALAR, stream, {
          source: rr,
          destination: residual,
          label: `residual#${i}`,
        });
        thread.eventRecord(checked, stream);
        chain.interrupted();
        thread.eventQuery(checked);
        thread.hostCompute('2us');
        thread.eventSynchronize(checked);
        thread.hostRead(residual);
      });
    }
  },
});

function declareKernels(program: ProgramBuilder, blocks: number): void {
  const structure = ROWS_PER_BLOCK * ENTRIES_PER_ROW * 4;
  const values = ROWS_PER_BLOCK * ENTRIES_PER_ROW * 8;
  const whole = blocks * VECTOR_BLOCK;
  program.buffer('columns', { bytes: blocks * structure });
  program.buffer('values', { bytes: blocks * values });
  const block = { grid: blocks, block: ROWS_PER_BLOCK } as const;
  const own = { blockStride: VECTOR_BLOCK };
  program.kernel('spmv', {
    ...block,
    registersPerThread: 64,
    parameters: ['x', 'y'],
    phases: [
      load(structure, { buffer: 'columns', blockStride: structure }),
      wait(),
      load(values, { buffer: 'values', blockStride: values }),
      load(VECTOR_BLOCK, { buffer: '$x', bytes: whole }),
      trigger(),
      fma(ENTRIES_PER_ROW),
      store(VECTOR_BLOCK, { buffer: '$y', ...own }),
    ],
  });
  const atomicAt = 6;
  program.kernel('dot', {
    ...block,
    staticSharedMemory: 64,
    parameters: ['a', 'b', 'result'],
    phases: [
      spin('200ns'),
      wait(),
      load(VECTOR_BLOCK, { buffer: '$a', ...own }),
      load(VECTOR_BLOCK, { buffer: '$b', ...own }),
      trigger(),
      blockBarrier(),
      // Adds the block's sum to the others' atomically.
      spin('500ns'),
    ],
    accesses: [{ range: { buffer: '$result', bytes: SCALAR }, mode: 'atomic', phase: atomicAt }],
  });
  program.kernel('axpy', {
    ...block,
    parameters: ['scale', 'x', 'y'],
    phases: [
      spin('200ns'),
      wait(),
      load(SCALAR, '$scale'),
      load(VECTOR_BLOCK, { buffer: '$x', ...own }),
      load(VECTOR_BLOCK, { buffer: '$y', ...own }),
      trigger(),
      fma(1),
      store(VECTOR_BLOCK, { buffer: '$y', ...own }),
    ],
  });
}
