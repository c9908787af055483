import { criticalOperations, criticalPath } from '@griddep/insight/chain';
import { causeInstant, causeText, formatUs, type Wait } from '@griddep/timeline';
import type { Store } from './store.ts';

/** One line of an answer, and the operation that it speaks of. */
export interface Reason {
  readonly text: string;
  readonly operation?: number;
}

/** A cause in words, without having all operations at hand. */
export function reasonOf(store: Store, cause: Wait | ReturnType<Store['cause']>): Reason {
  const { operation } = cause;
  const empty = { ...store.columns.head, hostTotal: 0, operations: [] };
  const words = causeText(empty, cause);
  if (operation === undefined) return { text: words };
  return { text: `${words} of ${store.id(operation)}`, operation };
}

/** Why an operation did not start earlier: what it waited for, one after the other, and what would have held it next. */
export function whyNotEarlier(store: Store, index: number): Reason[] {
  const start = store.fact(index, 'device') < 0 ? store.instant(index, 'callBegin') : store.instant(index, 'start');
  if (Number.isNaN(start)) return [{ text: 'It never started.' }];
  const cause = store.cause(index);
  const reason = reasonOf(store, cause);
  const lines: Reason[] = [{ ...reason, text: `It started at ${formatUs(start)} us, after: ${reason.text}` }];
  if (cause.operation !== undefined) {
    const satisfied = causeInstant(cause, store.operation(cause.operation), start);
    lines[0] = {
      ...reason,
      text: `It started at ${formatUs(start)} us: ${reason.text} at ${formatUs(satisfied)} us, and ${formatUs(start - satisfied)} us until it could act on it`,
    };
  }
  const waits = store.waits(index);
  for (const wait of waits) {
    const each = reasonOf(store, wait);
    const span = `${formatUs(wait.from)} to ${formatUs(wait.until)} us (${formatUs(wait.until - wait.from)} us)`;
    lines.push({ ...each, text: `${span}: waited for ${each.text}` });
  }
  const ends = waits.map(({ until }) => until).sort((a, b) => b - a);
  if (ends.length > 1) {
    const gain = (ends[0] ?? 0) - (ends[1] ?? 0);
    lines.push({ text: `Without the last of these it could have started at most ${formatUs(gain)} us earlier.` });
  }
  return lines;
}

/** The chain of causes that led to the last end on any device, first to last. */
export function criticalChain(store: Store): number[] {
  let last = -1;
  for (let i = 0; i < store.count; i++) {
    if (store.fact(i, 'device') < 0 || Number.isNaN(store.instant(i, 'end'))) continue;
    if (last < 0 || store.instant(i, 'end') > store.instant(last, 'end')) last = i;
  }
  return criticalOperations(criticalPath({ length: store.count, at: (i) => store.operation(i) }, last));
}

/** Operations that `index` caused, at most `most`. */
export function effectsOf(store: Store, index: number, most = 50): number[] {
  const effects: number[] = [];
  for (let i = 0; i < store.count && effects.length < most; i++) {
    if (store.fact(i, 'causeOperation') === index && i !== index) effects.push(i);
  }
  return effects;
}
