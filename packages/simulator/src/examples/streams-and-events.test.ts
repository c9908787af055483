import { readFileSync } from 'node:fs';
import { machineByName } from '@griddep/machine';
import { expect, it } from 'vitest';
import { simulateHostCode } from '../interactive/index.ts';
import { streamsAndEvents } from './streams-and-events.ts';

/** The statements in CUDA C++ that the example is, in their order. */
const STATEMENTS = `cudaStream_t a, b;
cudaEvent_t copied, done;
cudaStreamCreate(&a);
cudaStreamCreate(&b);
cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
cudaEventCreate(&done);
cudaMemcpyAsync(d_in, h_in, bytes, cudaMemcpyHostToDevice, a);
cudaEventRecord(copied, a);
cudaStreamWaitEvent(b, copied, 0);
compute<<<grid, block, 0, b>>>(d_in, d_out);
cudaEventRecord(done, b);
cudaEventSynchronize(done);
cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, a);`;

/** A line of host code as C++ has it: four rules, none of which knows a call by its name but for creating ones. */
function asCuda(line: string): string {
  return line
    .replace(/^const \[(.*)\] = \[cuda(Stream|Event)\(.*;$/, 'cuda$2_t $1;')
    .replace(/^await /, '')
    .replace(/^(cuda\w+Create\w*)\(/, '$1(&')
    .replace(/^launch\((\w+), (.*)\)\(/, '$1<<<$2>>>(');
}

it('the example reads line for line as CUDA C++ does', () => {
  const source = readFileSync(new URL('./streams-and-events.ts', import.meta.url), 'utf8');
  const code = source.slice(source.indexOf('const [a, b]'), source.indexOf('  });\n};'));
  const lines = code.split('\n').map((line) => line.trim());
  const statements = lines.filter((line) => line !== '' && !line.startsWith('//'));
  expect(statements.map(asCuda).join('\n')).toBe(STATEMENTS);
});

it('5.4, 6.4 the kernel waits for the upload, the host for the kernel, and the download comes after both', async () => {
  const { operations, errors, stuck } = await simulateHostCode(streamsAndEvents, machineByName('h200'));
  expect([errors, stuck]).toEqual([[], []]);
  const [upload, , , compute, , synchronize, download] = operations;
  expect(operations.map(({ kind, stream }) => `${kind} ${stream}`)).toEqual([
    'copy a',
    'eventRecord a',
    'eventWait b',
    'kernel b',
    'eventRecord b',
    'hostCall main',
    'copy a',
  ]);
  expect(compute?.callEnd).toBeLessThan(upload?.end ?? 0);
  expect(compute?.start).toBeGreaterThan(upload?.end ?? Infinity);
  expect(synchronize?.callEnd).toBeGreaterThan(compute?.end ?? Infinity);
  expect(download?.callBegin).toBeGreaterThanOrEqual(synchronize?.callEnd ?? Infinity);
  expect(download?.origin).toMatch(/^streams-and-events\.ts:\d+:\d+$/);
});
