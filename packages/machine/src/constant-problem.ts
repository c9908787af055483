import type { Constant } from './constant.ts';
import { rangeProblem } from './constant-range.ts';
import type { ConstantRule } from './timing.ts';

/** What is wrong with a constant, whatever made it: undefined when nothing is. A value must lie in its own spread. */
export function constantProblem(
  constant: Constant,
  { unit, range }: Pick<ConstantRule, 'unit' | 'range'>,
): string | undefined {
  const { value, low, high, source } = constant;
  if (constant.unit !== unit) return `is in ${constant.unit}, expected ${unit}`;
  if (Number.isNaN(value)) return 'is no number';
  const outside = rangeProblem(value, unit, range);
  if (outside !== undefined) return outside;
  if ((low ?? value) > value || (high ?? value) < value) {
    return `value ${value} outside of its spread ${low ?? '-'} to ${high ?? '-'}`;
  }
  return source === '' ? 'has no source' : undefined;
}
