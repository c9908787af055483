import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, parseBytes, parseDuration } from './quantity.ts';
import { SECOND } from './units.ts';

describe('quantities', () => {
  it('reads units', () => {
    expect(parseDuration('5us')).toBe(5_000_000);
    expect(parseDuration('1.5 ns')).toBe(1500);
    expect(parseDuration(7)).toBe(7);
    expect(parseBytes('64KiB')).toBe(65_536);
    expect(parseBytes('1.5 MB')).toBe(1_500_000);
  });

  it.each([
    ['5 lightyears', 'unknown unit "lightyears"'],
    ['us', 'expected a duration'],
    ['-1us', 'is negative'],
    ['1e100s', 'too large'],
    ['3601s', 'duration "3601s" is too large, at most 1 hour is possible'],
  ])('refuses %s', (text, problem) => {
    expect(() => parseDuration(text)).toThrow(problem);
  });

  it.each([
    ['0', 'greater than zero'],
    ['0.3 B', 'not a whole number'],
    ['1us', 'unknown unit "us"'],
    ['1025 TiB', 'size "1025 TiB" is too large, at most 1024 TiB is possible'],
  ])('refuses size %s', (text, problem) => {
    expect(() => parseBytes(text)).toThrow(problem);
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3600 * SECOND }),
        fc.integer({ min: 0, max: 2 ** 50 }),
        (n, m) => parseDuration(formatDuration(n)) === n && parseBytes(formatBytes(m), 0) === m,
      ),
    );
  });
});
