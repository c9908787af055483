import { formatUs, INSTANTS } from '@griddep/timeline';
import { effectsOf, type Reason, whyNotEarlier } from '../data/why.ts';
import { make, shortened } from './dom.ts';
import type { LoadedRun, Selection } from './model.ts';

/** All that is known of an operation: facts, why it did not start earlier, what it let start, findings. */
export function selectionPanel(
  loaded: LoadedRun,
  selection: Selection,
  select: (operation: number) => void,
): HTMLElement {
  const { store, run } = loaded;
  const { operation: index, block } = selection;
  const operation = store.operation(index);
  const link = (text: string, target: number | undefined): Node => {
    if (target === undefined) return document.createTextNode(shortened(text));
    return make('button', { class: 'link', type: 'button', click: () => select(target) }, shortened(text));
  };
  const facts: [string, string][] = [
    ['id', operation.id],
    ['kind', operation.kind + (operation.programmatic ? ', programmatic launch' : '')],
    ['where', operation.device < 0 ? `thread ${operation.thread}` : `device ${operation.device}, ${operation.stream}`],
    ['path', operation.path],
    ['called at', operation.origin],
    ['unit', operation.unit],
    ['grid', operation.blocks === 0 ? '' : gridText(operation)],
    ['bytes', operation.bytes === 0 ? '' : String(operation.bytes)],
    ['slowdown', operation.slowdown.map(({ resource, factor }) => `${resource} ${factor.toFixed(2)}`).join(', ')],
    ...(block === undefined ? [] : ([['block', String(block)]] as [string, string][])),
  ];
  const rows = facts.filter(([, value]) => value !== '');
  const instants = INSTANTS.filter((name) => !Number.isNaN(operation[name]));
  const reasons = loaded.isRunning === true ? [NOT_KNOWN] : whyNotEarlier(store, index);
  const effects = effectsOf(store, index);
  const findings = run.findings.filter(({ operations }) => operations.includes(index));
  return make(
    'section',
    { id: 'selection', 'aria-label': 'Selected operation' },
    make('h2', {}, shortened(operation.name || operation.kind)),
    table(rows),
    make('h3', {}, 'Why not earlier'),
    make('ol', { id: 'why' }, ...reasons.map((r) => make('li', {}, link(r.text, r.operation)))),
    ...(findings.length === 0
      ? []
      : [
          make('h3', {}, 'Findings'),
          make('ul', {}, ...findings.map(({ kind, text }) => make('li', {}, `${kind}: ${shortened(text)}`))),
        ]),
    make('h3', {}, 'Instants, us'),
    table(
      instants.map((name) => [name, formatUs(operation[name])]),
      true,
    ),
    ...(effects.length === 0
      ? []
      : [make('h3', {}, 'Let start'), make('ul', {}, ...effects.map((i) => make('li', {}, link(store.id(i), i))))]),
  );
}

const NOT_KNOWN: Reason = { text: 'Causes are shown when the simulation is over.' };

function gridText({ blocks, sms, maxBlocksPerSm }: { blocks: number; sms: number; maxBlocksPerSm: number }): string {
  return `${blocks} blocks on ${sms} SMs, at most ${maxBlocksPerSm} on one`;
}

/** A table whose first column heads its rows. */
export function table(rows: readonly (readonly [string, string])[], numbers = false): HTMLElement {
  return make(
    'table',
    {},
    make(
      'tbody',
      {},
      ...rows.map(([name, value]) =>
        make(
          'tr',
          {},
          make('th', { scope: 'row' }, shortened(name)),
          make('td', numbers ? { class: 'number' } : {}, shortened(value)),
        ),
      ),
    ),
  );
}
