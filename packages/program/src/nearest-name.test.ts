import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

it.each([
  ['hots', ['device', 'host'], 'host'],
  ['rsm', ['qkv', 'rms'], 'rms'],
  ['H200', ['h100', 'h200'], 'h200'],
  ['decode-chian', ['decode-loop', 'decode-chain'], 'decode-chain'],
  ['s', ['s0'], 's0'],
  ['x', ['y', 's0'], undefined],
  ['matmul', ['rms', 'qkv'], undefined],
  ['a', [], undefined],
])('the name nearest to %s among %j is %s', (text, names, nearest) => {
  expect(nearestName(text, names)).toBe(nearest);
});
