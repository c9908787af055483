import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../sweeps/', import.meta.url);
const ENDING = '.sweep.yaml';

/** The names of the sweeps that come with the package. */
export function shippedSweeps(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .sort();
}

/** The path of one of them. */
export function shippedSweep(name: string): string {
  return fileURLToPath(new URL(name + ENDING, FOLDER));
}
