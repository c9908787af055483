import { type ProgramBuilder, ramp, spin, store, trigger, wait } from '@griddep/program';
import type { HwrunCase } from './hwrun-format.ts';
import {
  baseOf,
  dataName,
  deviceOf,
  eventsAround,
  FLAG,
  GATE,
  gateEventOf,
  gateOf,
  need,
  pointerName,
  usesData,
} from './hwrun-names.ts';

/** What the measuring program is, beyond the case: facts of its source. */
const REGISTERS = 26;
const STATIC_SHARED_MEMORY = 4;
const SLOT_BYTES = 16384;
const SLOTS = 64;
/** Places, of 16 bytes each, among which the data of launches begin. */
const DATA_PLACES = 2 ** 24;
/** A check of a slot loads four bytes a thread at a time, each after the one before, from L2: 190 ns each. */
const GET_RATE = 21_000_000;
/** A ramp's argument is its step in nanoseconds times this, plus the number of steps. */
const RAMP_STEPS = 256;

const STREAM_KIND = { blocking: 'blocking', nonblocking: 'nonBlocking', legacy: 'legacy', ptds: 'perThread' } as const;

/** Declares what a case and the measuring program around it use: kernels, streams, events, buffers. */
export function declareCase(source: HwrunCase, p: ProgramBuilder): void {
  p.buffer('slots', { bytes: SLOTS * SLOT_BYTES });
  declareData(source, p);
  for (const [id, { grid, block, smem, phases }] of Object.entries(source.kernels)) {
    p.kernel(id, {
      grid,
      block,
      registersPerThread: REGISTERS,
      staticSharedMemory: STATIC_SHARED_MEMORY,
      dynamicSharedMemory: smem,
      griddepcontrol: true,
      instrumented: true,
      ...(usesData(source, id) ? { parameters: [{ name: 'data' }] } : {}),
      phases: phases.map(([name, argument]) => phaseOf(source, name, argument ?? 0, grid)),
    });
  }
  p.kernel(GATE, {
    grid: 1,
    block: 1,
    registersPerThread: REGISTERS,
    phases: [{ op: 'await', flag: FLAG, value: 1 }],
  });
  for (const { id, device, kind, priority } of source.streams)
    p.stream(id, { device, kind: STREAM_KIND[kind], priority });
  for (const { id, device, timing } of source.events) p.event(id, { device, timing });
  for (let device = 0; device < source.devices; device++) {
    p.stream(gateOf(device), { device, kind: 'nonBlocking' });
    p.event(gateEventOf(device), { device, timing: false });
    p.event(baseOf(device), { device, timing: true });
  }
  for (const op of source.ops) {
    if (op.op === 'malloc' || op.op === 'mallocasync') p.buffer(pointerName(op), { bytes: op.bytes ?? 0 });
    const around = eventsAround(source, op);
    if (around === undefined) continue;
    const device = deviceOf(source, op.stream);
    p.event(around.before, { timing: true, device });
    p.event(around.after, { timing: true, device });
  }
}

/** Every launch has its own place in one large allocation, by the index of its operation. */
function declareData(source: HwrunCase, p: ProgramBuilder): void {
  let most = 0;
  for (const { grid, phases } of Object.values(source.kernels)) {
    for (const [name, bytes = 0] of phases)
      if (name === 'load' || name === 'store') most = Math.max(most, grid * bytes);
  }
  source.ops.forEach((op, i) => {
    if (op.op !== 'launch' || !usesData(source, need(op.kernel))) return;
    const offset = 16 * (((i + 1) * 7919 * 1024) % DATA_PLACES);
    const device = deviceOf(source, op.stream);
    p.buffer(dataName(i), { bytes: most, allocation: `data ${device}`, offset, device });
  });
}

function phaseOf({ name: caseName }: HwrunCase, name: string, argument: number, grid: number) {
  switch (name) {
    case 'spin':
      return spin(`${argument}ns`);
    case 'ramp':
      return ramp(`${Math.floor(argument / RAMP_STEPS)}ns`, argument % RAMP_STEPS);
    case 'fma':
      return { op: 'fma' as const, iterations: argument };
    case 'load':
      return streaming('load', argument);
    case 'store':
      return streaming('store', argument);
    case 'trigger':
      return trigger();
    case 'wait':
      return wait();
    case 'put': {
      const bytes = Math.floor(SLOT_BYTES / grid);
      const range = { buffer: 'slots', offset: argument * SLOT_BYTES, bytes, blockStride: bytes };
      return store(Math.ceil(SLOT_BYTES / grid), range);
    }
    case 'get':
      return {
        op: 'load' as const,
        bytes: SLOT_BYTES,
        range: { buffer: 'slots', offset: argument * SLOT_BYTES, bytes: SLOT_BYTES, blockStride: 0 },
        threadRate: GET_RATE,
      };
    default:
      throw new Error(`case "${caseName}": unknown phase "${name}"`);
  }
}

/** Its loads and stores carry the streaming hint. */
function streaming(op: 'load' | 'store', bytes: number) {
  return { op, bytes, range: { buffer: '$data', bytes, blockStride: bytes }, evictFirst: true };
}
