import { once } from 'node:events';
import { printable } from './printable.ts';

const CHUNK = 2 ** 16;

/** Writes texts to standard output in chunks, with nothing in them that a terminal obeys, waiting while its reader is slower. */
export async function print(...texts: readonly (string | Iterable<string>)[]): Promise<void> {
  let pending = '';
  const flush = async () => {
    const chunk = pending;
    pending = '';
    if (chunk !== '' && !process.stdout.write(chunk)) await once(process.stdout, 'drain');
  };
  for (const text of texts) {
    for (const part of typeof text === 'string' ? [text] : text) {
      pending += printable(part);
      if (pending.length >= CHUNK) await flush();
    }
  }
  await flush();
}

/** Writes a line to standard error. */
export function warn(text: string): void {
  process.stderr.write(`griddep: ${printable(text)}\n`);
}
