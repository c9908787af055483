import { EXIT } from '../exit-codes.ts';
import { resolveMachine } from '../input/machine.ts';
import { print } from '../output/stdout.ts';

/** `griddep machine NAME`: a machine, of the catalogue or a file, as a file that reads back to the same. */
export async function machine(name: string, options: { readonly json?: boolean }): Promise<number> {
  const found = await resolveMachine(name);
  const { writeMachine } = await import('@griddep/machine/file');
  await print(writeMachine(found, options.json === true ? 'json' : 'yaml'));
  return EXIT.ok;
}
