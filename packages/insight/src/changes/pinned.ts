import type { Machine } from '@griddep/machine';
import { resolvedValue } from '@griddep/machine';
import type { Call, Program } from '@griddep/program';
import { entriesOf, mapCalls } from './entries.ts';

/** Pageable host memory made page-locked: copies of it are asynchronous where their calls are, and move at the link's rate. */
export function pinned(program: Program): Program {
  const buffers = new Map(
    [...program.buffers].map(([name, buffer]) => [name, { ...buffer, hostMemory: 'pinned' as const }]),
  );
  return mapCalls({ ...program, buffers }, (call) => (isPageableCopy(call) ? { ...call, hostMemory: 'pinned' } : call));
}

/**
 * What page-locking the memory of a program's pageable copies takes the host, once, ps: of each declared buffer its
 * allocation; where copies name none, one allocation for each copy of the program, since all may be in use at once.
 */
export function pinningTime(program: Program, { host }: Machine): number {
  let allocations = 0;
  let bytes = 0;
  const named = new Set<string>();
  for (const thread of program.threads) {
    for (const { call } of entriesOf(thread)) {
      if (!isPageableCopy(call)) continue;
      const range = call.copy === 'hostToDevice' ? call.source : call.destination;
      if (range === undefined) {
        allocations += 1;
        bytes += call.bytes;
        continue;
      }
      named.add(program.buffers.get(range.buffer)?.allocation ?? range.buffer);
    }
  }
  for (const { allocation, bytes: size, space } of program.buffers.values()) {
    if (space !== 'host' || !named.delete(allocation)) continue;
    allocations += 1;
    bytes += size;
  }
  const { mallocHost, mallocHostPerByte } = host.timing;
  return Math.round(allocations * resolvedValue(mallocHost) + (bytes / resolvedValue(mallocHostPerByte)) * 1e12);
}

function isPageableCopy(call: Call): call is Call & { kind: 'memcpy' } {
  const crosses = call.kind === 'memcpy' && (call.copy === 'hostToDevice' || call.copy === 'deviceToHost');
  return crosses && call.hostMemory === 'pageable';
}
