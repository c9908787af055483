import { type HostThreadBuilder, load, type Program, programBuilder, store, trigger, wait } from '@griddep/program';

/** Programs for the checker, by what orders their operations. */
export const CHECKED = ['ordered', 'never-waiting', 'racing'] as const;
export type Checked = (typeof CHECKED)[number];

const DEVICES = 8;
const BUFFERS = 4;
const PDL = { programmaticStreamSerialization: true };
/** Operations between two exchanges of neighbouring devices. */
const ROUND = 8;

/**
 * Early launches on eight devices, a stream each.
 *
 * - `ordered`: each waits; every round a copy to the neighbour, which waits for it by an event: no hazards;
 * - `never-waiting`: none waits, and they only read, so that nothing of a stream is ordered and nothing races;
 * - `racing`: none waits, and they write what the one before reads.
 */
export function checkedProgram(kind: Checked, operations: number): Program {
  const p = programBuilder(kind);
  for (let d = 0; d < DEVICES; d++) {
    p.stream(`s${d}`, { kind: 'nonBlocking', device: d });
    for (let b = 0; b < BUFFERS; b++) p.buffer(`x${d}.${b}`, { bytes: '64KiB', device: d });
    p.buffer(`in${d}`, { bytes: '64KiB', device: d });
    for (const name of [`sent${d}`, `used${d}`]) p.event(name, { timing: false, device: d });
    for (let b = 0; b < BUFFERS; b++) {
      const touched = [load('64KiB', `x${d}.${b}`), store('64KiB', `x${d}.${(b + 1) % BUFFERS}`)];
      const phases = kind === 'never-waiting' ? touched.slice(0, 1) : touched;
      p.kernel(`k${d}.${b}`, {
        grid: 16,
        block: 256,
        phases: [trigger(), ...(kind === 'ordered' ? [wait()] : []), ...phases],
      });
    }
  }
  const host = p.hostThread('main');
  const perDevice = Math.ceil(operations / DEVICES);
  for (let i = 0; i < perDevice; i++) {
    for (let d = 0; d < DEVICES; d++) {
      if (kind === 'ordered' && i % ROUND === ROUND - 1) exchange(host, d);
      else {
        host.setDevice(d);
        host.launchKernel(`k${d}.${i % BUFFERS}`, `s${d}`, PDL);
      }
    }
  }
  for (let d = 0; d < DEVICES; d++) host.streamSynchronize(`s${d}`);
  return p.build();
}

/** A device sends to its neighbour once that has used what came before, and tells it. */
function exchange(host: HostThreadBuilder, d: number): void {
  const next = (d + 1) % DEVICES;
  host.streamWaitEvent(`s${d}`, `used${next}`);
  host.memcpyPeerAsync(next, d, '64KiB', `s${d}`, { source: `x${d}.0`, destination: `in${next}` });
  host.eventRecord(`sent${d}`, `s${d}`);
  host.streamWaitEvent(`s${next}`, `sent${d}`);
  host.eventRecord(`used${next}`, `s${next}`);
}
