import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Call,
  listScenarios,
  type ParameterValues,
  type Program,
  readProgram,
  type Scenario,
  writeProgram,
  writeProgramJson,
} from '../../index.ts';
import { atRandom, bindings, enqueued, hostTime, inTurn, races } from './happens-before.fixture.ts';

const all = listScenarios().filter((s) => s.params.some((p) => p.name === 'devices'));
const named = all.map((s) => [s.name, s] as const);
const KIB = 1024;

function scenario(name: string): Scenario {
  const found = all.find((s) => s.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

function calls(program: Program): Call[] {
  return program.threads.flatMap((t) => Array.from({ length: t.calls.length }, (_, i) => t.calls.at(i)));
}

function counts(program: Program): Partial<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const { kind } of calls(program)) result[kind] = (result[kind] ?? 0) + 1;
  return result;
}

function peerCopies(program: Program): Extract<Call, { kind: 'memcpy' }>[] {
  return calls(program).flatMap((call) => (call.kind === 'memcpy' && call.copy === 'peer' ? [call] : []));
}

/** Small values of the parameters, so that pairs of operations can be compared. */
const values: Readonly<Record<string, fc.Arbitrary<number | boolean | string>>> = {
  bytes: fc.nat(400).map((kib) => kib * KIB),
  chunkBytes: fc.integer({ min: 16, max: 80 }).map((kib) => kib * KIB),
  items: fc.integer({ min: 1, max: 5 }),
  rounds: fc.integer({ min: 1, max: 3 }),
  iterations: fc.integer({ min: 1, max: 5 }),
  microbatches: fc.integer({ min: 1, max: 9 }),
  layers: fc.integer({ min: 1, max: 4 }),
  steps: fc.integer({ min: 1, max: 2 }),
  bucket: fc.integer({ min: 1, max: 3 }),
  devicesPerNode: fc.constantFrom(1, 2, 3, 1024),
  extra: fc.constantFrom(0, 30),
};

function parameters(of: Scenario, mostDevices: number): fc.Arbitrary<ParameterValues> {
  const each = of.params.map((p): [string, fc.Arbitrary<number | boolean | string>] => {
    if (p.name === 'devices') return [p.name, fc.integer({ min: 1, max: mostDevices })];
    if (typeof p.default === 'boolean') return [p.name, fc.boolean()];
    if (p.choices !== undefined) return [p.name, fc.constantFrom(...p.choices)];
    const chosen = values[p.name];
    return [p.name, chosen === undefined ? fc.constant(p.default) : chosen.map((v) => Math.max(Number(v), p.min ?? 0))];
  });
  return fc.record(Object.fromEntries(each));
}

