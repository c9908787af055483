import { describe, expect, it } from 'vitest';
import { buildScenario, type Program } from '../index.ts';

function kinds(program: Program): string[] {
  const calls = program.threads[0]?.calls;
  const all = Array.from({ length: calls?.length ?? 0 }, (_, i) => calls?.at(i).kind ?? '');
  return all.filter((kind) => kind !== 'rangePush' && kind !== 'rangePop');
}

describe('decode-chain', () => {
  it('is the measured chain: the first layer’s rms launches are plain, all others early', () => {
    const calls = buildScenario('decode-chain', { gated: 'true' }).threads[0]?.calls;
    const plain: string[] = [];
    let launches = 0;
    for (let i = 0; i < (calls?.length ?? 0); i++) {
      const call = calls?.at(i);
      if (call?.kind !== 'launchKernel') continue;
      launches += 1;
      if (call.attributes.programmaticStreamSerialization !== true) plain.push(calls?.label(i) ?? '');
    }
    expect(plain).toEqual(['gate', 'rms#0', 'rms#4']);
    expect(launches).toBe(1 + 96);
  });

  it('is not gated unless asked to be, so that its makespan is the chain’s', () => {
    const program = buildScenario('decode-chain');
    expect(program.params.gated).toBe(false);
    expect([...program.streams.keys()]).toEqual(['s0']);
  });

  it('has the phases of the measuring kernel', () => {
    const { kernels } = buildScenario('decode-chain');
    expect(kernels.get('up')).toMatchObject({
      grid: [264, 1, 1],
      block: [256, 1, 1],
      dynamicSharedMemory: 102_400,
      staticSharedMemory: 4,
      registersPerThread: 26,
      instrumented: true,
      body: {
        roles: [
          {
            phases: [
              { op: 'trigger' },
              { op: 'spin', duration: 1_500_000 },
              { op: 'wait' },
              { op: 'spin', duration: 6_000_000 },
            ],
          },
        ],
      },
    });
    expect(buildScenario('decode-chain', { pdl: 'false' }).kernels.get('act')?.body).toMatchObject({
      roles: [{ phases: [{ op: 'spin' }, { op: 'spin' }] }],
    });
  });

  it('makes the calls of the measuring program', () => {
    const launches = (n: number) => Array<string>(n).fill('launchKernel');
    const gate = ['launchKernel', 'eventRecord', 'eventRecord'];
    const release = ['hostCompute', 'hostSignal', 'deviceSynchronize'];
    const capture = (n: number) => [
      'streamBeginCapture',
      ...launches(n),
      'streamEndCapture',
      'graphInstantiate',
      'graphUpload',
      'streamSynchronize',
    ];
    const made = (mode: string, gated: boolean) =>
      kinds(buildScenario('decode-chain', { layers: '1', mode, gated: String(gated) }));
    expect(made('stream', true)).toEqual([...gate, 'streamWaitEvent', ...launches(8), ...release]);
    expect(made('graph', true)).toEqual([...gate, ...capture(8), 'streamWaitEvent', 'graphLaunch', ...release]);
    expect(made('stream', false)).toEqual([...launches(8), 'deviceSynchronize']);
    expect(made('graph', false)).toEqual([...capture(8), 'graphLaunch', 'deviceSynchronize']);
  });
});
