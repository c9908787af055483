import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { print } from '../output/stdout.ts';

const SCHEMAS: Readonly<Record<string, () => Promise<object>>> = {
  program: async () => (await import('@griddep/program')).programJsonSchema(),
  machine: async () => (await import('@griddep/machine/file')).machineJsonSchema(),
  timeline: async () => (await import('@griddep/timeline')).timelineJsonSchema(),
  sweep: async () => (await import('@griddep/sweep')).sweepJsonSchema(),
};

/** `griddep schema [program|machine|timeline|sweep]`: prints JSON Schema 2020-12, that of programs by default. */
export async function schema(of = 'program'): Promise<number> {
  const make = Object.hasOwn(SCHEMAS, of) ? SCHEMAS[of] : undefined;
  if (make === undefined) {
    const { nearestName } = await import('@griddep/machine');
    const names = Object.keys(SCHEMAS);
    const nearest = nearestName(of, names);
    const hint = nearest === undefined ? `; there are ${names.join(', ')}` : ` (did you mean "${nearest}"?)`;
    throw new InputError(`unknown schema "${of}"${hint}`);
  }
  await print(`${JSON.stringify(await make(), null, 2)}\n`);
  return EXIT.ok;
}
