import type { HwrunCase, HwrunOp } from './hwrun-format.ts';

/** Operations that a label can name in the timeline: others become no operation of it, or have no instants on a device. */
const TIMED = new Set(['launch', 'copy', 'memset', 'hostfunc']);

/**
 * Checks what a case needs to be observed: kernels that it declares, labels of measured operations, a zero.
 *
 * @throws Error with the first fault
 */
export function checkCase(source: HwrunCase): void {
  const { mode, streams, kernels, ops, measured, gated } = source;
  if (mode === 'graph' && streams.length === 0) throw new Error('a graph is captured in a stream, and there is none');
  for (const { op, kernel } of ops) {
    if (op !== 'launch' || kernel === undefined || Object.hasOwn(kernels, kernel)) continue;
    throw new Error(`unknown kernel "${kernel}"`);
  }
  const labelled = new Map(ops.flatMap((op) => (op.label === undefined ? [] : [[op.label, op] as const])));
  for (const { label, start, end } of measured.ops) {
    if (start === undefined || end === undefined) continue;
    const op = labelled.get(label);
    if (op === undefined) throw new Error(`measured operation "${label}" is none of the case's`);
    if (!TIMED.has(op.op)) throw new Error(`measured operation "${label}" is a ${op.op}, which runs on no device`);
  }
  if (!gated && mode === 'stream') checkZero(ops);
}

/** The zero of a case without a gate is the call of its first labelled operation. */
function checkZero(ops: readonly HwrunOp[]): void {
  const first = ops.find(({ label }) => label !== undefined);
  if (first === undefined)
    throw new Error('without a gate the first labelled operation is the zero, and there is none');
  if (!TIMED.has(first.op)) {
    throw new Error(`without a gate the first labelled operation is the zero, and "${first.label}" is a ${first.op}`);
  }
}

/** Why a case asks for a device that it says it does not have; undefined if it does not. */
export function impossibleDevice({ devices, streams, events }: HwrunCase): string | undefined {
  const named = [
    ...streams.map(({ id, device }) => [`stream "${id}"`, device] as const),
    ...events.map(({ id, device }) => [`event "${id}"`, device] as const),
  ];
  const [what, device] = named.find(([, of]) => of >= devices) ?? [];
  if (what === undefined) return undefined;
  return `${what} is on device ${device}, the case has ${devices === 1 ? 'device 0 only' : `devices 0 to ${devices - 1}`}`;
}
