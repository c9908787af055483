import { FACT, FACTS } from '../data/columns.ts';
import type { Store } from '../data/store.ts';
import { textAt } from '../data/text-column.ts';

const SEARCHED = [FACT.id, FACT.name, FACT.stream, FACT.path];

/** Operations whose id, name, stream or path contains the text, whatever the case. */
export function find(store: Store, query: string): Set<number> {
  const { texts, facts } = store.columns;
  const wanted = query.toLowerCase();
  const isHit = new Uint8Array(texts.offsets.length);
  for (let i = 0; i + 1 < texts.offsets.length; i++) {
    if (textAt(texts, i).toLowerCase().includes(wanted)) isHit[i] = 1;
  }
  const found = new Set<number>();
  for (let i = 0; i < store.count; i++) {
    for (const fact of SEARCHED) {
      const position = facts[i * FACTS.length + fact] ?? -1;
      if (position >= 0 && isHit[position] === 1) {
        found.add(i);
        break;
      }
    }
  }
  return found;
}
