import { randomUUID } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SweepError } from '../sweep-error.ts';

/** So often, and so many ms apart, does a process look whether one that came at the same time has stood back. */
const LOOKS = 40;
const LOOK_MS = 5;

/** What follows the name of a results file in that of a claim to it. */
const CLAIM = /^\.owner-(\d+)-(\d+)-[-\da-f]+$/;

/** One process's wish for a file: an empty file beside it, whose name nobody else makes and says all there is to say. */
interface Claim {
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly pid: number;
}

/**
 * Takes a results file for this process, also after one that was killed. Returns what gives it back.
 *
 * A process first makes its claim and then looks for others: of two, the later to claim sees the earlier, so that never
 * both have the file. A claim whose process is gone can be removed by anybody, since no name is used twice.
 *
 * @throws SweepError while another process has it
 */
export function lockFile(path: string): () => void {
  const mine = claim(path);
  const release = () => rmSync(mine.file, { force: true });
  try {
    for (let looks = 1; ; looks++) {
      const rival = firstOf(liveClaims(path).filter(({ file }) => file !== mine.file));
      if (rival === undefined) break;
      // Of those that come at once, the first to claim stays.
      if (firstOf([rival, mine]) === rival || looks === LOOKS) throw inUse(path, rival);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
    }
    removeLibraryLock(path);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

function claim(path: string): Claim {
  const [since, { pid }] = [Date.now(), process];
  const file = join(dirname(path), `${basename(path)}.owner-${since}-${pid}-${randomUUID()}`);
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch (error) {
    // What the system says is so of the results file as well, and that is the name which the user knows.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
  return { file, since, pid };
}

/** The claims of processes that live; those of others are removed. */
function liveClaims(path: string): Claim[] {
  const claims = readdirSync(dirname(path)).flatMap((name) => {
    const [, since, pid] = CLAIM.exec(afterName(path, name)) ?? [];
    return pid === undefined ? [] : [{ file: join(dirname(path), name), since: Number(since), pid: Number(pid) }];
  });
  return claims.filter(({ file, pid }) => {
    if (isAlive(pid)) return true;
    rmSync(file, { force: true });
    return false;
  });
}

function afterName(path: string, name: string): string {
  return name.startsWith(basename(path)) ? name.slice(basename(path).length) : '';
}

function firstOf(claims: readonly Claim[]): Claim | undefined {
  return [...claims].sort((a, b) => a.since - b.since || (a.file < b.file ? -1 : 1))[0];
}

function inUse(path: string, { pid }: Claim): SweepError {
  return new SweepError(`${path}: is in use by ${pid === process.pid ? 'this process' : `process ${pid}`}`);
}

/** The SQLite library locks with a folder, which outlives a process that is killed. */
function removeLibraryLock(path: string): void {
  try {
    rmdirSync(`${path}.lock`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
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
