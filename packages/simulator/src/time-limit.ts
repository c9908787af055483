import type { DeviceResult } from './device/device-result.ts';
import type { HostResult } from './host/host-record.ts';
import { joinHosts } from './host/join-hosts.ts';
import { SimulationLimit } from './options.ts';

/** The error of a run that reached the limit of events that it was given. */
export function eventLimit({ events, time }: { readonly events: number; readonly time: number }): SimulationLimit {
  return new SimulationLimit(`gave up after ${events} events, at ${(time / 1e6).toFixed(1)} us of simulated time`);
}

/** The error of a run whose clock ran over, with the operation during which it did: a call of the host, else of a device. */
export function timeLimit(hosts: readonly HostResult[], devices: readonly DeviceResult[]): SimulationLimit {
  const { records } = joinHosts(hosts);
  const call = records.find(({ callEnd }) => callEnd > Number.MAX_SAFE_INTEGER);
  const op = call?.op ?? newest(devices);
  const record = records.find((each) => each.op === op) ?? records.at(-1);
  const place = record === undefined || record.origin === '' ? '' : ` (${record.origin})`;
  const at = record === undefined ? '' : `, at "${record.id}"${place}`;
  return new SimulationLimit(`simulated time passes 2.5 hours${at}`);
}

/** Of the operations that are not complete the one that began last, which looks furthest ahead; -1 if there is none. */
function newest(devices: readonly DeviceResult[]): number {
  const open = devices.flatMap(({ unfinished }) => unfinished);
  const running = open.filter(({ start }) => !Number.isNaN(start)).sort((a, b) => b.start - a.start || b.op - a.op);
  return (running[0] ?? open[0])?.op ?? -1;
}
