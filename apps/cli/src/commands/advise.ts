import type { Program } from '@griddep/program';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { resolveMachine } from '../input/machine.ts';
import { programOf, resolveInput, tracedMachine } from '../input/resolve.ts';
import { parseSettings } from '../input/settings.ts';
import { DEFAULT_MACHINE } from '../input/simulated.ts';
import { onlySource } from '../input/sources.ts';
import { type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { adviceJson } from '../output/advice-json.ts';
import { adviceText } from '../output/advice-text.ts';
import { print } from '../output/stdout.ts';

export interface AdviseCommandOptions extends TraceCommandOptions {
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly machine?: string;
  readonly from?: string;
  readonly preamble: readonly string[];
  readonly maxEvents?: number;
  readonly json?: boolean;
}

/** `griddep advise INPUT`: what would make a program faster, and what would not. */
export async function advise(path: string | undefined, options: AdviseCommandOptions): Promise<number> {
  const machine = await resolveMachine(options.machine ?? DEFAULT_MACHINE);
  const { checkProgram } = await import('@griddep/simulator');
  const input = await resolveInput(onlySource(path, options.scenario), {
    set: parseSettings(options.set),
    check: (program: Program) => checkProgram(program, machine),
    machine: options.machine === undefined ? undefined : machine,
    traces: traceOptions(options),
  });
  const program = programOf(input, 'advise');
  const on = tracedMachine(input) ?? machine;
  const shares = preambles(options.preamble, program);
  const insight = await import('@griddep/insight');
  const { from, maxEvents } = options;
  const advice = insight.advise(program, on, {
    shares,
    ...(from === undefined ? {} : { from }),
    ...(maxEvents === undefined ? {} : { maxEvents }),
  });
  await print(options.json === true ? adviceJson(advice) : adviceText(advice));
  return EXIT.ok;
}

/** `kernel=40%`: so much of a block's work may run before its wait. */
function preambles(given: readonly string[], program: Program) {
  const shares = new Map<string, { beforeWait: number; beforeTrigger: number }>();
  for (const text of given) {
    const [, name = '', digits] = /^(.+)=(\d+(?:\.\d+)?)\s*%$/.exec(text) ?? [];
    const percent = Number(digits);
    if (digits === undefined || percent > 100)
      throw new InputError(`--preamble ${text}: expected KERNEL=SHARE, such as gemm=40%`);
    if (!program.kernels.has(name))
      throw new InputError(`--preamble ${text}: the program has no kernel ${JSON.stringify(name)}`);
    shares.set(name, { beforeWait: percent / 100, beforeTrigger: 1 });
  }
  return shares;
}
