import { readFileSync } from 'node:fs';

/** Where the script stands that compiles exported programs and runs them on the GPUs of a machine. */
const MEASURE_SCRIPT = new URL('../../scripts/measure-exports.sh', import.meta.url);

/** Its text: put beside exported programs it measures them, and needs a shell and nvcc alone. */
export function measureScript(): string {
  return readFileSync(MEASURE_SCRIPT, 'utf8');
}
