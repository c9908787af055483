import type { Call, CallOf, Program } from '@griddep/program';
import type { AccessMode } from './access.ts';
import { plainAccess, wholeAccess } from './extent.ts';
import type { Step } from './steps.ts';

/**
 * What a call that is no launch touches, by the host thread itself or by the device. An upload of pageable memory is
 * read by the host before the call returns, whatever the device does later (rules 6.1, 6.4).
 */
export function callCode(program: Program, call: Call, by: 'host' | 'device'): Step[] {
  const plain = (range: CallOf<'memset'>['destination'], bytes: number, mode: AccessMode): Step[] =>
    range === undefined ? [] : [{ do: 'access', access: plainAccess(program, range, bytes, mode) }];
  switch (call.kind) {
    case 'memcpy': {
      const source = plain(call.source, call.bytes, 'read');
      const destination = plain(call.destination, call.bytes, 'write');
      if (!hostReadsSource(call)) return [...source, ...destination];
      return by === 'host' ? source : destination;
    }
    case 'memset':
      return plain(call.destination, call.bytes, 'write');
    case 'hostRead':
    case 'hostWrite':
      return plain(call.range, call.range.bytes, call.kind === 'hostRead' ? 'read' : 'write');
    case 'streamWaitValue':
    case 'streamWriteValue':
      return [{ do: call.kind === 'streamWaitValue' ? 'await' : 'signal', flag: call.flag, value: call.value }];
    case 'mallocAsync':
    case 'freeAsync':
      return [
        { do: 'access', access: wholeAccess(program, call.buffer, call.kind === 'mallocAsync' ? 'allocate' : 'free') },
      ];
    default:
      return [];
  }
}

/** Whether the host itself reads what a copy copies. */
export function hostReadsSource({ copy, hostMemory }: CallOf<'memcpy'>): boolean {
  return copy === 'hostToDevice' && hostMemory === 'pageable';
}