describe('on any number of devices', () => {
  it.each(named)('%s has no race, and its host threads mean the same records in any order', (_, s) => {
    fc.assert(
      fc.property(parameters(s, 7), fc.nat(), (set, seed) => {
        const program = s.build(set);
        const operations = enqueued(program, inTurn());
        expect(races(operations)).toEqual([]);
        expect(bindings(enqueued(program, atRandom(seed)))).toEqual(bindings(operations));
      }),
      { numRuns: 25 },
    );
  });

  it.each(named)('%s: one host thread enqueues the same as a thread a device', (_, s) => {
    fc.assert(
      fc.property(parameters(s, 16), (set) => {
        const work = (host: string) =>
          enqueued(s.build({ ...set, host }), inTurn())
            .filter(({ call }) => call.kind === 'launchKernel' || call.kind === 'memcpy' || call.kind === 'collective')
            .map(({ call }) => JSON.stringify(call))
            .sort();
        expect(work('one')).toEqual(work('perDevice'));
      }),
      { numRuns: 10 },
    );
  });

  it.each(named)('%s reads back as written', (_, s) => {
    fc.assert(
      fc.property(parameters(s, 16), (set) => {
        const program = s.build(set);
        const read = readProgram(writeProgramJson(program), { file: 'scenario.json' });
        expect(writeProgram(read)).toEqual(writeProgram(program));
      }),
      { numRuns: 5 },
    );
  });

  it.each(named)('%s uses every device, its own streams, and enables the peer access that its copies use', (_, s) => {
    fc.assert(
      fc.property(parameters(s, 16), (set) => {
        const program = s.build(set);
        const devices = new Set([...program.streams.values()].map((stream) => stream.device));
        expect([...devices].sort((a, b) => a - b)).toEqual(Array.from({ length: Number(set.devices) }, (_, i) => i));
        const enabled = new Set<string>();
        for (const thread of program.threads) {
          let device = thread.device;
          for (let i = 0; i < thread.calls.length; i++) {
            const call = thread.calls.at(i);
            if (call.kind === 'setDevice') device = call.device;
            if (call.kind === 'launchKernel') expect(program.streams.get(call.stream)?.device).toBe(device);
            if (call.kind !== 'deviceEnablePeerAccess') continue;
            expect(call.peer).not.toBe(device);
            expect(enabled.has(`${device} ${call.peer}`)).toBe(false);
            enabled.add(`${device} ${call.peer}`);
          }
        }
        for (const { stream, source, destination, sourceDevice, destinationDevice } of peerCopies(program)) {
          const here = program.streams.get(stream)?.device;
          expect([sourceDevice, destinationDevice]).toContain(here);
          expect(sourceDevice).not.toBe(destinationDevice);
          expect(program.buffers.get(source?.buffer ?? '')?.device).toBe(sourceDevice);
          expect(program.buffers.get(destination?.buffer ?? '')?.device).toBe(destinationDevice);
          const peer = here === sourceDevice ? destinationDevice : sourceDevice;
          const node = (device = 0) => Math.floor(device / Number(set.devicesPerNode));
          expect(enabled.has(`${here} ${peer}`)).toBe(set.peerAccess !== false && node(here) === node(peer));
        }
        if (set.devices === 1)
          expect(counts(program)).not.toMatchObject({
            streamWaitEvent: expect.anything(),
            collective: expect.anything(),
          });
      }),
      { numRuns: 10 },
    );
  });
});

/** Bytes that each device sends to others. */
function sentBy(program: Program): number[] {
  const sent: number[] = [];
  for (const { sourceDevice = 0, bytes } of peerCopies(program)) sent[sourceDevice] = (sent[sourceDevice] ?? 0) + bytes;
  return sent;
}

const sizes = fc.record({
  devices: fc.integer({ min: 2, max: 16 }),
  bytes: fc.integer({ min: 16, max: 4000 }).map((kib) => kib * KIB),
  chunkBytes: fc.integer({ min: 16, max: 500 }).map((kib) => kib * KIB),
});
const tiles = (bytes: number) => Math.max(1, Math.floor(bytes / (16 * KIB)));

