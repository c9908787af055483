/** Random programs whose kernels hand data on: streams, events, programmatic launches, graphs, copies. */
import { load, programBuilder, spin, store, trigger, wait } from '@griddep/program';

const SLICE = 16384;

/** A generator of numbers below 1 (mulberry32), so that a seed gives the same program everywhere. */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @param seed number of the program
 * @param options `care`: share of the dependences between streams that an event stands for, and of the programmatic
 *   launches that wait before they read; `graph`: captured and launched as a graph; `devices`: 1 or 2
 */
export function randomProgram(seed, { care = 1, graph = false, copies = true } = {}) {
  const random = numbers(seed);
  const below = (n) => Math.floor(random() * n);
  const name = `random-${graph ? 'graph' : 'stream'}-${care === 1 ? 'ordered' : 'loose'}-${seed}`;
  const p = programBuilder(name);
  const grid = [8, 33, 66, 132, 200][below(5)];
  const block = [128, 256, 512][below(3)];
  const buffers = Array.from({ length: 4 }, (_, i) => p.buffer(`b${i}`, { bytes: grid * SLICE }));
  const hostBuffer = p.buffer('host', { bytes: grid * SLICE, space: 'host', hostMemory: 'pinned' });
  const streams = Array.from({ length: 2 + below(2) }, (_, i) => p.stream(`s${i}`, { kind: 'nonBlocking' }));
  const host = p.hostThread('main');
  const slice = (buffer) => ({ buffer, bytes: SLICE, blockStride: SLICE });
  let events = 0;
  const order = (from, to) => {
    const event = p.event(`e${events++}`, { timing: false });
    host.eventRecord(event, from);
    host.streamWaitEvent(to, event);
  };
  /** By buffer, the streams that touched it since, the writer first. */
  const touched = buffers.map(() => []);
  if (graph) {
    host.streamBeginCapture(streams[0]);
    for (const other of streams.slice(1)) order(streams[0], other);
  }
  const last = streams.map(() => undefined);
  const steps = 8 + below(8);
  for (let i = 0; i < steps; i++) {
    const s = below(streams.length);
    const [read, write] = [below(4), below(4)];
    for (const b of new Set([read, write])) {
      for (const other of new Set(touched[b])) {
        if (other === s || random() >= care) continue;
        order(streams[other], streams[s]);
        last[s] = undefined;
      }
    }
    if (copies && !graph && random() < 0.12) {
      host.memcpyAsync('deviceToHost', grid * SLICE, streams[s], {
        source: buffers[read],
        destination: hostBuffer,
        label: `down#${i}`,
      });
      touched[read].push(s);
      last[s] = undefined;
      continue;
    }
    const programmatic = last[s] !== undefined && random() < 0.6;
    const waits = programmatic && random() < care;
    const early = random() < 0.5;
    const phases = [
      spin(`${1 + below(4)}us`),
      ...(programmatic && waits ? [wait()] : []),
      ...(early ? [trigger()] : []),
      load(SLICE, slice(buffers[read])),
      spin(`${1 + below(5)}us`),
      ...(read === write ? [] : [store(SLICE, slice(buffers[write]))]),
      ...(early ? [] : [trigger()]),
      ...(programmatic && !waits ? [wait()] : []),
    ];
    const kernel = p.kernel(`k${i}`, { grid, block, phases });
    host.launchKernel(kernel, streams[s], programmatic ? { programmaticStreamSerialization: true } : {}, {
      label: `k#${i}`,
    });
    touched[read].push(s);
    if (read !== write) touched[write] = [s, ...touched[write]];
    last[s] = i;
  }
  if (graph) {
    for (const other of streams.slice(1)) order(other, streams[0]);
    host.streamEndCapture(streams[0], 'graph');
    host.graphInstantiate('graph', 'executable');
    host.graphUpload('executable', streams[0]);
    host.graphLaunch('executable', streams[0], { label: 'replay' });
  }
  host.deviceSynchronize();
  return p.build();
}
