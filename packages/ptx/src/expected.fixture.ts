import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Finding } from './findings.ts';
import { outermost } from './instruction.ts';
import { type KernelReport, lintModule } from './lint.ts';
import type { LintOptions } from './lint-options.ts';
import { readModule } from './read-module.ts';

export const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));

export function fixture(name: string): string {
  return readFileSync(`${FIXTURES}${name}`, 'utf8');
}

export function lintText(text: string, options: LintOptions = {}, file = 'test.ptx'): KernelReport[] {
  return [...lintModule(readModule(text, file), options)];
}

/** What comments `finds: RULE, …` say of lines, as `line rule` in order. */
export function expectedFindings(text: string): string[] {
  return text.split('\n').flatMap((line, i) => {
    const rules = /\/\/ finds: ([\w-]+(?:, [\w-]+)*)/.exec(line)?.[1]?.split(', ') ?? [];
    return rules.map((rule) => `${i + 1} ${rule}`);
  });
}

/** Findings by line of the source file, in its order; those of whole kernels left out. */
export function bySource(findings: readonly Finding[], file: string): string[] {
  return findings
    .flatMap(({ rule, source }) => {
      if (source === undefined) return [];
      const place = outermost(source);
      return place.file.endsWith(file) ? [`${place.line} ${rule}`] : [`${place.file} ${place.line} ${rule}`];
    })
    .sort(byNumber);
}

/** Findings by line of the PTX, those of whole kernels too. */
export function byLine(findings: readonly Finding[]): string[] {
  return findings.map(({ rule, line }) => `${line} ${rule}`).sort(byNumber);
}

function byNumber(a: string, b: string): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : Number(a > b));
}
