import type { Program } from '@griddep/program';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { type ProgramCommandOptions, programOnMachine } from '../input/program-on-machine.ts';
import { adviceJson } from '../output/advice-json.ts';
import { adviceText } from '../output/advice-text.ts';
import { print } from '../output/stdout.ts';

export interface AdviseCommandOptions extends ProgramCommandOptions {
  readonly from?: string;
  readonly preamble: readonly string[];
  readonly maxEvents?: number;
  readonly json?: boolean;
}

/** `griddep advise INPUT`: what would make a program faster, and what would not. */
export async function advise(path: string | undefined, options: AdviseCommandOptions): Promise<number> {
  const { program, machine } = await programOnMachine(path, 'advise', options);
  const shares = preambles(options.preamble, program);
  const insight = await import('@griddep/insight');
  const { from, maxEvents } = options;
  const advice = insight.advise(program, machine, {
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
