import { fma, load, type Program, programBuilder, spin, store, trigger, wait } from '@griddep/program';

/** Defaults of the parameters; `--set layers=8` changes one. */
export const params = { layers: 4, pdl: true };

export function program({ layers, pdl }: typeof params): Program {
  const p = programBuilder('chain');
  const stream = p.stream('s', { kind: 'nonBlocking' });
  const norm = p.kernel('norm', { grid: 32, block: 256, phases: [spin('300ns'), wait(), load('16KiB'), trigger()] });
  const gemm = p.kernel('gemm', {
    grid: 128,
    block: 256,
    dynamicSharedMemory: '96KiB',
    phases: [load('64KiB'), wait(), load('128KiB'), trigger(), fma(500), store('4KiB')],
  });
  const host = p.hostThread();
  for (let layer = 0; layer < layers; layer++) {
    host.range(`layer${layer}`, () => {
      for (const kernel of [norm, gemm]) {
        host.launchKernel(
          kernel,
          stream,
          { programmaticStreamSerialization: pdl },
          { label: `${kernel.name}#${layer}` },
        );
      }
    });
  }
  host.streamSynchronize(stream);
  return p.build();
}
