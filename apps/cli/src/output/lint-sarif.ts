import { createRequire } from 'node:module';
import { RULES, type SourcePlace } from '@griddep/ptx';
import type { LintedModule } from './lint-json.ts';
import { type SarifPlace, sarifLog } from './sarif.ts';

/** The log that `lint --format sarif` prints: places in the PTX, and those in its source as related ones. */
export function lintSarif(linted: readonly LintedModule[]) {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const rules = Object.entries(RULES).map(([id, rule]) => ({ id, ...rule }));
  const findings = linted.flatMap(({ kernels }) => kernels.flatMap((kernel) => kernel.findings));
  return sarifLog(
    { name: 'griddep lint', version, rules },
    findings.map(({ rule, level, message, kernel, file, line, column, source }) => ({
      rule,
      level,
      message,
      place: { file, line, column },
      related: source === undefined ? [] : sourcePlaces(source),
      subject: { name: kernel, kind: 'function' },
    })),
  );
}

function sourcePlaces({ file, line, column, inlinedAt }: SourcePlace, message = 'source'): SarifPlace[] {
  // A column of 0 is none.
  const own = { file, line, ...(column > 0 ? { column } : {}), message };
  return inlinedAt === undefined ? [own] : [own, ...sourcePlaces(inlinedAt, 'inlined here')];
}
