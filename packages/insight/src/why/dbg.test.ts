import { writeFileSync } from 'node:fs';
import { machineByName } from '@griddep/machine';
import { writeProgramYaml } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import fc from 'fast-check';
import { it } from 'vitest';
import { busyProgram } from './busy-program.fixture.ts';
import { CONSTRAINTS, liftOf } from './candidates.ts';
import { startWithout, why } from './why.ts';

it('dbg', { timeout: 500000 }, () => {
  const h200 = machineByName('h200');
  const N = Number(process.env.N ?? 60);
  const seen: Record<string, number> = {};
  const gains: Record<string, number> = {};
  fc.sample(busyProgram(), { numRuns: N, seed: Number(process.env.S ?? 1) }).forEach(({ program, pick }, run) => {
    const timeline = simulate(program, h200);
    const on = timeline.operations.flatMap((o, i) => (o.device >= 0 && o.start >= 0 ? [i] : []));
    if (on.length === 0) return;
    const index = on[pick % on.length] as number;
    const op = timeline.operations[index]!;
    const { removals, start } = why(program, h200, op.id);
    for (const r of removals) if (r.gain !== 0) gains[r.constraint] = (gains[r.constraint] ?? 0) + 1;
    for (const c of CONSTRAINTS) {
      const named = removals.find((e) => e.constraint === c);
      if (c === 'resources' && named === undefined) continue;
      const w = startWithout(program, h200, timeline, index, liftOf(timeline, index, c));
      if (w !== (named?.earliest ?? start)) {
        seen[c] = (seen[c] ?? 0) + 1;
        if ((seen[c] ?? 0) <= 2) {
          console.log(
            run,
            op.id,
            op.kind,
            c,
            'start',
            start,
            'without',
            w,
            JSON.stringify(op.waits),
            op.cause.kind,
            op.enqueue,
          );
          writeFileSync(`/tmp/dbg-${c}-${seen[c]}.yaml`, writeProgramYaml(program));
        }
      }
    }
  });
  console.log(seen, gains);
});
