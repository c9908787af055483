import { counts, type KernelReport, lintModule, type PtxModule, readModule, unknownIndependent } from '@griddep/ptx';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { readBytes, shown } from '../input/read-bytes.ts';
import { lintJson } from '../output/lint-json.ts';
import { lintSarif } from '../output/lint-sarif.ts';
import { kernelText, summaryText } from '../output/lint-text.ts';
import { print } from '../output/stdout.ts';

export interface LintFlags {
  readonly independent: readonly string[];
  readonly expectPdl?: boolean;
  readonly assume: 'contract' | 'strict';
  readonly format: 'text' | 'json' | 'sarif';
}

/** `griddep lint FILES…`: where the two PDL instructions stand among the accesses of PTX kernels, and what is wrong. */
export async function lint(files: readonly string[], flags: LintFlags): Promise<number> {
  if (files.length === 0) throw new InputError('lint needs PTX files');
  const modules: PtxModule[] = [];
  for (const file of files) modules.push(readModule(textOf(await readBytes(file)), shown(file)));
  for (const { name, nearest } of unknownIndependent(flags.independent, modules)) {
    const hint = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
    throw new InputError(`--independent ${name}: no kernel has this parameter${hint}`);
  }
  const failed = flags.format === 'text' ? await asText(modules, flags) : await asDocument(modules, flags);
  return failed ? EXIT.exceeded : EXIT.ok;
}

/** Kernel by kernel, so that a large file needs the memory of one. */
async function asText(modules: readonly PtxModule[], flags: LintFlags): Promise<boolean> {
  let [kernels, found] = [0, 0];
  for (const module of modules) {
    for (const report of lintModule(module, flags)) {
      kernels += 1;
      found += report.findings.filter(counts).length;
      await print(kernelText(report, module));
    }
  }
  await print(summaryText(modules.length, kernels, found));
  return found > 0;
}

async function asDocument(modules: readonly PtxModule[], flags: LintFlags): Promise<boolean> {
  const linted: { module: PtxModule; kernels: KernelReport[] }[] = [];
  for (const module of modules) linted.push({ module, kernels: [...lintModule(module, flags)] });
  const document = flags.format === 'json' ? lintJson(linted) : lintSarif(linted);
  await print(`${JSON.stringify(document, null, 2)}\n`);
  return linted.some(({ kernels }) => kernels.some(({ findings }) => findings.some(counts)));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
