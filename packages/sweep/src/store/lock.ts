import { readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { SweepError } from '../sweep-error.ts';

/**
 * Takes a results file for this process, also after one that was killed. Returns what gives it back.
 *
 * @throws SweepError while another process has it
 */
export function lockFile(path: string): () => void {
  const lock = `${path}.owner`;
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 2) throw error;
      const owner = Number(readOwner(lock));
      if (owner !== process.pid && isAlive(owner)) throw new SweepError(`${path}: is in use by process ${owner}`);
      if (owner === process.pid) throw new SweepError(`${path}: is in use by this process`);
      rmSync(lock, { force: true });
    }
  }
  removeLibraryLock(path);
  return () => rmSync(lock, { force: true });
}

/** The SQLite library locks with a folder, which outlives a process that is killed. */
function removeLibraryLock(path: string): void {
  try {
    rmdirSync(`${path}.lock`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function readOwner(lock: string): string {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
