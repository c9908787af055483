import type { Rendezvous } from '@griddep/cuda';
import type { DeviceResult } from './device/device-result.ts';
import { absent, type Standstill, threadOf, WaitGraph } from './wait-graph.ts';

/** A collective that never ends, with the members that have not come. */
function meetingText(rendezvous: Rendezvous, devices: readonly DeviceResult[]): string {
  const { collective, group, sequence } = rendezvous;
  const missing = absent(rendezvous, devices);
  const who = `${missing.length === 1 ? 'device' : 'devices'} ${missing.join(', ')}`;
  return `collective ${collective} of group "${group}" (its call ${sequence + 1}) for ${who}`;
}

/** What can never finish: host threads and device operations, each with what it waits for. */
export function stuckReport(rest: Standstill): string[] {
  const { host, devices, operations, position, program } = rest;
  const name = (op: number): string => {
    const thread = threadOf(op);
    if (thread !== undefined) return `host thread "${program.threads[thread]?.name}"`;
    const operation = operations[position.get(op) ?? -1];
    return operation === undefined ? `operation ${op}` : `"${operation.id}"${place(op)}`;
  };
  const place = (op: number): string => {
    const origin = operations[position.get(op) ?? -1]?.origin ?? '';
    return origin === '' ? '' : ` (${origin})`;
  };
  const lines = host.unfinished.map(({ name: thread, call, at, op, flag }) => {
    const awaited = flag === undefined ? '' : ` for flag "${flag.name}" to reach ${flag.value}`;
    return `host thread "${thread}" waits in ${call}${place(at)}${op < 0 ? awaited : ` for ${name(op)}`}`;
  });
  for (const device of devices) {
    const meetings = new Set(device.meetings.map(({ op }) => op));
    for (const { flag, value, op } of device.awaitedFlags) {
      if (!meetings.has(op)) lines.push(`${name(op)} waits for flag "${flag}" to reach ${value}`);
    }
    for (const { op, rendezvous } of device.meetings)
      lines.push(`${name(op)} waits in ${meetingText(rendezvous, devices)}`);
    for (const { op, state, awaits } of device.unfinished) {
      lines.push(`${name(op)} ${state}${awaits.length === 0 ? '' : ` ${awaits.map(name).join(', ')}`}`);
    }
  }
  const cycle = findCycle(new WaitGraph(rest).edges);
  if (cycle !== undefined) lines.push(`cycle: ${[...cycle, cycle[0] as number].map(name).join(' waits for ')}`);
  return lines;
}

/** Nodes of a cycle in their order, beginning with the least; undefined if there is none. */
export function findCycle(edges: ReadonlyMap<number, readonly number[]>): readonly number[] | undefined {
  const done = new Set<number>();
  for (const root of [...edges.keys()].sort((a, b) => a - b)) {
    const path: number[] = [];
    const onPath = new Set<number>();
    const rest: number[][] = [[root]];
    while (rest.length > 0) {
      const node = (rest.at(-1) as number[]).pop();
      if (node === undefined) {
        rest.pop();
        const left = path.pop();
        if (left !== undefined) {
          onPath.delete(left);
          done.add(left);
        }
        continue;
      }
      if (onPath.has(node)) return fromLeast(path.slice(path.indexOf(node)));
      if (done.has(node)) continue;
      path.push(node);
      onPath.add(node);
      rest.push([...(edges.get(node) ?? [])]);
    }
  }
  return undefined;
}

function fromLeast(cycle: readonly number[]): readonly number[] {
  const at = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
