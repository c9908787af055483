import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { ENOUGH_LAUNCHES, launchTimes, OWN_SHARE } from './build/call-cost.ts';
import { machineTimes } from './build/machine-times.ts';
import { EAGER_MARGIN, LONGER_NODE } from './build/profiler-margin.ts';
import { BEYOND_NESTING, SHARE_OF_LAUNCH, shownByNesting } from './build/range-cost.ts';
import { indexTrace } from './build/trace-index.ts';
import type { Trace } from './trace.ts';
import { fixtureTrace, unprofiledTime } from './unprofiled-times.fixture.ts';

/*
 * Where the constants come from that take the profiler out of a trace: the same work with and without PyTorch 2.11's
 * profiler on one H200, in processes of their own (`fixtures/measure/models.py`, 2026-11-30). Each trace holds two steps.
 */

const STEPS = 2;
const us = (ps: number) => ps / 1e6;
const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;
const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;

/** What the host takes for a step under the profiler, us: usual times of calls, and between the same two calls. */
function hostTime(trace: Trace) {
  const { byCall } = indexTrace(trace);
  const name = (i: number) => `${trace.calls[i]?.name} ${byCall.get(trace.calls[i] as never)?.[0]?.name}`;
  const times = new Map<string, number[]>();
  const keys: string[] = [];
  const add = (key: string, time: number) => {
    keys.push(key);
    times.set(key, [...(times.get(key) ?? []), time]);
  };
  trace.calls.forEach((call, i) => {
    if (/Synchronize/.test(call.name)) return;
    const before = trace.calls[i - 1];
    add(name(i), call.end - call.start);
    if (before !== undefined) add(`${name(i - 1)} > ${name(i)}`, Math.max(0, call.start - before.end));
  });
  const calls = trace.calls.filter((call) => !/Synchronize/.test(call.name));
  return {
    time: us(keys.reduce((sum, key) => sum + median(times.get(key) as number[]), 0)) / STEPS,
    launches: calls.filter((call) => byCall.has(call)).length / STEPS,
    calls: calls.length / STEPS,
    ranges: trace.ranges.length / STEPS,
  };
}

const CHAINS = [512, 2048].flatMap((width) => ['plain', 'pdl'].map((kind) => `scale-dot-${width}-${kind}-eager`));
const MODELS = ['encoder-768', 'decode-2048', 'decode-256'];

describe('what the profiler costs the host', () => {
  it('a launch takes 1.7 us longer, of 4.2 to 4.8, where nothing but launches is recorded', async () => {
    const shares: number[] = [];
    for (const name of CHAINS) {
      const trace = await fixtureTrace(name);
      const { time, launches, ranges } = hostTime(trace);
      expect([ranges, launches >= ENOUGH_LAUNCHES]).toEqual([0, true]);
      const longer = (time - unprofiledTime(name).hostUs) / launches;
      expect(longer).toBeGreaterThan(1.6);
      expect(longer).toBeLessThan(1.8);
      shares.push(1 - longer / us(median(launchTimes(trace))));
    }
    expect(Math.abs(mean(shares) - OWN_SHARE)).toBeLessThan(0.01);
  });

  it('a range costs 1.5 times what shows between nested ones, and 0.26 to 0.33 of a launch', async () => {
    const [factors, ofLaunch]: [number[], number[]] = [[], []];
    for (const model of MODELS) {
      const trace = await fixtureTrace(`${model}-eager`);
      const { time, calls, ranges } = hostTime(trace);
      const launch = us(median(launchTimes(trace)));
      const recorded = calls * (1 - OWN_SHARE) * launch;
      const cost = (time - unprofiledTime(`${model}-eager`).hostUs - recorded) / ranges;
      factors.push(cost / us(shownByNesting(trace) as number));
      ofLaunch.push(cost / launch);
    }
    for (const factor of factors) expect(Math.abs(factor - BEYOND_NESTING)).toBeLessThan(0.05);
    expect(Math.abs(mean(factors) - BEYOND_NESTING)).toBeLessThan(0.02);
    expect(Math.abs(mean(ofLaunch) - SHARE_OF_LAUNCH)).toBeLessThan(0.01);
    expect(Math.max(...ofLaunch) - Math.min(...ofLaunch)).toBeLessThan(0.08);
  });
});

describe('what the profiler makes of kernels', () => {
  const [few, many] = [unprofiledTime('adds-16').gpuUs, unprofiledTime('adds-64').gpuUs];
  const addPeriod = (many - few) / 48;
  /** What lies between events beside the nodes. */
  const around = few - 16 * addPeriod;
  const { graphGap } = machineTimes(machineByName('h200'));
  /** Graphs of kernels alone: nodes, and from a node to the next without the profiler, us. */
  const GRAPHS = [
    { name: 'decode-2048', eager: 'decode-2048-eager', graph: 'decode-2048-graph', nodes: 44 },
    { name: 'decode-256', eager: 'decode-256-eager', graph: 'decode-256-graph', nodes: 120 },
    { name: '512', eager: 'scale-dot-512-plain-eager', graph: 'scale-dot-512-plain-graph', nodes: 32 },
    { name: '2048', eager: 'scale-dot-2048-plain-eager', graph: 'scale-dot-2048-plain-graph', nodes: 24 },
    { name: 'adds', eager: 'adds-1', graph: 'adds-64', nodes: 64 },
  ].map((each) => ({
    ...each,
    period: each.name === 'adds' ? addPeriod : (unprofiledTime(each.graph).gpuUs - around) / each.nodes,
  }));

  it('it reports a kernel 0.48 to 0.72 us longer than its blocks', async () => {
    const margins: number[] = [];
    for (const { eager, period } of GRAPHS) {
      const { operations } = await fixtureTrace(eager);
      const duration = us(mean(operations.map(({ start, end }) => end - start)));
      margins.push(us(graphGap) - (period - duration));
    }
    expect(Math.min(...margins)).toBeGreaterThan(0.46);
    expect(Math.max(...margins)).toBeLessThan(0.74);
    expect(Math.abs(median(margins) - us(EAGER_MARGIN))).toBeLessThan(0.02);
  });

  it('it makes the nodes of a graph follow 0.13 to 0.24 us later', async () => {
    const longer: number[] = [];
    for (const { graph, nodes, period } of GRAPHS) {
      const { operations } = await fixtureTrace(graph);
      const starts = operations.map(({ start }) => start).slice(-nodes);
      expect(operations).toHaveLength(STEPS * nodes);
      longer.push(us((starts.at(-1) as number) - (starts[0] as number)) / (nodes - 1) - period);
    }
    expect(Math.min(...longer)).toBeGreaterThan(0.12);
    expect(Math.max(...longer)).toBeLessThan(0.26);
    expect(Math.abs(median(longer) - us(LONGER_NODE))).toBeLessThan(0.02);
  });
});
