import type { Machine } from '@griddep/machine';
import { buildScenario, type HostThreadBuilder, programBuilder } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import { H200, MIB, type Run, seen, takes } from './rules.fixture.ts';

const CHUNKS = 8;
const LISTED: Machine = { ...H200, host: { ...H200.host, implicitSynchronization: 'listed' } };

function pipeline(spoiledBy: string, machine = H200): Run {
  const run = seen(simulate(buildScenario('four-stream-pipeline', { spoiledBy }), machine));
  expect([run.codes, run.timeline.stuck]).toEqual([[], []]);
  return run;
}
/** Chunks that begin before the one before them has ended. */
function overlapping({ at }: Run): number {
  let count = 0;
  for (let i = 1; i < CHUNKS; i++) if (at(`upload#${i}`, 'start') < at(`download#${i - 1}`, 'end')) count++;
  return count;
}
/** What an operation and its cause waited for: kinds, with the operation where a cause names one. */
function causes({ of, waits, timeline }: Run, id: string): readonly string[] {
  const { kind, operation } = of(id).cause;
  const source = operation === undefined ? undefined : timeline.operations[operation]?.id;
  return source === undefined ? waits(id) : [...waits(id), `${kind} ${source}`, ...waits(source)];
}

describe('four streams that copy and compute', () => {
  it('6.4, 6.11 overlap as long as every call is asynchronous and of pinned memory', () => {
    expect(overlapping(pipeline('nothing'))).toBe(CHUNKS - 1);
  });

  it.each<[string, string, readonly string[]]>([
    ['6.2 a blocking download in the default stream', 'blockingCopy', ['host download#3', 'synchronize']],
    ['6.4 an asynchronous download to pageable memory', 'pageableCopy', ['host download#3', 'staging']],
    ['6.7 an allocation that makes the pool grow', 'poolGrowth', ['stream allocate#4', 'implicitSync']],
    ['5.1, 6.6 a memset in the legacy default stream', 'legacyStream', ['legacyStream reset#3']],
  ])('%s makes them take turns, and the timeline names it', (_, spoiledBy, expected) => {
    const spoiled = pipeline(spoiledBy);
    expect(overlapping(spoiled)).toBe(0);
    expect(causes(spoiled, 'upload#4')).toEqual(expect.arrayContaining([...expected]));
    expect(spoiled.timeline.hostTotal).toBeGreaterThan(2 * pipeline('nothing').timeline.hostTotal);
  });

  /** Eight chunks of work in four streams, with something once in the middle. */
  const once = (spoil: (host: HostThreadBuilder) => void, machine = H200): Run => {
    const p = programBuilder('once');
    p.kernel('work', takes(60));
    p.buffer('scratch', { bytes: 1024 * MIB });
    p.buffer('little', { bytes: MIB });
    for (let i = 0; i < 4; i++) p.stream(`q${i}`);
    const host = p.hostThread('main');
    for (let i = 0; i < 8; i++) {
      if (i === 4) spoil(host);
      host.memcpyAsync('hostToDevice', MIB, `q${i % 4}`, { hostMemory: 'pinned', label: `upload#${i}` });
      host.launchKernel('work', `q${i % 4}`, undefined, { label: `work#${i}` });
    }
    return seen(simulate(p.build(), machine));
  };

  it.each<[string, (host: HostThreadBuilder) => void]>([
    ['6.2 a blocking copy', (host) => host.memcpy('deviceToHost', MIB, { hostMemory: 'pinned', label: 'once' })],
    [
      '6.4 a pageable copy',
      (host) => host.memcpyAsync('deviceToHost', MIB, 'q3', { hostMemory: 'pageable', label: 'once' }),
    ],
    ['6.7 an allocation that grows the pool', (host) => host.mallocAsync('scratch', 'q3', { label: 'once' })],
    ['5.1 a legacy-stream call', (host) => host.launchKernel('work', 'legacy', undefined, { label: 'once' })],
  ])('%s, once, divides the work into what comes before and what comes after', (_, spoil) => {
    const [spoiled, plain] = [once(spoil), once(() => {})];
    expect(plain.at('upload#4', 'start')).toBeLessThan(plain.at('work#3', 'end'));
    expect(spoiled.at('upload#4', 'start')).toBeGreaterThan(spoiled.at('work#3', 'end'));
    expect(causes(spoiled, 'upload#4').join(' ')).toMatch(/\bonce\b/);
  });

  it('6.7 by the documented list any growth of the pool waits for the device', () => {
    const little = (host: HostThreadBuilder) => host.mallocAsync('little', 'q3', { label: 'once' });
    const [listed, observed] = [once(little, LISTED), once(little)];
    expect(observed.at('once', 'callEnd')).toBeLessThan(observed.at('work#3', 'end'));
    expect(listed.at('upload#4', 'start')).toBeGreaterThan(listed.at('work#3', 'completion'));
    expect(listed.waits('once')).toContain('implicitSync work#3');
    expect(causes(listed, 'upload#4')).toContain('host once');
  });
});
