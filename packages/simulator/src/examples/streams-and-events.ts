import {
  cudaEvent,
  cudaEventDisableTiming,
  cudaKernel,
  cudaMemcpyDeviceToHost,
  cudaMemcpyHostToDevice,
  cudaStream,
  type HostCode,
} from '../interactive/index.ts';

const [grid, block] = [528, 256];
const bytes = 16 << 20;
const compute = cudaKernel('compute', {
  parameters: ['in', 'out'],
  phases: [
    { op: 'load', bytes: '16KiB' },
    { op: 'fma', iterations: 2000 },
    { op: 'store', bytes: '16KiB' },
  ],
});

/** An upload on one stream, a kernel on another that waits for the upload alone, and a download when the kernel is done. */
export const streamsAndEvents: HostCode = (cuda) => {
  const [h_in, h_out] = [cuda.pinnedMemory('h_in', bytes), cuda.pinnedMemory('h_out', bytes)];
  const [d_in, d_out] = [cuda.deviceMemory('d_in', bytes), cuda.deviceMemory('d_out', bytes)];

  cuda.hostThread(async (host) => {
    const { cudaStreamCreate, cudaEventCreateWithFlags, cudaEventCreate, cudaMemcpyAsync, cudaEventRecord } = host;
    const { cudaStreamWaitEvent, cudaEventSynchronize, launch } = host;

    const [a, b] = [cudaStream('a'), cudaStream('b')];
    const [copied, done] = [cudaEvent('copied'), cudaEvent('done')];

    cudaStreamCreate(a);
    cudaStreamCreate(b);
    cudaEventCreateWithFlags(copied, cudaEventDisableTiming);
    cudaEventCreate(done);

    // The input goes up on its own stream.
    cudaMemcpyAsync(d_in, h_in, bytes, cudaMemcpyHostToDevice, a);
    cudaEventRecord(copied, a);

    // The kernel needs the input, and nothing else of stream a.
    cudaStreamWaitEvent(b, copied, 0);
    launch(compute, grid, block, 0, b)(d_in, d_out);
    cudaEventRecord(done, b);

    // Only here the host waits.
    await cudaEventSynchronize(done);
    cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, a);
  });
};
