import { formatUs, type TimelineComparison } from '@griddep/timeline';
import { criticalChain } from '../data/why.ts';
import { make, shortened } from './dom.ts';
import type { LoadedRun, Selection } from './model.ts';
import { table } from './selection-panel.ts';

type Select = (selection: Selection) => void;

const MOST_ROWS = 200;

export function runsPanel(runs: readonly LoadedRun[]): HTMLElement {
  const parts = runs.flatMap(({ run, store, makespan }, index) => {
    const letter = runs.length > 1 ? `${String.fromCharCode(65 + index)}: ` : '';
    const { program, machine, devices, stuck, hostTotal } = store.columns.head;
    return [
      make('h3', {}, letter + shortened(run.title)),
      table([
        ['program', program],
        ['machine', `${machine}, ${devices.length} device${devices.length === 1 ? '' : 's'}`],
        ['operations', String(store.count)],
        ['makespan', `${formatUs(makespan)} us`],
        ['host', `${formatUs(hostTotal ?? Number.NaN)} us`],
        ...(stuck.length === 0 ? [] : ([['never finish', stuck.slice(0, 20).join(', ')]] as [string, string][])),
      ]),
    ];
  });
  return section('runs', 'Runs', parts, true);
}

export function changesPanel({ makespan, operations, onlyBefore, onlyAfter }: TimelineComparison, select: Select) {
  const moved = operations.filter(({ own, relative }) => relative > 0 && (own !== 0 || relative === Infinity));
  moved.sort((a, b) => Math.abs(b.own) - Math.abs(a.own));
  const us = (ns: number) => (Number.isFinite(ns) ? `${ns >= 0 ? '+' : ''}${(ns / 1000).toFixed(3)}` : '-');
  const rows = moved
    .slice(0, MOST_ROWS)
    .map(({ before, id, start, duration, own }) =>
      make(
        'tr',
        {},
        make(
          'td',
          {},
          make(
            'button',
            { class: 'link', type: 'button', click: () => select({ run: 0, operation: before }) },
            shortened(id, 80),
          ),
        ),
        ...[own, start, duration].map((value) => make('td', { class: 'number' }, us(value))),
      ),
    );
  const head = ['operation', 'own', 'start', 'duration'].map((text) => make('th', { scope: 'col' }, text));
  return section(
    'changes',
    'Changes',
    [
      make(
        'p',
        { id: 'makespan-change' },
        `makespan ${(makespan.before / 1000).toFixed(3)} us, then ${(makespan.after / 1000).toFixed(3)} us: ${us(makespan.change)} us (${(makespan.relative * 100).toFixed(2)} %)`,
      ),
      make(
        'p',
        {},
        `${moved.length} operations changed themselves, ${onlyBefore.length} are only in the first, ${onlyAfter.length} only in the second. Times in us.`,
      ),
      make('table', {}, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows)),
    ],
    true,
  );
}

export function findingsPanel(runs: readonly LoadedRun[], select: Select): HTMLElement | undefined {
  const items = runs.flatMap(({ run }, index) =>
    run.findings.slice(0, MOST_ROWS).map(({ kind, text, operations: [first] }) => {
      const label = `${kind}: ${shortened(text)}`;
      if (first === undefined) return make('li', {}, label);
      const open = () => select({ run: index, operation: first });
      return make('li', {}, make('button', { class: 'link', type: 'button', click: open }, label));
    }),
  );
  return items.length === 0 ? undefined : section('findings', `Findings (${items.length})`, [make('ul', {}, ...items)]);
}

/** A list of operations that lead to their place. */
export function listPanel(
  id: string,
  title: string,
  runs: readonly LoadedRun[],
  found: readonly Selection[],
  select: Select,
): HTMLElement {
  const items = found.slice(0, MOST_ROWS).map((selection) => {
    const store = runs[selection.run]?.store;
    const span = `${formatUs(store?.instant(selection.operation, 'start') ?? Number.NaN)} us`;
    const label = `${shortened(store?.id(selection.operation) ?? '', 80)}, ${span}`;
    return make('li', {}, make('button', { class: 'link', type: 'button', click: () => select(selection) }, label));
  });
  const more = found.length > MOST_ROWS ? [make('p', {}, `and ${found.length - MOST_ROWS} more`)] : [];
  return section(id, title, [make('ol', {}, ...items), ...more], true);
}

export function criticalOf(runs: readonly LoadedRun[]): Selection[] {
  return runs.flatMap(({ store }, run) => criticalChain(store).map((operation) => ({ run, operation })));
}

export function section(id: string, title: string, children: readonly Node[], isOpen = false): HTMLElement {
  return make('details', { id, open: isOpen }, make('summary', {}, make('h2', {}, title)), ...children);
}
