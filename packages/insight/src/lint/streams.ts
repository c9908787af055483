import { connectionsAtStart } from '@griddep/program';
import { type Places, placeText } from '../places.ts';
import type { Recorded } from '../program/recorded.ts';
import type { Lint } from './note.ts';

/** More streams than hardware queues, and the legacy stream among streams that it orders (rules 5.1, 5.11). */
export function streamLint({ program, machine }: Recorded, places: Places): Lint[] {
  const first = new Map<string, { readonly thread: number; readonly call: number }>();
  for (const [thread, { calls }] of program.threads.entries()) {
    const shapes = new Set<number>();
    for (let call = 0; call < calls.length; call++) {
      if (shapes.has(calls.shapeAt(call))) continue;
      shapes.add(calls.shapeAt(call));
      const made = calls.at(call);
      if ('stream' in made && !first.has(made.stream)) first.set(made.stream, { thread, call });
    }
  }
  const found: Lint[] = [];
  const used = [...program.streams.values()].filter(({ name }) => first.has(name));
  for (const [device, profile] of machine.devices.entries()) {
    const here = used.filter((stream) => stream.device === device);
    const queues = connectionsAtStart(program) ?? machine.host.maxConnections;
    if (here.length > queues) {
      const place = places.call(first.get(here[queues]?.name ?? '') as { thread: number; call: number });
      found.push({
        ...{ kind: 'more-streams-than-queues', rules: ['5.11'], places: [place] },
        text: `${here.length} streams are used on device ${device} (${profile.name}), which has ${queues} hardware queues: streams that share one wait for each other`,
        change: 'use fewer streams, or set CUDA_DEVICE_MAX_CONNECTIONS higher',
      });
    }
    const legacy = here.find(({ kind }) => kind === 'legacy');
    const blocking = here.filter(({ kind }) => kind === 'blocking' || kind === 'perThread');
    if (legacy === undefined || blocking.length === 0) continue;
    const place = places.call(first.get(legacy.name) as { thread: number; call: number });
    found.push({
      ...{ kind: 'legacy-among-blocking', rules: ['5.1'], places: [place] },
      text: `work in the legacy stream, from ${placeText(place)} on, waits for all earlier work in ${blocking.map(({ name }) => `"${name}"`).join(', ')}, and keeps all later work waiting`,
      change: 'make the streams nonBlocking, or use a stream of its own instead of the legacy one',
    });
  }
  return found;
}
