import { readFileSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';

/** Memory maps that V8 needs for a thread, and others of the process. */
const MAPS_PER_THREAD = 34;
const OTHER_MAPS = 2000;
const BYTES_PER_THREAD = 8 * 2 ** 20;

/** Cores that this process may use. */
export function cores(): number {
  return availableParallelism();
}

/**
 * The most threads that the machine can start: beyond the kernel's memory maps of a process V8 ends the whole process,
 * and each thread takes 6 to 16 MB.
 */
export function mostThreads(): number {
  return Math.max(1, Math.min(byMaps(), Math.floor(freemem() / BYTES_PER_THREAD)));
}

function byMaps(): number {
  try {
    const maps = Number(readFileSync('/proc/sys/vm/max_map_count', 'utf8'));
    return Math.floor((maps - OTHER_MAPS) / MAPS_PER_THREAD);
  } catch {
    return 1000;
  }
}
