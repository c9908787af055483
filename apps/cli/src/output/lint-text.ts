import type { Finding, KernelReport, PtxModule, PtxPlace, SourcePlace } from '@griddep/ptx';
import { printableLine } from './printable.ts';

/** What was found of a kernel: one line for it, one a finding. */
export function kernelText(report: KernelReport, module: PtxModule): string {
  const { kernel, skeleton, waits, triggers, findings, more } = report;
  const { before, after } = skeleton.accesses;
  const parts = [
    place('wait', waits, skeleton.beforeWait),
    place('trigger', triggers, skeleton.beforeTrigger),
    waits.length === 0
      ? `${accesses(before)} of global memory`
      : `${accesses(before)} of global memory before the wait, ${sum(after)} behind`,
  ];
  const lines = [`${module.file}: ${kernel}: ${parts.join('; ')}`, ...findings.map(findingText)];
  if (more > 0) lines.push(`  and ${more} more`);
  return `${lines.map(printableLine).join('\n')}\n`;
}

export function summaryText(files: number, kernels: number, found: number): string {
  return `${count(kernels, 'kernel')} in ${count(files, 'file')}: ${found === 0 ? 'clean' : count(found, 'finding')}\n`;
}

function place(name: string, places: readonly PtxPlace[], share: number | undefined): string {
  const [first] = places;
  if (first === undefined) return `no ${name}`;
  const lines = places.length === 1 ? `line ${first.line}` : `${places.length} places from line ${first.line}`;
  return `${name} in ${lines}, behind ${Math.round((share ?? 0) * 100)} % of the instructions`;
}

function findingText({ file, line, column, level, rule, message, source }: Finding): string {
  const from = source === undefined ? '' : ` (${sourceText(source)})`;
  return `  ${file}:${line}:${column}: ${level}: ${message}${from} [${rule}]`;
}

function sourceText({ file, line, inlinedAt }: SourcePlace): string {
  const own = `${file}:${line}`;
  return inlinedAt === undefined ? own : `${own}, inlined at ${sourceText(inlinedAt)}`;
}

function sum(accesses: Readonly<Record<string, number>>): number {
  return Object.values(accesses).reduce((all, one) => all + one, 0);
}

function accesses(counts: Readonly<Record<string, number>>): string {
  const number = sum(counts);
  return `${number} access${number === 1 ? '' : 'es'}`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
