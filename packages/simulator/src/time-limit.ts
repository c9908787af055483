import type { TimeOverflow } from '@griddep/engine';
import type { HostResult } from './host/host-record.ts';
import { joinHosts } from './host/join-hosts.ts';
import { SimulationLimit } from './options.ts';

/** The error of a run that reached the limit of events that it was given. */
export function eventLimit({ events, time }: { readonly events: number; readonly time: number }): SimulationLimit {
  return new SimulationLimit(`gave up after ${events} events, at ${(time / 1e6).toFixed(1)} us of simulated time`);
}

/** The error of a run whose clock ran over, with the operation during which it did: a call of the host, else what a device was at. */
export function timeLimit({ where }: TimeOverflow, hosts: readonly HostResult[]): SimulationLimit {
  const { records } = joinHosts(hosts);
  const call = records.find(({ callEnd }) => callEnd > Number.MAX_SAFE_INTEGER);
  const record = call ?? records.find(({ op }) => op === where.subject) ?? records.at(-1);
  const place = record === undefined || record.origin === '' ? '' : ` (${record.origin})`;
  const at = record === undefined ? '' : `, at "${record.id}"${place}`;
  return new SimulationLimit(`simulated time passes 2.5 hours${at}`);
}
