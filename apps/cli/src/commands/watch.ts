import { watch as watchFolder } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { warn } from '../output/stdout.ts';
import { reportError } from '../report-error.ts';
import { type RunOptions, run } from './run.ts';

/** Editors write a file in several steps; after the last of them it is read. */
const SETTLE_MS = 60;

/** `griddep run --watch`: runs, and again whenever the program or the machine file changed, until interrupted. */
export async function watch(path: string | undefined, options: RunOptions): Promise<number> {
  if (options.view === true) throw new InputError('--view and --watch exclude each other');
  if (path === undefined || path === '-') throw new InputError('--watch needs a file');
  const machine = options.machine !== undefined && /[./\\]/.test(options.machine) ? [options.machine] : [];
  const files = [path, ...machine];
  const changes = new Changes(files);
  let before = await contents(files);
  let last = await attempt(path, options);
  warn(`watching ${files.join(' and ')} until interrupted (Ctrl-C)`);
  while (await changes.next()) {
    const now = await contents(files);
    if (now === before) continue;
    before = now;
    warn(`${files.join(' or ')} changed`);
    last = await attempt(path, options);
  }
  return last === EXIT.bug ? EXIT.bug : EXIT.ok;
}

/** What is wrong with a file is told, and the next change awaited: it is being edited. */
async function attempt(path: string, options: RunOptions): Promise<number> {
  try {
    return await run(path, options);
  } catch (error) {
    return reportError(error, false);
  }
}

async function contents(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  return texts.join('\0');
}

/** Changes of files, those close together as one. Folders are watched, as many editors replace the file. */
class Changes {
  #resolve: ((goesOn: boolean) => void) | undefined;
  #hasChanged = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(files: readonly string[]) {
    const watchers = files.map((file) =>
      watchFolder(dirname(file), (_, name) => {
        if (name === null || name === basename(file)) this.#later();
      }),
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        for (const watcher of watchers) watcher.close();
        clearTimeout(this.#timer);
        this.#isOver = true;
        this.#resolve?.(false);
      });
    }
  }

  /** Settles after the next change, or with false when the process is asked to end. */
  next(): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    if (this.#hasChanged) {
      this.#hasChanged = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#resolve === undefined) this.#hasChanged = true;
      this.#resolve?.(true);
      this.#resolve = undefined;
    }, SETTLE_MS);
  }
}
