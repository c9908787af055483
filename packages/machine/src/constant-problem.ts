import type { Constant, Unit } from './constant.ts';

/** What is wrong with a constant, whatever made it: undefined when nothing is. A value must lie in its own spread. */
export function constantProblem(constant: Constant, unit: Unit): string | undefined {
  const { value, low, high, source } = constant;
  if (constant.unit !== unit) return `is in ${constant.unit}, expected ${unit}`;
  if (!Number.isFinite(value) || value < 0) return `value ${value} is no number of at least zero`;
  if ((low ?? value) > value || (high ?? value) < value) {
    return `value ${value} outside of its spread ${low ?? '-'} to ${high ?? '-'}`;
  }
  return source === '' ? 'has no source' : undefined;
}
