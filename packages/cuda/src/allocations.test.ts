import { H100 } from '@griddep/machine';
import { describe, expect, test } from 'vitest';
import { HOST, play, RULES } from './runtime.fixture.ts';

const CAPACITY = H100.limits.memoryBytes;
const GIB = 2 ** 30;

describe('device memory', () => {
  test('runs out with error 2, and is there again when freed', () => {
    const { codes } = play((host, program) => {
      program.buffer('most', { bytes: CAPACITY - 100 });
      program.buffer('some', { bytes: 101 });
      host.malloc('most');
      host.malloc('some');
      host.free('most');
      host.malloc('some');
    });
    expect(codes).toEqual([0, 2, 0, 0]);
  });

  test('that no call allocates is taken from the start', () => {
    const { codes } = play((host, program) => {
      program.buffer('weights', { bytes: CAPACITY - 100 });
      program.buffer('onHost', { bytes: CAPACITY, space: 'host' });
      program.buffer('some', { bytes: 101 });
      host.malloc('some');
      host.free('weights');
      host.malloc('some');
    });
    expect(codes).toEqual([2, 0, 0]);
  });

  test('of aliases is taken once, and given back with the first that is freed', () => {
    const { codes } = play((host, program) => {
      program.buffer('first', { bytes: CAPACITY - 200, allocation: 'pool' });
      program.buffer('second', { bytes: 200, allocation: 'pool', offset: CAPACITY - 300 });
      program.buffer('some', { bytes: 100 });
      program.buffer('more', { bytes: CAPACITY - 100 });
      host.malloc('some');
      host.free('second');
      host.malloc('more');
      host.free('first');
    });
    expect(codes).toEqual([0, 0, 0, 1]);
  });

  test('6.12 pinned host memory takes its time by the byte', () => {
    const { issued } = play((host, program) => {
      program.buffer('x', { bytes: GIB, space: 'host' });
      host.mallocHost('x');
      host.freeHost('x');
    });
    const [made, freed] = issued.map((i) => i.cost);
    expect(made).toBe(HOST.mallocHost + Math.round((GIB / HOST.mallocHostPerByte) * 1e12));
    expect(freed).toBe(HOST.mallocHost);
  });

  test('of one device is not that of another', () => {
    const { codes } = play((host, program) => {
      program.buffer('here', { bytes: CAPACITY });
      program.buffer('there', { bytes: CAPACITY, device: 1 });
      host.malloc('here');
      host.malloc('there');
    });
    expect(codes).toEqual([0, 0]);
  });

  test('freed twice is an error; what could not be allocated is a null pointer, which may be freed', () => {
    const { codes } = play((host, program) => {
      program.buffer('x', { bytes: 64 });
      program.buffer('huge', { bytes: CAPACITY + 1 });
      host.malloc('x');
      host.free('x');
      host.free('x');
      host.malloc('huge');
      host.free('huge');
    });
    expect(codes).toEqual([0, 0, 1, 2, 0]);
  });

  test('6.6, 6.7 allocation and free wait for the work of the device, not of others', () => {
    const { issued, runtime } = play((host, program) => {
      program.buffer('x', { bytes: 64 });
      host.launchKernel('k', 'a');
      host.launchKernel('k', 'n');
      host.memsetAsync(64, 'far');
      host.malloc('x');
      host.free('x');
    });
    const until = ['a', 'n'].map((name, op) => [runtime.stream(0, name).index, op]);
    expect(issued.slice(3).map((i) => i.block)).toEqual([
      { on: 'streams', until, cause: 'implicitSync' },
      { on: 'streams', until, cause: 'implicitSync' },
    ]);
  });

  test('6.6 page-locked memory waits for the current device when it is made, for all when it is freed', () => {
    const { issued, runtime } = play((host, program) => {
      program.buffer('x', { bytes: 64, space: 'host' });
      host.launchKernel('k', 'a');
      host.memsetAsync(64, 'far');
      host.mallocHost('x');
      host.freeHost('x');
    });
    const [here, far] = ['a', 'far'].map((name, op) => [runtime.stream(0, name).index, op]);
    expect(issued.slice(2).map((i) => i.block)).toEqual([
      { on: 'streams', until: [here], cause: 'implicitSync' },
      { on: 'streams', until: [here, far], cause: 'implicitSync' },
    ]);
  });

  test('6.7 a free waits for the devices that have access to the memory, too', () => {
    const { issued, runtime } = play((host, program) => {
      program.buffer('x', { bytes: 64 });
      host.malloc('x');
      host.setDevice(1);
      host.deviceEnablePeerAccess(0);
      host.launchKernel('k', 'far');
      host.setDevice(0);
      host.free('x');
    });
    expect(issued.at(-1)?.block).toMatchObject({ until: [[runtime.stream(0, 'far').index, 3]] });
  });
});

describe('stream-ordered allocation', () => {
  const growth = Math.round((GIB / HOST.poolGrowth) * 1e12);

  test('6.7 the pool grows only beyond what it ever held', () => {
    const { issued } = play((host, program) => {
      for (const name of ['x', 'y', 'z']) program.buffer(name, { bytes: GIB });
      host.mallocAsync('x', 'a');
      host.mallocAsync('y', 'a');
      host.freeAsync('x', 'a');
      host.mallocAsync('z', 'a');
    });
    expect(issued.map((i) => i.cost)).toEqual([
      HOST.mallocAsyncFirst + growth,
      HOST.mallocAsync + growth,
      HOST.freeAsync,
      HOST.mallocAsync,
    ]);
    expect(issued.map((i) => i.block)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('6.7 growth waits for the device where the documented list of implicit synchronisations holds', () => {
    const { issued, runtime } = play(
      (host, program) => {
        for (const name of ['x', 'y']) program.buffer(name, { bytes: GIB });
        host.launchKernel('k', 'n');
        host.mallocAsync('x', 'a');
        host.freeAsync('x', 'a');
        host.mallocAsync('y', 'a');
      },
      RULES,
      () => false,
      'listed',
    );
    const until = [[runtime.stream(0, 'n').index, 0]];
    expect(issued.map((i) => i.block)).toEqual([
      undefined,
      { on: 'streams', until, cause: 'implicitSync' },
      undefined,
      undefined,
    ]);
  });

  test('the pool keeps what it has grown to, so that other allocations fail (2)', () => {
    const { codes } = play((host, program) => {
      program.buffer('x', { bytes: CAPACITY });
      program.buffer('y', { bytes: 64 });
      program.buffer('z', { bytes: 64 });
      host.mallocAsync('x', 'a');
      host.mallocAsync('y', 'a');
      host.freeAsync('x', 'a');
      host.malloc('z');
      host.mallocAsync('y', 'a');
    });
    expect(codes).toEqual([0, 2, 0, 2, 0]);
  });

  test('a captured allocation is a node, not a command', () => {
    const { issued, codes } = play((host, program) => {
      program.buffer('x', { bytes: GIB });
      host.streamBeginCapture('a');
      host.mallocAsync('x', 'a');
      host.streamEndCapture('a', 'g');
    });
    expect(codes).toEqual([0, 0, 0]);
    expect(issued[1]).toMatchObject({ captured: true, commands: [], cost: HOST.capturedCall });
  });
});
