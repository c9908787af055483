import { readFile } from 'node:fs/promises';
import { machineByName } from '@griddep/machine';
import { hashTimeline, type Timeline } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { simulateHostCodeParallel } from '../parallel/simulate-host-code-parallel.ts';
import {
  type CudaHost,
  CudaStream,
  check,
  cudaErrorNotReady,
  cudaEvent,
  cudaGetErrorName,
  cudaGraph,
  cudaKernel,
  cudaStream,
  cudaStreamCaptureModeGlobal,
  cudaStreamNonBlocking,
  cudaStreamPerThread,
  type HostCode,
  out,
  pointer,
  simulateHostCode,
} from './index.ts';

const H200 = machineByName('h200');
const US = 1e6;
/** For those that start worker threads. */
const LONG = { timeout: 60_000 };
const spin = (name: string, duration: string) =>
  cudaKernel(name, { grid: 8, block: 64, phases: [{ op: 'spin', duration }] });
const short = spin('short', '20us');
const long = spin('long', '200us');

/** Simulates one host thread. */
function thread(body: (host: CudaHost) => Promise<void>, machine = H200): Promise<Timeline> {
  return simulateHostCode((cuda) => {
    cuda.hostThread(body);
  }, machine);
}

describe('code branches on what it observes', () => {
  it('5.5 cudaEventQuery: as many polls as the kernel is long, and none for an event that was never recorded', async () => {
    const polls = async (kernel: typeof short): Promise<number> => {
      let count = 0;
      await thread(async (host) => {
        const done = cudaEvent('done');
        check(host.cudaEventCreate(done));
        expect(await host.cudaEventQuery(done)).toBe(0);
        check(host.launch(kernel)());
        check(host.cudaEventRecord(done));
        while ((await host.cudaEventQuery(done)) === cudaErrorNotReady) {
          count++;
          host.compute('1us');
        }
      });
      return count;
    };
    const [few, many] = [await polls(short), await polls(long)];
    expect(few).toBeGreaterThan(10);
    expect(many).toBeGreaterThan(5 * few);
  });

  it('5.7 cudaEventElapsedTime: the time between two records; code chooses by it what to launch', async () => {
    const chosen = async (kernel: typeof short): Promise<[number | undefined, string[]]> => {
      const ms = out<number>();
      const { operations } = await thread(async (host) => {
        const [start, end] = [cudaEvent('start'), cudaEvent('end')];
        host.cudaEventCreate(start);
        host.cudaEventCreate(end);
        host.cudaEventRecord(start);
        host.launch(kernel)();
        host.cudaEventRecord(end);
        expect(await host.cudaEventElapsedTime(ms, start, end)).toBe(cudaErrorNotReady);
        expect(ms.value).toBeUndefined();
        await host.cudaEventSynchronize(end);
        check(await host.cudaEventElapsedTime(ms, start, end));
        host.launch((ms.value ?? 0) > 0.1 ? short : long)();
      });
      const records = operations.filter(({ kind }) => kind === 'eventRecord');
      expect(ms.value).toBeCloseTo(((records[1]?.end ?? 0) - (records[0]?.end ?? 0)) / 1e9, 9);
      return [ms.value, operations.filter(({ kind }) => kind === 'kernel').map(({ name }) => name)];
    };
    const [briefly, first] = await chosen(short);
    const [longer, second] = await chosen(long);
    expect(briefly).toBeGreaterThan(0.02);
    expect(briefly).toBeLessThan(0.03);
    expect(longer).toBeGreaterThan(0.2);
    expect([first, second]).toEqual([
      ['short', 'long'],
      ['long', 'short'],
    ]);
  });

  it('virtual time passes in awaited calls, by the cost of those before', async () => {
    const times: number[] = [];
    const timeline = await thread(async (host) => {
      times.push(await host.now());
      host.compute('5us');
      host.compute('7us');
      times.push(await host.now());
      host.launch(short)();
      await host.cudaDeviceSynchronize();
      times.push(await host.now());
    });
    expect(times.slice(0, 2)).toEqual([0, 12 * US]);
    expect(times[2]).toBe(timeline.hostTotal);
    expect(times[2]).toBeGreaterThan(32 * US);
  });
});

