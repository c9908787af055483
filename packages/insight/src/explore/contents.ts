import { type Access, conflict, type Extent, endOf, isContiguous, overlap } from '../program/access.ts';
import type { Performed } from './layout.ts';

/** Whom some bytes come from: of each piece its last writer, and the atomic updates since; the same text, the same contents. */
export interface Contents {
  readonly text: string;
  readonly writers: ReadonlySet<number>;
}

type Piece = readonly [begin: number, end: number];

/** Pieces of one extent that are told apart. */
const MOST_PIECES = 256;

/**
 * What an access finds where some others have taken effect before it, in this order. Its own node's writes are left
 * out: the order within a grid is not looked at.
 */
export function found(reader: Performed, before: readonly Performed[]): Contents {
  return contents(reader.access.extent, before, (writer) => {
    return writer.node !== reader.node && conflict(reader.access, deviceOf(reader), writer.access, deviceOf(writer));
  });
}

/** What memory holds at the end. */
export function left(extent: Extent, all: readonly Performed[]): Contents {
  return contents(extent, all, () => true);
}

function contents(extent: Extent, before: readonly Performed[], counts: (writer: Performed) => boolean): Contents {
  let open = piecesOf(extent) ?? [[extent.begin, endOf(extent)] as const];
  const pieces: string[] = [];
  const updates = new Set<number>();
  const writers = new Set<number>();
  for (let i = before.length - 1; i >= 0 && open.length > 0; i--) {
    const writer = before[i] as Performed;
    const { mode, extent: written } = writer.access;
    if (mode === 'read' || !overlap(extent, written) || !counts(writer)) continue;
    const { id } = writer.node;
    if (mode === 'atomic') {
      if (open.some((piece) => touches(piece, written))) updates.add(id);
      continue;
    }
    if (isSame(extent, written)) {
      writers.add(id);
      pieces.push(`rest ${id}`);
      open = [];
      break;
    }
    const cut = piecesOf(written);
    if (cut === undefined) {
      // Of very many pieces: seen, and taken to leave something of what was there before.
      writers.add(id);
      pieces.push(`some ${id}`);
      continue;
    }
    for (const piece of cut) {
      const rest: Piece[] = [];
      for (const [begin, end] of open) {
        const from = Math.max(begin, piece[0]);
        const to = Math.min(end, piece[1]);
        if (from >= to) {
          rest.push([begin, end]);
          continue;
        }
        writers.add(id);
        pieces.push(`${from}-${to} ${id}`);
        if (begin < from) rest.push([begin, from]);
        if (to < end) rest.push([to, end]);
      }
      open = rest;
    }
  }
  for (const id of updates) writers.add(id);
  const added = [...updates].sort((a, b) => a - b).map((id) => `+${id}`);
  return { text: [...pieces.sort(), ...added].join(' '), writers };
}

function touches([begin, end]: Piece, { memory, ...extent }: Extent): boolean {
  return overlap({ memory, begin, bytes: end - begin, stride: 0, count: 1 }, { memory, ...extent });
}

function piecesOf(extent: Extent): Piece[] | undefined {
  const { begin, bytes, stride, count } = extent;
  if (isContiguous(extent)) return [[begin, begin + bytes]];
  if (count > MOST_PIECES) return undefined;
  return Array.from({ length: count }, (_, i) => [begin + i * stride, begin + i * stride + bytes] as const);
}

function isSame(a: Extent, b: Extent): boolean {
  return a.begin === b.begin && a.bytes === b.bytes && a.stride === b.stride && a.count === b.count;
}

export function deviceOf({ node: { kind, device } }: Performed): number {
  return kind === 'host' ? -1 : device;
}

/** Whether two accesses of different nodes may not change places. */
export function isOpposed(a: Performed, b: Performed): boolean {
  return a.node !== b.node && conflict(a.access, deviceOf(a), b.access, deviceOf(b));
}

export function isOfMemoryManagement({ mode }: Access): boolean {
  return mode === 'allocate' || mode === 'free';
}