describe('counts and bytes', () => {
  it('ring-allreduce: each device sends 2 (n - 1) / n of the data to its right neighbour', () => {
    fc.assert(
      fc.property(sizes, ({ devices: n, ...set }) => {
        const program = scenario('ring-allreduce').build({ devices: n, ...set });
        const segment = tiles(set.bytes / n);
        const chunks = Math.ceil(segment / Math.min(segment, tiles(set.chunkBytes)));
        const data = program.buffers.get('data0')?.bytes ?? 0;
        expect(data).toBe(n * segment * 16 * KIB);
        expect(sentBy(program)).toEqual(Array(n).fill((2 * (n - 1) * data) / n));
        for (const { sourceDevice = 0, destinationDevice } of peerCopies(program)) {
          expect(destinationDevice).toBe((sourceDevice + 1) % n);
        }
        const spread = Math.min(2, chunks) - 1;
        expect(counts(program)).toMatchObject({
          memcpy: 2 * n * (n - 1) * chunks,
          launchKernel: n + n * (n - 1) * chunks,
          eventRecord: 2 * n * (n - 1) * chunks + n * spread,
          streamWaitEvent: 2 * n * (n - 1) * chunks + n * spread,
          deviceEnablePeerAccess: n,
        });
      }),
      { numRuns: 20 },
    );
  });

  it('tree-allreduce: each chunk goes up and comes down every edge once', () => {
    fc.assert(
      fc.property(sizes, ({ devices: n, ...set }) => {
        const program = scenario('tree-allreduce').build({ devices: n, ...set });
        const whole = tiles(set.bytes);
        const chunks = Math.ceil(whole / Math.min(whole, tiles(set.chunkBytes)));
        expect(counts(program)).toMatchObject({ memcpy: 2 * (n - 1) * chunks, launchKernel: n + (n - 1) * chunks });
        const copies = peerCopies(program);
        for (let child = 1; child < n; child++) {
          const parent = Math.floor((child - 1) / 2);
          const between = copies.filter(
            (c) => [c.sourceDevice, c.destinationDevice].sort().join() === [parent, child].sort().join(),
          );
          expect(between).toHaveLength(2 * chunks);
        }
        expect(sentBy(program).reduce((a, b) => a + b)).toBe(2 * (n - 1) * whole * 16 * KIB);
      }),
      { numRuns: 20 },
    );
  });

  it('all-gather and all-to-all: each device sends n - 1 segments', () => {
    fc.assert(
      fc.property(sizes, ({ devices: n, bytes, chunkBytes }) => {
        const segment = tiles(bytes / n) * 16 * KIB;
        const gathered = scenario('all-gather').build({ devices: n, bytes, chunkBytes });
        expect(sentBy(gathered)).toEqual(Array(n).fill((n - 1) * segment));
        const exchanged = scenario('all-to-all').build({ devices: n, bytes });
        expect(sentBy(exchanged)).toEqual(Array(n).fill((n - 1) * segment));
        expect(counts(exchanged)).toMatchObject({
          memcpy: n * n,
          eventRecord: n,
          streamWaitEvent: n * (n - 1),
          launchKernel: 2 * n,
        });
        for (let step = 0; step < n - 1; step++) {
          const targets = exchanged.threads.map(({ calls }) => {
            const copies = Array.from({ length: calls.length }, (_, i) => calls.at(i)).filter(
              (c) => c.kind === 'memcpy' && c.copy === 'peer',
            );
            return (copies[step] as { destinationDevice?: number }).destinationDevice;
          });
          expect(new Set(targets).size).toBe(n);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('pipeline-1f1b: no more than n - r microbatches in flight in stage r', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 20 }), (n, microbatches) => {
        const program = scenario('pipeline-1f1b').build({ devices: n, microbatches });
        expect(counts(program)).toMatchObject({ launchKernel: n * (2 * microbatches + 1) });
        expect(peerCopies(program)).toHaveLength(2 * (n - 1) * microbatches);
        program.threads.forEach(({ calls }, stage) => {
          const passes = Array.from({ length: calls.length }, (_, i) => calls.label(i)?.split('/')[1] ?? '').filter(
            (l) => /^(for|back)ward/.test(l),
          );
          let inFlight = 0;
          let most = 0;
          for (const pass of passes) {
            inFlight += pass.startsWith('forward') ? 1 : -1;
            most = Math.max(most, inFlight);
          }
          expect([inFlight, most]).toEqual([0, Math.min(microbatches, n - stage)]);
          const of = (kind: string) => passes.filter((l) => l.startsWith(kind)).map((l) => Number(l.split('#')[1]));
          expect(of('forward')).toEqual(Array.from({ length: microbatches }, (_, i) => i));
          expect(of('backward')).toEqual(of('forward'));
        });
      }),
      { numRuns: 30 },
    );
  });

  it.each([1, 2, 5, 16])('the others, on %i devices', (n) => {
    const count = (name: string, set: ParameterValues) => counts(scenario(name).build({ devices: n, ...set }));
    expect(count('halo-exchange', { iterations: 3 })).toMatchObject({ launchKernel: 2 * 3 * n });
    expect(count('halo-exchange', { iterations: 3 }).memcpy ?? 0).toBe(2 * (n - 1) * 3);
    expect(count('portable-peer-copy', { items: 5 })).toMatchObject({ launchKernel: 5 * n });
    expect(count('portable-peer-copy', { items: 5 }).memcpy ?? 0).toBe(5 * (n - 1));
    expect(count('portable-peer-copy', { items: 5 }).streamWaitEvent ?? 0).toBe((n - 1) * (5 + 3));
    expect(count('imbalanced-devices', { rounds: 3 })).toMatchObject({ launchKernel: 3 * n });
    expect(count('imbalanced-devices', { rounds: 3 }).streamWaitEvent ?? 0).toBe(2 * 3 * (n - 1));
    expect(count('data-parallel-step', { layers: 5, bucket: 2, allReduce: 'collective' }).collective ?? 0).toBe(
      n === 1 ? 0 : 3 * n,
    );
    expect(count('data-parallel-step', { layers: 5, bucket: 2, allReduce: 'collective' })).toMatchObject({
      launchKernel: 10 * n,
    });
    const decode = { layers: 3, steps: 2 };
    expect(count('tensor-parallel-decode', { ...decode, allReduce: 'collective' }).collective ?? 0).toBe(
      n === 1 ? 0 : 2 * (2 * 3 + 1) * n,
    );
    expect(count('tensor-parallel-decode', { ...decode, allReduce: 'copies' }).memcpy).toBe(
      2 * (2 * n + (2 * 3 + 1) * 2 * (n - 1)),
    );
  });

  it('tensor-parallel-decode: kernels shrink with the number of devices', () => {
    const weights = (devices: number) => {
      const program = scenario('tensor-parallel-decode').build({ devices, layers: 1 });
      return ['wqkv0_0', 'wproj0_0', 'wup0_0', 'wdown0_0'].map((name) => program.buffers.get(name)?.bytes ?? 0);
    };
    expect(weights(4)).toEqual(weights(1).map((bytes) => bytes / 4));
    expect(weights(1)).toEqual([4096 * 6144, 4096 * 4096, 4096 * 28_672, 14_336 * 4096].map((n) => 2 * n));
  });
});

/** Where nothing but time is shared, there is nothing to race for. */
const WITHOUT_SHARED_MEMORY = ['imbalanced-devices'];

it.each(named.filter(([name]) => !WITHOUT_SHARED_MEMORY.includes(name)))(
  '%s would have races without its events: the test sees them',
  (_, s) => {
    const copies = s.params.find((p) => p.name === 'allReduce')?.choices?.at(-1);
    const operations = enqueued(
      s.build(copies === undefined ? { devices: 3 } : { devices: 3, allReduce: copies }),
      inTurn(),
    );
    for (const { call, after } of operations) if (call.kind === 'streamWaitEvent') after.pop();
    expect(races(operations).length).toBeGreaterThan(0);
  },
);

it.each(['ring-allreduce', 'tree-allreduce', 'all-gather', 'all-to-all', 'halo-exchange'])(
  '%s: host threads call side by side, not one after another',
  (name) => {
    // Where each waits for calls that its neighbour makes only afterwards, the time grows with the square of devices.
    const chunks = name === 'tree-allreduce' ? { chunkBytes: 2 ** 20 } : {};
    const program = scenario(name).build({ devices: 24, ...chunks });
    const longest = Math.max(...program.threads.map((thread) => thread.calls.length));
    expect(hostTime(program)).toBeLessThan(2.5 * longest);
  },
);

it('events are recorded again on many devices, each when its waits have been called', () => {
  const program = scenario('all-gather').build({ devices: 70, bytes: 70 * 16 * KIB });
  expect(program.events.size).toBe(70 * 64);
  const operations = enqueued(program, inTurn());
  expect(bindings(enqueued(program, atRandom(7)))).toEqual(bindings(operations));
});
