import type { BenchResults } from './result-file.ts';
import type { Measurement } from './suite.ts';

/** Heading of a run: machine, date, Node. */
export function header({ date, node, system, processor, cores, load }: Omit<BenchResults, 'measurements'>): string {
  return `${date}  Node ${node}, ${system}, ${cores} x ${processor}, load ${load.toFixed(2)}`;
}

/** Rows of a suite's table; ratios are to the first case of the group, in the same run. */
export function rows(measurements: readonly Measurement[]): Record<string, string>[] {
  return measurements.map((m) => ({
    group: m.group,
    case: m.case,
    [m.unit]: rateText(m.rate),
    ratio: m.ratio.toFixed(2),
    'spread %': m.spread?.toFixed(1) ?? '-',
    samples: String(m.samples),
    ...(m.target === undefined ? {} : { target: `${m.rate >= m.target ? 'met' : 'missed'} (${m.target})` }),
  }));
}

/** Rows that set a run beside an earlier one; cases that only one of them has are left out. */
export function comparison(before: readonly Measurement[], after: readonly Measurement[]): Record<string, string>[] {
  const earlier = new Map(before.map((m) => [key(m), m]));
  return after.flatMap((m) => {
    const old = earlier.get(key(m));
    if (old === undefined) return [];
    return {
      suite: m.suite,
      group: m.group,
      case: m.case,
      before: rateText(old.rate),
      after: rateText(m.rate),
      'after/before': (m.rate / old.rate).toFixed(2),
      'ratio before': old.ratio.toFixed(2),
      'ratio after': m.ratio.toFixed(2),
    };
  });
}

/** Three significant digits with a prefix: `12.3 M`. */
export function rateText(rate: number): string {
  const [factor, prefix] = rate >= 1e6 ? [1e6, ' M'] : rate >= 1e3 ? [1e3, ' k'] : [1, ''];
  return `${(rate / factor).toPrecision(3)}${prefix}`;
}

function key(m: Measurement): string {
  return `${m.suite}/${m.group}/${m.case}`;
}
