import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { prepareCases } from './case-group.ts';
import { hwrunPair, hwrunText } from './hwrun.fixture.ts';
import { readCases } from './read-cases.ts';
import { isRefused } from './simulate-case.ts';
import { validateCases } from './validate.ts';

const H200 = machineByName('h200');
const measuredOps = (...ops: object[]) => ({ measured: { ops } });
const op = (fields: object) => ({ label: 'k#0', start: 0, end: 5000, ...fields });
const [first, second] = hwrunPair().ops;

function validated(...cases: object[]) {
  const group = { name: 'f.json', cases: readCases(hwrunText(...cases), 'f.json') };
  return validateCases(prepareCases([group], H200, 'environment'), H200);
}

describe('a file of measured cases', () => {
  it('is read', () => {
    const [pair] = validated(hwrunPair());
    expect(pair).toMatchObject({ name: 'pair', measuredMakespanNs: 11_000 });
  });

  it.each([
    [
      'an end before the start',
      measuredOps(op({ end: -1 })),
      /measured\.ops\[0\]\.end: -1 ns is before the start, 0 ns/,
    ],
    ['a call that ends before it begins', measuredOps(op({ hostBegin: 1e12, hostEnd: 0 })), /before the hostBegin/],
    ['percentiles that are reversed', measuredOps(op({ startLo: 100, startHi: -100 })), /startHi: -100 ns is before/],
    [
      'a median outside of its percentiles',
      measuredOps(op({ endLo: 6000, endHi: 7000 })),
      /end: 5000 ns is before the endLo/,
    ],
    ['an absurd instant', measuredOps(op({ end: 1e300 })), /end: expected number to be <=3600000000000/],
    [
      'an absurd duration of a call',
      measuredOps(op({ hostBegin: 0, hostEnd: 1e15 })),
      /hostEnd: expected number to be/,
    ],
    [
      'a negative total',
      { measured: { ops: [], hostObservedTotal: -5 } },
      /hostObservedTotal: expected number to be >=0/,
    ],
    [
      'negative calls',
      { measured: { ops: [], apiMean: { graphLaunch: -1 } } },
      /graphLaunch: expected number to be >=0/,
    ],
    ['too many devices', { devices: 4097 }, /devices: expected number to be <=4096/],
  ])('is refused with its line and case for %s', (_, change, message) => {
    const read = () => readCases(hwrunText(hwrunPair(change)), 'f.json');
    expect(read).toThrow(message);
    expect(read).toThrow(/^f\.json:1:\d+: cases\[0\]\..* \(case "pair"\)$/);
  });

  it('allows as many devices as a machine can have', () => {
    expect(machineByName('h200x4096').devices.length).toBe(4096);
    expect(() => machineByName('h200x4097')).toThrow(/1 to 4096/);
  });

  it.each([
    ['a measured label that no operation has', measuredOps(op({ label: 'x' })), /operation "x" is none of the case's/],
    [
      'a measured operation that runs on no device',
      { ops: [first, { op: 'hostspin', ns: 5, label: 'h' }], ...measuredOps(op({ label: 'h' })) },
      /"h" is a hostspin/,
    ],
    [
      'a kernel that is not declared',
      { ops: [{ ...first, kernel: '__proto__' }, second] },
      /unknown kernel "__proto__"/,
    ],
    [
      'a graph without streams',
      { mode: 'graph', streams: [], ops: [], ...measuredOps() },
      /a graph is captured in a stream/,
    ],
    ['no zero', { ops: [], ...measuredOps() }, /the first labelled operation is the zero, and there is none/],
    ['a zero that is no call', { ops: [{ op: 'hostspin', ns: 5, label: 'h' }, first, second] }, /"h" is a hostspin/],
    [
      'an unknown operation',
      { ops: [first, { ...second, op: 'constructor' }], ...measuredOps(op({})) },
      /unknown operation "constructor"/,
    ],
    ['a host that spins for no time', { ops: [first, second, { op: 'hostspin' }] }, /a hostspin lacks its ns/],
    [
      'an unknown copy',
      { ops: [first, { op: 'copy', stream: 's0', kind: 'constructor', label: 'k#1' }] },
      /unknown copy/,
    ],
  ])('is refused with its case for %s', (_, change, message) => {
    const read = () => readCases(hwrunText(hwrunPair(change)), 'f.json');
    expect(read).toThrow(message);
    expect(read).toThrow(/^f\.json: case "pair": (?!case)/);
  });

  it('is refused for two cases of one name', () => {
    expect(() => readCases(hwrunText(hwrunPair(), hwrunPair()), 'f.json')).toThrow(
      /^f\.json:1:\d+: cases\[1\]\.name: cases\[0\] has the same name/,
    );
  });

  it('names the file as it is called when it is nested too deep', () => {
    const text = `{"cases":${'['.repeat(1000)}${']'.repeat(1000)}}`;
    expect(() => readCases(text, 'deep.json')).toThrow(/^deep\.json:1:\d+: /);
  });

  it('takes copies without a label, and kernels of very many phases', () => {
    const copy = { op: 'copy', kind: 'h2d', bytes: 4, stream: 's0' };
    const phases = Array.from({ length: 200_000 }, () => ['spin', 1]);
    const kernels = { ...hwrunPair().kernels, many: { grid: 1, block: 32, smem: 0, phases } };
    const [pair] = validated(hwrunPair({ kernels, ops: [first, second, copy, copy] }));
    expect(isRefused(pair as object)).toBe(false);
  });

  it('enables access between the devices that it uses, not all of thousands', () => {
    const [stream] = hwrunPair().streams;
    const streams = [stream, { ...stream, id: 's1', device: 4095 }];
    const [pair] = readCases(hwrunText(hwrunPair({ devices: 4096, streams })), 'f.json');
    const calls = pair?.program.threads[0]?.calls;
    const kinds = Array.from({ length: calls?.length ?? 0 }, (_, i) => calls?.at(i).kind);
    expect(kinds.filter((kind) => kind === 'deviceEnablePeerAccess')).toHaveLength(2);
  });

  it('refuses a case alone that names a device it does not have', () => {
    const [stream] = hwrunPair().streams;
    const far = hwrunPair({ name: 'far', streams: [{ ...stream, device: Number.MAX_SAFE_INTEGER }] });
    const refused = 'stream "s0" is on device 9007199254740991, the case has device 0 only';
    const [one, other] = validated(far, hwrunPair());
    expect(one).toEqual({ name: 'far', refused, file: 'f.json' });
    expect(other).toMatchObject({ name: 'pair', measuredMakespanNs: 11_000 });
  });

  it('does not compare a case of which nothing was measured', () => {
    const [pair] = validated(hwrunPair({ measured: { ops: [], hostObservedTotal: 20_000 } }));
    expect(pair).toEqual({ name: 'pair', refused: 'nothing measured', unmeasured: true, file: 'f.json' });
  });
});
