import { type Command, InvalidArgumentError, Option } from 'commander';
import { collect, nameList, stepNumber, wholeNumber } from './option-values.ts';

/** The options of `griddep whatif`: changes in the order in which they are made, then how it is done and shown. */
export function whatIfOptions(command: Command): Command {
  return command
    .option('--scale <kernel=factor>', 'kernels take another time, such as gemm=0.8x (repeatable)', scaling, [])
    .option('--remove <kernel>', 'without the launches of a kernel (repeatable)', collect, [])
    .option('--fuse <a,b>', 'kernel b fused into a, where it follows it (repeatable)', collect, [])
    .option('--pinned', 'page-locked host memory for copies; what locking it costs, once, is told')
    .option('--streams <n>', 'chunks that repeat in one stream dealt onto a pool of n', count)
    .option('--pdl <all|kernels>', 'programmatic dependent launch of these kernels behind others')
    .option('--ptx <files>', 'with --pdl: PTX that tells where kernels wait and trigger', nameList)
    .option('--preamble <share>', 'with --pdl: the share of a kernel that may run before its wait, such as 20%', share)
    .option('--graph', 'what is enqueued between waits of the host, or in a step, launched as a graph')
    .option('--devices <n>', 'the same work on each of n devices', count)
    .option('--machine <name|file>', 'another machine')
    .option('--copy-engines <n>', 'copy engines to and from the host', count)
    .option('--launch-cost <time>', 'what the launch of a kernel costs the host, such as 2us')
    .option('--from-machine <name|file>', 'the machine before (default: h200, or what a trace was taken on)')
    .option('--scenario <name>', 'a scenario of the library as input')
    .option('--set <name=value>', "set a program's parameter (repeatable)", collect, [])
    .option('--step <n>', 'of a trace, only this step', stepNumber)
    .option('--steps <n>', 'of a trace that marks none: it holds n equal steps', wholeNumber)
    .option('--partial', 'of a trace that is cut or partly wrong, take what can be read')
    .option('--no-assumed-waits', 'of a trace, only the stream waits that it tells')
    .option('--replay <time>', 'of a trace: time of the framework before each launch of a graph, such as 10us')
    .addOption(
      new Option(
        '--observer <who>',
        'events: two events around the work; blocks: first block to last (default of programs)',
      ).choices(['events', 'blocks']),
    )
    .option('--no-ranges', 'do not repeat both runs at the ends of all ranges')
    .option('--save-before <file>', 'write the timeline before, for griddep diff and view')
    .option('--save-after <file>', 'write the timeline after')
    .option('--json', 'print one JSON object');
}

/** A kernel and how many times as long it is to take. */
export interface Scaling {
  readonly kernel: string;
  readonly factor: number;
}

function scaling(text: string, before: readonly Scaling[]): Scaling[] {
  const at = text.lastIndexOf('=');
  const [, digits] = /^(\d+(?:\.\d*)?|\.\d+)x?$/.exec(text.slice(at + 1).trim()) ?? [];
  const factor = Number(digits);
  if (at < 1 || digits === undefined || factor === 0) {
    throw new InvalidArgumentError('Expected a kernel and a factor, such as gemm=0.8x.');
  }
  return [...before, { kernel: text.slice(0, at).trim(), factor }];
}

function count(text: string): number {
  const value = Number(text);
  if (!/^\d{1,4}$/.test(text) || value === 0) throw new InvalidArgumentError('Expected a number from 1 to 9999.');
  return value;
}

/** `20%` or `0.2`. */
function share(text: string): number {
  const [, digits, sign] = /^(\d+(?:\.\d*)?|\.\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(digits) / (sign === '%' ? 100 : 1);
  if (digits === undefined || value > 1) throw new InvalidArgumentError('Expected a share, such as 20% or 0.2.');
  return value;
}
