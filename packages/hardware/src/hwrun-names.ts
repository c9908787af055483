import type { HwrunCase, HwrunOp } from './hwrun-format.ts';

/** Names in the program that a case becomes. The gate: kernel, and by device its stream, which is also its launch's label. */
export const GATE = 'gate';
export const FLAG = 'release';
export const gateOf = (device: number): string => ofDevice(GATE, device);
export const gateEventOf = (device: number): string => ofDevice('gate open', device);
export const baseOf = (device: number): string => ofDevice('gate base', device);

function ofDevice(name: string, device: number): string {
  return device === 0 ? name : `${name} ${device}`;
}

/** The data of the launch that is a case's operation of this index. */
export function dataName(index: number): string {
  return `data of ${index}`;
}

/** The buffer that an allocation makes or a free gives back. */
export function pointerName(op: HwrunOp): string {
  return String(op.ptr ?? op.id ?? '');
}

/** @throws Error for a field that an operation of this kind must have. */
export function need(value: string | undefined): string {
  if (value === undefined) throw new Error('an operation lacks a field');
  return value;
}

/** The device of a stream; 0 for none. */
export function deviceOf({ streams }: HwrunCase, stream: string | undefined): number {
  return streams.find((s) => s.id === stream)?.device ?? 0;
}

/** Devices that a case's streams and copies are on, in order: of a host with thousands most stay unused. */
export function devicesUsed({ devices, streams, ops }: HwrunCase): number[] {
  const used = new Set([...streams.map(({ device }) => device), ...ops.map(({ peer }) => peer ?? 0)]);
  return [...used].filter((device) => device >= 0 && device < devices).sort((a, b) => a - b);
}

/** Whether a kernel loads or stores data of its launch. */
export function usesData({ kernels }: HwrunCase, kernel: string): boolean {
  return kernels[kernel]?.phases.some(([name]) => name === 'load' || name === 'store') === true;
}

/** The events that the measuring program records around a copy, if it times that one. */
export function eventsAround({ mode }: HwrunCase, op: HwrunOp): { before: string; after: string } | undefined {
  if (op.op !== 'copy' || op.label === undefined || op.untimed === true || mode === 'graph') return undefined;
  return { before: `before ${op.label}`, after: `after ${op.label}` };
}
