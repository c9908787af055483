import type { Buffer, Program } from '@griddep/program';

/** A buffer that is there from the start, with what it adds to its device's memory and what that comes to, bytes. */
export interface InitialBuffer {
  readonly buffer: Buffer;
  readonly added: number;
  readonly taken: number;
}

/**
 * Device buffers that no call of the program allocates, in order of declaration. Aliases of one allocation take its
 * memory once.
 */
export function* initialBuffers(program: Program): Generator<InitialBuffer> {
  const byCalls = allocatedByCalls(program);
  const devices = new Map<number, { taken: number; readonly allocations: Map<string, number> }>();
  for (const buffer of program.buffers.values()) {
    if (buffer.space !== 'device' || byCalls.has(buffer.name)) continue;
    const device = devices.get(buffer.device) ?? { taken: 0, allocations: new Map() };
    devices.set(buffer.device, device);
    const known = device.allocations.get(buffer.allocation) ?? 0;
    const size = Math.max(known, buffer.offset + buffer.bytes);
    device.allocations.set(buffer.allocation, size);
    device.taken += size - known;
    yield { buffer, added: size - known, taken: device.taken };
  }
}

/** Names of the buffers that calls allocate. */
function allocatedByCalls({ threads }: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { calls } of threads) {
    for (let shape = 0; shape < calls.distinct; shape++) {
      const call = calls.distinctCall(shape);
      if (call.kind === 'malloc' || call.kind === 'mallocAsync') names.add(call.buffer);
    }
  }
  return names;
}
