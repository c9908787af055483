import type { ProgramWarning } from '@griddep/program';
import {
  type Cause,
  hashTimeline,
  INSTANTS,
  makespan,
  type Operation,
  PS_PER_NS,
  statistics,
  type Timeline,
} from '@griddep/timeline';

/**
 * The result of a run as pieces of one JSON object: `{program, machine, hash, makespanNs, hostTotalNs, basis, errors,
 * warnings, stuck, stats, ops}` with `more` before `ops`. Times in ns; null where an operation has no such instant. One operation a line.
 */
export function* resultJson(
  timeline: Timeline,
  warnings: readonly ProgramWarning[],
  more: object = {},
): Generator<string> {
  const { program, machine, basis, errors, stuck, operations, hostTotal } = timeline;
  const idOf = (index: number | undefined) => (index === undefined ? undefined : operations[index]?.id);
  const head = {
    program,
    machine,
    hash: hashTimeline(timeline),
    makespanNs: makespan(timeline).makespan / PS_PER_NS,
    hostTotalNs: hostTotal / PS_PER_NS,
    basis,
    errors: errors.map(({ operation, ...error }) => ({ operation: idOf(operation), ...error })),
    warnings,
    stuck,
    stats: statistics(timeline),
    ...more,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"ops":[`;
  for (const [i, operation] of operations.entries()) {
    yield `${i === 0 ? '\n' : ',\n'}${JSON.stringify(operationJson(operation, idOf))}`;
  }
  yield '\n]}\n';
}

function operationJson(operation: Operation, idOf: (index: number | undefined) => string | undefined): object {
  const { id, kind, name, device, stream, thread, path, origin, cause, waits } = operation;
  const { blocks, sms, maxBlocksPerSm, unit, bytes, slowdown, programmatic } = operation;
  const instants = INSTANTS.map((instant) => [`${instant}Ns`, operation[instant] / PS_PER_NS] as const);
  const causeJson = ({ kind: why, operation: source, detail }: Cause) => ({
    kind: why,
    operation: idOf(source),
    detail,
  });
  return {
    ...{ id, kind, name, device, stream, thread, path, origin },
    ...Object.fromEntries(instants),
    ...{ blocks, sms, maxBlocksPerSm, unit, bytes, programmatic, slowdown },
    cause: causeJson(cause),
    waits: waits.map((wait) => ({
      ...causeJson(wait),
      fromNs: wait.from / PS_PER_NS,
      untilNs: wait.until / PS_PER_NS,
    })),
  };
}
