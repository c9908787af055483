import type { Call, Program, Stream } from '@griddep/program';
import { mapCalls, streamLike } from './entries.ts';

/**
 * Each device with `count` streams: what is enqueued in surplus streams goes to the others, and launches of a stream are
 * dealt in turn onto it and new ones like it. Default streams stay. What the order of a stream meant is lost where its
 * launches part: the program is another.
 */
export function spreadStreams(program: Program, count: number): Program {
  const declared = new Map<string, Stream>(program.streams);
  const target = new Map<string, string>();
  const shares = new Map<string, string[]>();
  for (const names of createdStreams(program).values()) {
    names.forEach((name, i) => {
      target.set(name, names[i % count] ?? name);
      shares.set(name, [name]);
    });
    for (let i = names.length; i < count; i++) {
      const from = names[i % names.length] as string;
      const own = program.streams.get(from) as Stream;
      shares.get(from)?.push(streamLike(own, Math.floor(i / names.length) + 1, declared));
    }
  }
  const turns = new Map<string, number>();
  const moved = (call: Call): Call => {
    if (!('stream' in call) || typeof call.stream !== 'string') return call;
    const stream = target.get(call.stream) ?? call.stream;
    if (call.kind !== 'launchKernel') return { ...call, stream };
    const turn = turns.get(stream) ?? 0;
    turns.set(stream, turn + 1);
    const share = shares.get(stream) ?? [stream];
    return { ...call, stream: share[turn % share.length] as string };
  };
  return { ...mapCalls(program, moved), streams: declared };
}

/** Of each device those that the program made. */
function createdStreams({ streams }: Program): Map<number, string[]> {
  const devices = new Map<number, string[]>();
  for (const { name, device, kind } of streams.values()) {
    if (kind === 'blocking' || kind === 'nonBlocking') devices.set(device, [...(devices.get(device) ?? []), name]);
  }
  return devices;
}
