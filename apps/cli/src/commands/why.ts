import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { type ProgramCommandOptions, programOnMachine } from '../input/program-on-machine.ts';
import { print } from '../output/stdout.ts';
import { whyJson, whyPairJson } from '../output/why-json.ts';
import { whyPairText, whyText } from '../output/why-text.ts';

export interface WhyCommandOptions extends ProgramCommandOptions {
  readonly json?: boolean;
}

/** `griddep why INPUT OPERATION [OTHER]`: what an operation waited for, or why two did not overlap. */
export async function why(names: readonly string[], options: WhyCommandOptions): Promise<number> {
  const [path, ids] = options.scenario === undefined ? [names[0], names.slice(1)] : [undefined, names];
  const [operation, other, ...more] = ids;
  if (operation === undefined) throw new InputError('no operation: give its id, as `griddep run` lists them');
  if (more.length > 0) throw new InputError(`give one operation or two, not ${ids.length}`);
  const { name, program, machine } = await programOnMachine(path, 'why', options);
  const insight = await import('@griddep/insight');
  try {
    if (other === undefined) {
      const found = insight.why(program, machine, operation);
      await print(options.json === true ? whyJson(found) : whyText(found));
    } else {
      const found = insight.whyPair(program, machine, operation, other);
      await print(options.json === true ? whyPairJson(found) : whyPairText(found));
    }
  } catch (error) {
    if (!(error instanceof insight.UnknownOperation)) throw error;
    throw new InputError(`${name}: ${error.message}; \`griddep run\` lists the operations`);
  }
  return EXIT.ok;
}
