import type { ParallelRun, ShardProgress } from '@griddep/simulator/parallel';
import { PS_PER_NS } from '@griddep/timeline';
import { renderColumns } from './columns.ts';
import { us } from './number-format.ts';

/** More shards than this are told by their span. */
const MOST_NAMED = 8;

/** How each shard did: what it handled, sent and promised, and how long it waited for the others. */
export function shardsText({ shards }: Pick<ParallelRun, 'shards'>): string {
  if (shards.length === 0) return 'one thread: no shards\n';
  return renderColumns(
    [
      { title: 'shard' },
      { title: 'devices' },
      { title: 'events', align: 'right' },
      { title: 'sent', align: 'right' },
      { title: 'received', align: 'right' },
      { title: 'promises', align: 'right' },
      { title: 'lookahead us', align: 'right' },
      { title: 'blocked', align: 'right' },
    ],
    shards.map((shard, i) => [
      String(i),
      runs(shard.devices),
      String(shard.events),
      String(shard.sent),
      String(shard.received),
      String(shard.promises),
      us(shard.lookahead / PS_PER_NS, 2),
      `${(shard.blocked * 100).toFixed(0)} %`,
    ]),
  );
}

/** Where the devices are, as progress shows it. */
export function shardsProgress(shards: readonly ShardProgress[]): string {
  const at = ({ time }: ShardProgress): string => `${us(time / PS_PER_NS)} us`;
  if (shards.length <= MOST_NAMED)
    return shards.map((shard) => `device ${runs(shard.devices)} at ${at(shard)}`).join(', ');
  const sorted = [...shards].sort((a, b) => a.time - b.time);
  const [first, last] = [sorted[0] as ShardProgress, sorted.at(-1) as ShardProgress];
  return `device ${runs(first.devices)} at ${at(first)} to device ${runs(last.devices)} at ${at(last)}`;
}

/** Numbers in ascending order, runs of them as `0-3`. */
function runs(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const n of numbers) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else parts.push([n, n]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',') || 'none';
}
