import type { Program } from '@griddep/program';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { resolveMachine } from '../input/machine.ts';
import { programOf, resolveInput, tracedMachine } from '../input/resolve.ts';
import { parseSettings } from '../input/settings.ts';
import { DEFAULT_MACHINE } from '../input/simulated.ts';
import { onlySource } from '../input/sources.ts';
import { type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { print } from '../output/stdout.ts';
import { whyJson, whyPairJson } from '../output/why-json.ts';
import { whyPairText, whyText } from '../output/why-text.ts';

export interface WhyCommandOptions extends TraceCommandOptions {
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly machine?: string;
  readonly json?: boolean;
}

/** `griddep why INPUT OPERATION [OTHER]`: what an operation waited for, or why two did not overlap. */
export async function why(names: readonly string[], options: WhyCommandOptions): Promise<number> {
  const [path, ids] = options.scenario === undefined ? [names[0], names.slice(1)] : [undefined, names];
  const [operation, other, ...more] = ids;
  if (operation === undefined) throw new InputError('no operation: give its id, as `griddep run` lists them');
  if (more.length > 0) throw new InputError(`give one operation or two, not ${ids.length}`);
  const machine = await resolveMachine(options.machine ?? DEFAULT_MACHINE);
  const { checkProgram } = await import('@griddep/simulator');
  const input = await resolveInput(onlySource(path, options.scenario), {
    set: parseSettings(options.set),
    check: (program: Program) => checkProgram(program, machine),
    machine: options.machine === undefined ? undefined : machine,
    traces: traceOptions(options),
  });
  const program = programOf(input, 'why');
  const on = tracedMachine(input) ?? machine;
  const insight = await import('@griddep/insight');
  try {
    if (other === undefined) {
      const found = insight.why(program, on, operation);
      await print(options.json === true ? whyJson(found) : whyText(found));
    } else {
      const found = insight.whyPair(program, on, operation, other);
      await print(options.json === true ? whyPairJson(found) : whyPairText(found));
    }
  } catch (error) {
    if (!(error instanceof insight.UnknownOperation)) throw error;
    throw new InputError(`${input.name}: ${error.message}; \`griddep run\` lists the operations`);
  }
  return EXIT.ok;
}
