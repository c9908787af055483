import { makeOperation, makeTimeline, type Operation, type Timeline } from '@griddep/timeline';
import { indexTrace } from './build/trace-index.ts';
import type { ImportedProgram } from './import-traces.ts';
import { Names, nameFrom, shortName } from './names.ts';
import type { Trace, TraceOperation } from './trace.ts';

/**
 * What the profiler saw, as a timeline: every operation and every call with its own times, none of them simulated. Its
 * intervals are the profiler's, longer than those of blocks.
 */
export function tracedTimeline({
  traces,
  offsets,
  devices,
}: Pick<ImportedProgram, 'traces' | 'offsets' | 'devices'>): Timeline {
  const operations: Operation[] = [];
  const labels = new Names();
  const seen: { name: string; sms: number }[] = [];
  traces.forEach((trace, index) => {
    const offset = offsets[index] as number;
    const ids = [...new Set(trace.operations.map(({ device }) => device))].sort((a, b) => a - b);
    const sorted = [...(devices[index] ?? [])].sort((a, b) => a - b);
    const deviceOf = new Map(ids.map((id, i) => [id, sorted[i] ?? 0]));
    for (const id of ids) {
      const told = trace.devices.find((device) => device.id === id);
      seen.push({ name: told?.name || `GPU ${id}`, sms: told?.sms ?? 0 });
    }
    const threadOf = callThreads(trace);
    const { byCall } = indexTrace(trace);
    const caused = new Set([...byCall.values()].flat());
    for (const [call, made] of byCall) {
      for (const operation of made)
        operations.push(operationOf(operation, call.thread, { start: call.start, end: call.end }));
    }
    for (const operation of trace.operations)
      if (!caused.has(operation)) operations.push(operationOf(operation, 0, undefined));
    for (const call of trace.calls) {
      if (byCall.has(call)) continue;
      operations.push(
        makeOperation({
          id: labels.unique(call.name, '#'),
          kind: 'hostCall',
          name: call.name,
          device: -1,
          stream: threadOf(call.thread),
          thread: threadOf(call.thread),
          callBegin: call.start + offset,
          callEnd: call.end + offset,
        }),
      );
    }

    function operationOf(
      operation: TraceOperation,
      thread: number,
      call: { start: number; end: number } | undefined,
    ): Operation {
      const { kind, name, start, end, grid, bytes, stream } = operation;
      return makeOperation({
        id: labels.unique(shortName(name), '#'),
        kind: kind === 'graph' ? 'kernel' : kind,
        name: nameFrom(name),
        device: deviceOf.get(operation.device) ?? 0,
        stream: `stream ${stream}`,
        thread: threadOf(thread),
        callBegin: (call?.start ?? start) + offset,
        callEnd: (call?.end ?? start) + offset,
        enqueue: (call?.end ?? start) + offset,
        processing: start + offset,
        start: start + offset,
        end: end + offset,
        completion: end + offset,
        blocks: kind === 'kernel' ? grid[0] * grid[1] * grid[2] : 0,
        bytes,
      });
    }
  });
  operations.sort((a, b) => a.callBegin - b.callBegin);
  const hostTotal = operations.reduce((last, { callEnd }) => Math.max(last, callEnd), 0);
  return makeTimeline(operations, {
    program: traces.map(({ file }) => nameFrom(file.replace(/^.*[/\\]/, ''))).join(', '),
    machine: seen[0]?.name ?? '',
    devices: seen,
    hostTotal,
  });
}

function callThreads(trace: Trace): (thread: number) => string {
  const prefix = trace.rank === undefined ? '' : `rank ${trace.rank} `;
  return (thread) => `${prefix}thread ${nameFrom(trace.threads[thread]?.name ?? '0')}`;
}
