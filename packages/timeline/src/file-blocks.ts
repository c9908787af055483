import { ColumnReader, fileInstant } from './file-columns.ts';
import type { BlockColumns } from './timeline.ts';

/** Block columns for the file: operation and start as differences to the block before, end as the block's duration. */
export function encodeBlocks(blocks: BlockColumns) {
  const operation: number[] = [];
  const start: (number | null)[] = [];
  const duration: (number | null)[] = [];
  let lastOperation = 0;
  let lastStart = 0;
  blocks.operation.forEach((index, i) => {
    operation.push(index - lastOperation);
    lastOperation = index;
    const from = blocks.start[i] ?? Number.NaN;
    const until = blocks.end[i] ?? Number.NaN;
    start.push(fileInstant(from - lastStart, `blocks.start[${i}]`));
    duration.push(fileInstant(until - from, `blocks.end[${i}]`));
    if (!Number.isNaN(from)) lastStart = from;
  });
  return { operation, block: [...blocks.block], sm: [...blocks.sm], start, duration };
}

/** The reverse of `encodeBlocks`; throws TimelineFileError with column and row. */
export function decodeBlocks(file: Readonly<Record<string, unknown>>, operations: number): BlockColumns {
  const operation = new ColumnReader(file, 'blocks', 'operation');
  const { length } = operation;
  const block = new ColumnReader(file, 'blocks', 'block', length);
  const sm = new ColumnReader(file, 'blocks', 'sm', length);
  const start = new ColumnReader(file, 'blocks', 'start', length);
  const duration = new ColumnReader(file, 'blocks', 'duration', length);
  const blocks = {
    operation: new Uint32Array(length),
    block: new Uint32Array(length),
    sm: new Uint16Array(length),
    start: new Float64Array(length),
    end: new Float64Array(length),
  };
  let lastOperation = 0;
  let lastStart = 0;
  for (let i = 0; i < length; i++) {
    lastOperation += operation.integer(i, -lastOperation, operations - lastOperation);
    blocks.operation[i] = lastOperation;
    blocks.block[i] = block.integer(i, 0, 2 ** 32);
    blocks.sm[i] = sm.integer(i, 0, 2 ** 16);
    const from = lastStart + start.instant(i);
    blocks.start[i] = from;
    blocks.end[i] = from + duration.instant(i);
    if (!Number.isNaN(from)) lastStart = from;
  }
  return blocks;
}
