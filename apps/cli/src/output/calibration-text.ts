import type { Calibration } from '@griddep/hardware';
import type { Machine } from '@griddep/machine';
import { renderColumns } from './columns.ts';
import { percent } from './number-format.ts';
import { refusedTable } from './validation-parts.ts';

/** The constants that were found beside those of the base, and the ones that stayed, with the reason. */
export function calibrationText({ fitted, kept, cases, leftOut }: Calibration, base: Machine): string {
  const before = new Map(Object.entries({ ...base.devices[0]?.timing, ...base.host.timing }));
  const found = renderColumns(
    [
      { title: 'constant' },
      { title: 'base', align: 'right' },
      { title: 'fitted', align: 'right' },
      { title: 'low', align: 'right' },
      { title: 'high', align: 'right' },
      { title: 'unit' },
      { title: 'error left', align: 'right' },
      { title: 'cases', align: 'right' },
    ],
    fitted.map(({ constant, value, low, high, residual, cases: count }) => {
      const { value: own, unit = '' } = before.get(constant) ?? {};
      const numbers = [own ?? Number.NaN, value, low, high].map(figure);
      return [constant, ...numbers, unit === '1' ? '' : unit, percent(residual), String(count)];
    }),
  );
  const stayed = renderColumns(
    [{ title: 'stayed' }, { title: 'value', align: 'right' }, { title: 'because it rests on' }],
    kept.map(({ constant, value, reason }) => [constant, figure(value), reason]),
  );
  const without = leftOut.length === 0 ? '' : `\n${refusedTable(leftOut)}`;
  return `${found}fitted to cases of the fit part only, ${cases} of them\n\n${stayed}${without}`;
}

function figure(value: number): string {
  return String(Number(value.toPrecision(4)));
}
