import type { ProgramBuilder } from '../../builder.ts';
import type { HostThreadBuilder } from '../../host-thread-builder.ts';
import type { Buffer, Stream } from '../../program.ts';

type Mode = 'stream' | 'graph';

/**
 * Makes the calls of `enqueue` into `stream`; in mode `graph` captures them instead, then instantiates, uploads and
 * launches the graph.
 */
function submit(thread: HostThreadBuilder, stream: Stream, mode: Mode, enqueue: () => void): void {
  if (mode === 'stream') {
    enqueue();
    return;
  }
  captureGraph(thread, stream, 'chain', enqueue);
  thread.graphLaunch('chain-exec', stream, { label: 'graphLaunch' });
}

/** Captures the calls of `enqueue` as graph `name`, and makes `name-exec` of it ready on the device. */
export function captureGraph(thread: HostThreadBuilder, stream: Stream, name: string, enqueue: () => void): void {
  thread.streamBeginCapture(stream, 'threadLocal');
  enqueue();
  thread.streamEndCapture(stream, name);
  thread.graphInstantiate(name, `${name}-exec`);
  thread.graphUpload(`${name}-exec`, stream);
  thread.streamSynchronize(stream);
}

interface RunOnce {
  readonly mode: Mode;
  /** Device buffers that the host fills before and reads after. */
  readonly input: Buffer;
  readonly output: Buffer;
  readonly enqueue: (thread: HostThreadBuilder, stream: Stream) => void;
}

/** The whole host program around a chain of kernels: upload from pinned memory, the kernels, download, synchronise. */
export function runOnce(program: ProgramBuilder, { mode, input, output, enqueue }: RunOnce): void {
  const stream = program.stream('main', { kind: 'nonBlocking' });
  const from = program.buffer('hostInput', { bytes: input.bytes, space: 'host', hostMemory: 'pinned' });
  const to = program.buffer('hostOutput', { bytes: output.bytes, space: 'host', hostMemory: 'pinned' });
  const thread = program.hostThread();
  thread.hostWrite(from);
  thread.memcpyAsync('hostToDevice', input.bytes, stream, { source: from, destination: input, label: 'upload' });
  submit(thread, stream, mode, () => enqueue(thread, stream));
  thread.memcpyAsync('deviceToHost', output.bytes, stream, { source: output, destination: to, label: 'download' });
  thread.streamSynchronize(stream);
  thread.hostRead(to);
}
