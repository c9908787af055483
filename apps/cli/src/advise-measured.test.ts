import { machineFor, prepareCases } from '@griddep/hardware';
import { carriedCases } from '@griddep/hardware/cases';
import { type Advice, advise } from '@griddep/insight';
import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';

const h200 = machineByName('h200');
const cases = new Map(
  prepareCases(carriedCases(['calib1', 'calib1b']), h200, 'environment').map((each) => [each.measured.name, each]),
);

/** From the first start to the last end, us. The gate's own end varies by more than some gains, so it does not count. */
function measured(name: string): number {
  const operations = cases.get(name)?.measured.operations ?? [];
  const [first, last] = [operations.map(({ start }) => start), operations.map(({ end }) => end)];
  return (Math.max(...last) - Math.min(...first)) / 1000;
}

/** Half of a chain's kernel stands before its wait, as it was measured. */
const shares = new Map([['k', { beforeWait: 0.5, beforeTrigger: 0 }]]);

function adviceOn(name: string): Advice {
  const prepared = cases.get(name);
  if (prepared === undefined) throw new Error(`no case ${name}`);
  return advise(prepared.measured.program, machineFor(prepared, h200), { from: 'gate', shares });
}

const US = 1_000_000;
const gainOf = (advice: Advice, name: string): number =>
  (advice.trials.find((trial) => trial.name === name)?.gain ?? Number.NaN) / US;

/** What the hardware gains is met within 15 % or 1 us, and in its sign, where it is more than the measurement's noise. */
function expectMet(what: string, simulated: number, gain: number): void {
  const allowed = Math.max(1, 0.15 * Math.abs(gain));
  expect(Math.abs(simulated - gain), `${what}: ${simulated} us, measured ${gain} us`).toBeLessThanOrEqual(allowed);
  if (Math.abs(gain) > NOISE) expect(Math.sign(simulated), what).toBe(Math.sign(gain));
}

/** Two runs of one case differ by as much, us. */
const NOISE = 0.25;

describe('advice agrees with what an H200 gained', { timeout: 60_000 }, () => {
  it.each([500, 1000, 2000, 20000])('1.1, 4.1 chains of 32 kernels of %i ns: PDL, graph, both', (ns) => {
    const plain = `chain32-plain-${ns}`;
    const advice = adviceOn(plain);
    const gain = (way: string): number => measured(plain) - measured(`chain32-${way}-${ns}`);
    const [pair] = advice.pairs;
    expectMet('PDL', (pair?.early.gain ?? Number.NaN) / US, gain('pdl'));
    expectMet('graph', gainOf(advice, 'graph'), gain('graph'));
    expectMet('both', gainOf(advice, 'graph and PDL'), gain('graphpdl'));
    expect(advice.best?.name).toBe('graph and PDL');
    expect(pair?.onPath).toBe(31);
  });

  it.each([1000, 8000])('1.3, 1.4 the best place for a trigger before a preamble of %i ns', (preamble) => {
    const late = `trigger-at-20000-tail-0-preamble-${preamble}`;
    const gains = [0, 2000, 10000, 18000].map(
      (at) => measured(late) - measured(`trigger-at-${at}-tail-${20000 - at}-preamble-${preamble}`),
    );
    const { trigger } = adviceOn(late).pairs[0] as Advice['pairs'][number];
    expect(trigger?.verdict).toBe('gain');
    expectMet('trigger', (trigger?.gain ?? Number.NaN) / US, Math.max(...gains));
  });

  it.each([...cases.keys()].filter((name) => /^pdl-fill-.*-trig0$/.test(name)))(
    '1.16 %s: whether a trigger at entry gains anything beside a primary that fills the SMs',
    (name) => {
      const gain = measured(name) - measured(name.replace('trig0', 'trig1'));
      const { trigger, early } = adviceOn(name).pairs[0] as Advice['pairs'][number];
      // Without a place that is better than none, a trigger gains nothing.
      expect(early.verdict).toBeDefined();
      expectMet(name, (trigger?.gain ?? 0) / US, gain);
    },
  );

  const contending = [...cases.keys()].filter((name) => /^pdl-contend-.*-pdl0$/.test(name));
  // What L2 still holds of what the primary streams is modelled too coldly there: right sign, 4 us too much.
  const misjudged = ['pdl-contend-load64KB-preload256KB-pdl0'];

  it.each(contending)('1.16, 7.13 %s: an early launch gains or does not', (name) => {
    const gain = measured(name) - measured(name.replace('pdl0', 'pdl1'));
    const { early, trigger } = adviceOn(name).pairs[0] as Advice['pairs'][number];
    expect(Math.sign((trigger ?? early).gain)).toBe(Math.sign(gain));
  });

  const byHowMuch = (name: string): void => {
    const gain = measured(name) - measured(name.replace('pdl0', 'pdl1'));
    const { early, trigger } = adviceOn(name).pairs[0] as Advice['pairs'][number];
    expectMet(name, (trigger ?? early).gain / US, gain);
  };
  it.each(contending.filter((name) => !misjudged.includes(name)))('1.16, 7.13 %s: by how much', byHowMuch);
  for (const name of misjudged) it.fails(`1.16, 7.13 ${name}: by how much`, () => byHowMuch(name));
});
