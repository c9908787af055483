import { chmod, chown, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Writes a file whole or not at all: beside it first, under its name with the process number, then in its place. What
 * processes that were killed have left there is removed.
 *
 * @throws Error of the operating system
 */
export async function writeAtomically(path: string, data: Uint8Array): Promise<void> {
  const place = await placeOf(path);
  await removeStale(place);
  const temporary = temporaryOf(place, process.pid);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await keepOwner(place, temporary);
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes the file beside a target that writing begins with, and removes it. Throws Error of the operating system. */
export async function tryToWrite(path: string): Promise<void> {
  const place = await placeOf(path);
  await removeStale(place);
  const temporary = temporaryOf(place, process.pid);
  await (await open(temporary, 'wx')).close();
  await rm(temporary, { force: true });
}

/** The file that a path leads to, through links where it exists. */
export async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

function temporaryOf(place: string, pid: number): string {
  return `${place}.${pid}.tmp`;
}

/** Removes temporary files of a target whose process has ended; also one of an earlier process of this number. */
async function removeStale(place: string): Promise<void> {
  const folder = dirname(place);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = Number(/\.(\d+)\.tmp$/.exec(name)?.[1]);
    if (name !== basename(temporaryOf(place, pid)) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(folder, name), { force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be asked.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Gives a file the mode of the one it replaces, and its owner where that is allowed. */
async function keepOwner(replaced: string, file: string): Promise<void> {
  const before = await stat(replaced).catch(() => undefined);
  if (before === undefined) return;
  await chown(file, before.uid, before.gid).catch(() => {});
  await chmod(file, before.mode & 0o7777);
}