describe('two host threads', () => {
  const both = async (stream: CudaStream | 0): Promise<boolean> => {
    const { operations } = await simulateHostCode((cuda) => {
      for (const _ of [0, 1]) {
        cuda.hostThread(async (host) => {
          check(host.launch(long, 8, 64, 0, stream)());
          check(await host.cudaStreamSynchronize(stream));
        });
      }
    }, H200);
    const [one, other] = operations.filter(({ kind }) => kind === 'kernel');
    return (other?.start ?? 0) < (one?.end ?? 0);
  };

  it('7.14, 5.1 on stream 0 are serialised', async () => expect(await both(0)).toBe(false));
  it('7.14, 5.2 on their own default streams are concurrent', async () => {
    expect(await both(cudaStreamPerThread)).toBe(true);
  });

  it('tell each other by flags, and give their results to the program', async () => {
    let sum = 0;
    await simulateHostCode(async (cuda) => {
      const results = [
        cuda.hostThread(async (host) => {
          await host.awaitFlag('ready', 3);
          return host.now();
        }),
        cuda.hostThread(async (host) => {
          host.compute('40us');
          host.signal('ready', 3);
          return 2;
        }),
      ];
      for (const result of await Promise.all(results)) sum += result;
    }, H200);
    expect(sum).toBeGreaterThan(40 * US);
    expect(sum).toBeLessThan(50 * US);
  });

  it('5.20 what another thread does in the time of a call that has been answered shows as the last error', async () => {
    const seen: number[] = [];
    await simulateHostCode((cuda) => {
      cuda.hostThread(async (host) => {
        const stream = cudaStream('s');
        host.cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        host.cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        for (let i = 0; i < 100; i++) host.launch(short, 8, 64, 0, stream)();
        seen.push(host.cudaStreamEndCapture(stream, cudaGraph()), host.cudaGetLastError());
        await host.now();
        seen.push(host.cudaGetLastError(), host.cudaGetLastError());
      });
      cuda.hostThread(async (host) => {
        host.compute('10us');
        seen.push(await host.cudaMalloc(pointer('p'), 1024));
      });
    }, H200);
    expect(seen).toEqual([0, 0, 900, 901, 0]);
  });

  it('one that waits for ever is in the timeline', async () => {
    const { stuck } = await simulateHostCode(async (cuda) => {
      await cuda.hostThread((host) => host.awaitFlag('never'));
    }, H200);
    expect(stuck.length).toBe(1);
    expect(JSON.stringify(stuck)).toContain('never');
  });
});

