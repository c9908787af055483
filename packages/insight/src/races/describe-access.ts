import { formatBytes } from '@griddep/program';
import type { FoundAccess, Place } from '../finding.ts';
import { type Access, endOf } from '../program/access.ts';

export function foundAccess({ extent, buffer, mode, kernel, role, phase }: Access, place: Place): FoundAccess {
  return {
    ...{ mode, buffer: buffer.name, begin: extent.begin - buffer.offset, end: endOf(extent) - buffer.offset, place },
    ...(kernel === undefined ? {} : { kernel }),
    ...(role === undefined ? {} : { role }),
    ...(phase === undefined ? {} : { phase }),
  };
}

const VERBS = {
  read: 'reads',
  write: 'writes',
  atomic: 'updates',
  allocate: 'allocates',
  free: 'frees',
} as const;

/** Such as: `scale` writes x (bytes 0 to 64 KiB). */
export function accessText({ mode, buffer, begin, end, place, role, phase, kernel }: FoundAccess): string {
  const who =
    kernel !== undefined && place.name !== kernel ? `"${place.name}" (kernel "${kernel}")` : `"${place.name}"`;
  const where = phase === undefined ? '' : `, phase ${phase}${role === 'all' ? '' : ` of role "${role}"`}`;
  return `${who} ${VERBS[mode]} "${buffer}" (bytes ${begin} to ${end === begin ? begin : formatBytes(end)}${where})`;
}
