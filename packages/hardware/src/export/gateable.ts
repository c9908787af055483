import type { Call, HostThread, Program } from '@griddep/program';
import { Captures } from './captures.ts';

/** More calls than this might fill a stream's queue while the gate is closed, and the host would wait for ever. */
const MOST_GATED_CALLS = 700;
/** Calls before the first work of a device: a gate comes after them, since some wait for the device. */
const PREPARING: ReadonlySet<Call['kind']> = new Set([
  'setDevice',
  'deviceEnablePeerAccess',
  'deviceDisablePeerAccess',
  'malloc',
  'mallocHost',
  'hostSetenv',
  'hostWrite',
  'rangePush',
  'streamBeginCapture',
  'streamEndCapture',
  'graphInstantiate',
  'graphUpload',
]);
const WAITING: ReadonlySet<Call['kind']> = new Set([
  'streamSynchronize',
  'eventSynchronize',
  'deviceSynchronize',
  'eventElapsedTime',
  'malloc',
  'free',
  'mallocHost',
  'freeHost',
  'hostAwait',
  'hostRead',
  'deviceEnablePeerAccess',
  'deviceDisablePeerAccess',
]);
/** What may follow the first call that waits without making work of a device. */
const AFTERWARDS: ReadonlySet<Call['kind']> = new Set([
  ...WAITING,
  'setDevice',
  'rangePop',
  'hostCompute',
  'eventQuery',
  'streamQuery',
  'hostWrite',
]);

/** Where a gate is closed and opened among the calls of a thread: before the calls of these indices. */
export interface GatePlace {
  readonly close: number;
  readonly open: number;
}

/** Number of calls before the first that makes work of a device, or may. */
export function preparingCalls({ calls }: HostThread): number {
  const captures = new Captures();
  let i = 0;
  while (i < calls.length && (captures.follow(calls.at(i)) || captures.active || PREPARING.has(calls.at(i).kind))) i++;
  return i;
}

/**
 * Where all calls of a program that make work can be made before the device begins; undefined where the host waits for a
 * result between them, where several threads make calls, or where there are too many.
 */
export function gatePlace(program: Program): GatePlace | undefined {
  const [thread, ...others] = program.threads;
  if (thread === undefined || others.length > 0) return undefined;
  const { calls } = thread;
  const close = preparingCalls(thread);
  let open = close;
  while (open < calls.length && !waits(calls.at(open), program)) open++;
  if (open - close > MOST_GATED_CALLS) return undefined;
  for (let i = open; i < calls.length; i++) if (!AFTERWARDS.has(calls.at(i).kind)) return undefined;
  return { close, open };
}

function waits(call: Call, program: Program): boolean {
  if (WAITING.has(call.kind)) return true;
  if (call.kind === 'memset') return !call.async;
  if (call.kind !== 'memcpy') return false;
  if (!call.async) return true;
  if (call.copy === 'peer') return !enablesPeers(program);
  return call.copy !== 'deviceToDevice' && call.hostMemory === 'pageable';
}

function enablesPeers({ threads }: Program): boolean {
  return threads.some(({ calls }) => {
    for (let i = 0; i < calls.distinct; i++) if (calls.distinctCall(i).kind === 'deviceEnablePeerAccess') return true;
    return false;
  });
}
