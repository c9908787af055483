import { counts, type KernelReport, type PtxModule } from '@griddep/ptx';

export interface LintedModule {
  readonly module: PtxModule;
  readonly kernels: readonly KernelReport[];
}

/** The object that `lint --format json` prints. */
export function lintJson(linted: readonly LintedModule[]) {
  const all = linted.flatMap(({ kernels }) => kernels.flatMap(({ findings }) => findings));
  return {
    schema: 'griddep/lint@1',
    files: linted.map(({ module, kernels }) => ({
      file: module.file,
      ptx: `${module.version.major}.${module.version.minor}`,
      target: module.target,
      kernels,
    })),
    findings: all.filter(counts).length,
    notes: all.filter((finding) => !counts(finding)).length,
  };
}
