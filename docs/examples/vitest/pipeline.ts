import { load, type Program, programBuilder, store, trigger, wait } from '@griddep/program';

export interface PipelineInput {
  /** Blocks of data that go through. */
  readonly chunks: number;
  /** Buffers that they share: with one, an upload waits until its forerunner has been used. */
  readonly buffers: number;
}

/** Uploads in one stream, and in another two kernels for each: the second is launched early and waits. */
export function pipeline({ chunks, buffers }: PipelineInput): Program {
  const p = programBuilder('pipeline');
  for (const name of ['uploads', 'work']) p.stream(name, { kind: 'nonBlocking' });
  p.buffer('host', { bytes: '4MiB', space: 'host', hostMemory: 'pinned' });
  p.buffer('sums', { bytes: '64KiB' });
  for (let b = 0; b < buffers; b++) {
    p.buffer(`in${b}`, { bytes: '4MiB' });
    for (const name of [`filled${b}`, `used${b}`]) p.event(name, { timing: false });
    p.kernel(`scale${b}`, {
      grid: 64,
      block: 256,
      phases: [trigger(), load('64KiB', `in${b}`), store('64KiB', `in${b}`)],
    });
    p.kernel(`sum${b}`, { grid: 64, block: 256, phases: [wait(), load('64KiB', `in${b}`), store('1KiB', 'sums')] });
  }
  const host = p.hostThread('main');
  for (let i = 0; i < chunks; i++) {
    const b = i % buffers;
    host.streamWaitEvent('uploads', `used${b}`);
    host.memcpyAsync('hostToDevice', '4MiB', 'uploads', {
      ...{ source: 'host', destination: `in${b}`, hostMemory: 'pinned', label: `upload ${i}` },
    });
    host.eventRecord(`filled${b}`, 'uploads');
    host.streamWaitEvent('work', `filled${b}`);
    host.launchKernel(`scale${b}`, 'work', {}, { label: `scale ${i}` });
    host.launchKernel(`sum${b}`, 'work', { programmaticStreamSerialization: true }, { label: `sum ${i}` });
    host.eventRecord(`used${b}`, 'work');
  }
  host.deviceSynchronize();
  return p.build();
}
