import type { Explored } from '@griddep/insight';
import { writeProgramYaml } from '@griddep/program';
import type { ExploredBoth } from './explored-both.ts';

/** The object that `explore --json` prints; times in ps. */
export function exploreJson({ program, schedules, runs, findings }: ExploredBoth & { readonly program: string }) {
  return {
    schema: 'griddep/explore@1',
    program,
    ...(schedules === undefined
      ? {}
      : { operations: schedules.operations, schedules: schedules.schedules, isComplete: schedules.isComplete }),
    ...(runs === undefined ? {} : { runs: runs.runs, usualPs: finite(runs.usual), latestPs: finite(runs.latest) }),
    findings: findings.map(withProgram),
  };
}

/** JSON has no infinity: a run that never ends is null. */
function finite(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

function withProgram({ smallest, ...finding }: Explored) {
  if (smallest === undefined) return finding;
  const { program, calls, seed } = smallest;
  return { ...finding, smallest: { calls, seed, program: writeProgramYaml(program) } };
}
