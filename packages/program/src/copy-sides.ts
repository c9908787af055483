import type { Call, CopyKind } from './calls.ts';
import { ProgramError } from './errors.ts';
import type { Buffer } from './program.ts';

/** Where each kind of copy reads and writes. */
const SIDES: Readonly<Record<CopyKind, Readonly<Record<'source' | 'destination', Buffer['space']>>>> = {
  hostToDevice: { source: 'host', destination: 'device' },
  deviceToHost: { source: 'device', destination: 'host' },
  deviceToDevice: { source: 'device', destination: 'device' },
  hostToHost: { source: 'host', destination: 'host' },
  peer: { source: 'device', destination: 'device' },
};
export const COPY_KINDS = Object.keys(SIDES) as readonly CopyKind[];

/** Refuses a copy whose buffers lie on other sides than its kind says. Throws ProgramError at the side. */
export function checkCopySides(
  call: Extract<Call, { readonly kind: 'memcpy' }>,
  buffers: ReadonlyMap<string, Buffer>,
): void {
  for (const side of ['source', 'destination'] as const) {
    const name = call[side]?.buffer;
    const buffer = name === undefined ? undefined : buffers.get(name);
    const wanted = SIDES[call.copy][side];
    if (buffer === undefined || buffer.space === wanted) continue;
    const other = side === 'source' ? 'destination' : 'source';
    const swapped = buffers.get(call[other]?.buffer ?? '')?.space === wanted;
    throw new ProgramError(
      `the ${side} of a ${call.copy} copy is ${wanted} memory, but buffer "${buffer.name}" lies on the ${buffer.space}` +
        (swapped ? ` (source and destination the other way round?)` : ''),
      { offending: buffer.name, path: [side] },
    );
  }
  if (call.copy === 'peer') checkPeers(call, buffers);
}

/** The buffers of a copy between devices lie on the devices that it names. */
function checkPeers(call: Extract<Call, { readonly kind: 'memcpy' }>, buffers: ReadonlyMap<string, Buffer>): void {
  for (const [side, device] of [
    ['source', call.sourceDevice],
    ['destination', call.destinationDevice],
  ] as const) {
    const buffer = buffers.get(call[side]?.buffer ?? '');
    if (buffer === undefined || device === undefined || buffer.device === device) continue;
    throw new ProgramError(
      `the ${side} of the copy is on device ${device}, but buffer "${buffer.name}" lies on device ${buffer.device}`,
      { offending: buffer.name, path: [side] },
    );
  }
}
