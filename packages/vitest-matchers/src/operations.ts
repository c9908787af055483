import { causeText, formatUs, type Operation, type Timeline } from '@griddep/timeline';

/** Names told of where one is unknown. */
const MOST_NAMES = 12;

/** Operations of a label, or all of a name; calls of the host that only sent one are none. @throws Error if there is none */
export function operationsOf(timeline: Timeline, name: string): readonly Operation[] {
  const { operations, program } = timeline;
  const labelled = operations.filter(({ id }) => id === name);
  const found = labelled.length > 0 ? labelled : operations.filter((operation) => operation.name === name);
  if (found.length > 0) return found;
  const names = [...new Set(operations.flatMap(({ id, name: of }) => [of, id]))].slice(0, MOST_NAMES);
  throw new Error(`"${program}" has no operation "${name}"; there are ${names.join(', ')}`);
}

/** When something runs: on a device from its start to its end, on the host from the call to its return. */
export function interval(operation: Operation): { readonly start: number; readonly end: number } {
  const { device, start, end, callBegin, callEnd } = operation;
  return device < 0 && Number.isNaN(start) ? { start: callBegin, end: callEnd } : { start, end };
}

/** Complete and flushed, so that others may rely on it; NaN if that never comes. */
export function completionOf(operation: Operation): number {
  return Number.isNaN(operation.completion) ? interval(operation).end : operation.completion;
}

/** Such as: `scale#0` ran from 5.2 us to 9.1 us in stream s of device 0, started by stream order of load#0. */
export function runText(timeline: Timeline, operation: Operation): string {
  const { id, device, stream, cause } = operation;
  const { start, end } = interval(operation);
  if (Number.isNaN(start)) return `"${id}" never started`;
  const where = device < 0 ? `on the host` : `in stream "${stream}" of device ${device}`;
  const until = Number.isNaN(end) ? 'and never ended' : `to ${formatUs(end)} us`;
  return `"${id}" ran from ${formatUs(start)} ${until} ${where}, started by: ${causeText(timeline, cause)}`;
}

/** What can never finish, and errors, as more lines of a message. */
export function troubleText({ stuck, errors }: Timeline): string {
  return [...stuck, ...errors.map(({ name, code, message }) => `${name} (${code}): ${message}`)]
    .map((line) => `\n  ${line}`)
    .join('');
}
