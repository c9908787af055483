import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EXIT } from '../exit-codes.ts';
import { writeOutputs } from '../output/files.ts';
import { print } from '../output/stdout.ts';

/** Programs of one file: a compiler takes minutes for all of them in one. */
const PER_FILE = 36;

/** `griddep calibrate --plan FOLDER`: writes the programs that determine a profile, ready to be compiled and run. */
export async function plan(folder: string): Promise<number> {
  const { exportPrograms, measureScript, plannedInputs } = await import('@griddep/hardware');
  const { CARRIED_FILES, carriedFile } = await import('@griddep/hardware/cases');
  const files = new Map<string, string>();
  for (const name of CARRIED_FILES) files.set(name, gunzipSync(await readFile(carriedFile(name))).toString());
  const inputs = plannedInputs(files);
  await mkdir(folder, { recursive: true });
  const outputs = [];
  for (let i = 0; i * PER_FILE < inputs.length; i++) {
    const part = inputs.slice(i * PER_FILE, (i + 1) * PER_FILE);
    const path = join(folder, `plan${i}.cu`);
    outputs.push({ option: '--plan', path, content: () => exportPrograms(part) });
  }
  outputs.push({ option: '--plan', path: join(folder, 'run.sh'), content: measureScript });
  const failure = await writeOutputs(outputs);
  if (failure !== undefined) throw failure;
  await print(
    `${inputs.length} programs in ${outputs.length - 1} files. On a machine with the GPU and nvcc: sh ${join(folder, 'run.sh')}\n` +
      `Then: griddep calibrate ${join(folder, 'cases')} -o profile.json\n`,
  );
  return EXIT.ok;
}