describe('what is not CUDA', () => {
  const fails = (code: HostCode) => expect(simulateHostCode(code, H200)).rejects;

  it('awaiting a timer is an error with the place of the newest call', LONG, async () => {
    const code: HostCode = (cuda) => {
      cuda.hostThread(async (host) => {
        host.cudaDeviceEnablePeerAccess(7);
        await new Promise((resolve) => setTimeout(resolve, 0));
        host.cudaDeviceEnablePeerAccess(7);
      });
    };
    await fails(code).toThrow(
      /^host thread "main" awaits something outside virtual time, after cudaDeviceEnablePeerAccess at host-code\.test\.ts:\d+:\d+/,
    );
    await expect(simulateHostCodeParallel(code, machineByName('h200x2'), { workers: 2 })).rejects.toThrow(
      /awaits something outside virtual time, after cudaDeviceEnablePeerAccess at host-code\.test\.ts:\d+/,
    );
  });

  it.each([
    ['setImmediate', () => new Promise((resolve) => setImmediate(resolve))],
    ['a file', () => readFile(new URL(import.meta.url))],
    ['a promise that never settles', () => new Promise(() => {})],
  ])('awaiting %s as the first thing names where the thread starts', async (_, wait) => {
    await fails((cuda) => {
      cuda.hostThread(async () => {
        await wait();
      });
    }).toThrow(/outside virtual time, after its start at host-code\.test\.ts:\d+:\d+/);
  });

  it('promises that settle by themselves are no time', async () => {
    const { hostTotal } = await thread(async (host) => {
      const helper = async (): Promise<void> => {
        host.compute('1us');
        await Promise.all([1, 2, 3].map(async (n) => n));
      };
      await helper();
      await helper();
    });
    expect(hostTotal).toBe(2 * US);
  });

  it('a call that is not awaited is an error at the next call, or at the end', async () => {
    await fails((cuda) => {
      cuda.hostThread((host) => {
        host.cudaDeviceSynchronize();
        host.launch(short)();
      });
    }).toThrow(
      /^cudaLaunchKernelEx at host-code\.test\.ts:\d+:\d+: cudaDeviceSynchronize at host-code\.test\.ts:\d+:\d+ was not/,
    );
    await fails((cuda) => {
      cuda.hostThread((host) => {
        host.cudaDeviceSynchronize();
      });
    }).toThrow(/^cudaDeviceSynchronize at host-code\.test\.ts:\d+:\d+ was not awaited/);
  });

  it('a host of another thread, or of one that has ended, cannot be used', async () => {
    await fails((cuda) => {
      let other: CudaHost | undefined;
      cuda.hostThread(async (host) => {
        other = host;
      });
      cuda.hostThread(async () => {
        other?.launch(short)();
      });
    }).toThrow(/^cudaLaunchKernelEx at host-code\.test\.ts:\d+:\d+: host thread "main" has ended/);
  });

  it('threads are started before the first await', async () => {
    await fails(async (cuda) => {
      await cuda.hostThread(() => {});
      cuda.hostThread(() => {});
    }).toThrow(/^host thread at host-code\.test\.ts:\d+:\d+: host threads are started before the first await/);
  });

  it('what the code throws comes out, as do failures that it checks', async () => {
    await fails((cuda) => {
      cuda.hostThread(async (host) => {
        await host.cudaDeviceSynchronize();
        throw new TypeError('mine');
      });
    }).toThrow(new TypeError('mine'));
    await fails((cuda) => {
      cuda.hostThread(async (host) => check(host.cudaStreamDestroy(new CudaStream('none'))));
    }).toThrow('a CUDA call returned cudaErrorInvalidResourceHandle (400)');
    expect([0, 700, 4711].map(cudaGetErrorName)).toEqual([
      'cudaSuccess',
      'cudaErrorIllegalAddress',
      'cudaErrorUnknown',
    ]);
  });
});

it('one hash with the devices in worker threads, for code that branches on queries and times', LONG, async () => {
  const machine = machineByName('h200x4');
  const code: HostCode = (cuda) => {
    for (const device of [0, 1, 2, 3]) {
      cuda.hostThread(
        async (host) => {
          const [start, end] = [cudaEvent(`start${device}`), cudaEvent(`end${device}`)];
          host.cudaEventCreate(start);
          host.cudaEventCreate(end);
          const ms = out<number>();
          for (let i = 0; i < 5; i++) {
            host.cudaEventRecord(start);
            host.launch(i % 2 === 0 ? short : long, 8 * (1 + device))();
            host.cudaEventRecord(end);
            while ((await host.cudaEventQuery(end)) === cudaErrorNotReady) host.compute('3us');
            await host.cudaEventElapsedTime(ms, start, end);
            host.compute(`${Math.round((ms.value ?? 0) * 1e6)}ns`);
          }
        },
        { name: `rank${device}`, device },
      );
    }
  };
  const expected = await simulateHostCode(code, machine);
  expect(expected.operations.filter(({ kind }) => kind === 'kernel').length).toBe(20);
  for (const workers of ['sequential', 2, 3, 'per-device'] as const) {
    const { timeline } = await simulateHostCodeParallel(code, machine, { workers });
    expect(hashTimeline(timeline)).toBe(hashTimeline(expected));
    expect(timeline).toEqual(expected);
  }
});
