import type { Sweep } from './file/sweep.ts';
import { type Job, keyOf, type Point } from './job/job.ts';
import { VERSION } from './version.ts';

/** The points of a sweep that its constraints allow, each once, in the order of the sample. */
export function* pointsOf(sweep: Sweep): Iterable<Point> {
  let index = 0;
  for (const parameters of sweep.sample.points()) {
    if (!sweep.allows(parameters)) continue;
    yield pointOf(index++, parameters, sweep.job(parameters));
  }
}

/** A point, with its key of this version. */
export function pointOf(index: number, parameters: Point['parameters'], job: Job): Point {
  return { index, key: keyOf(VERSION, parameters, job), parameters, job };
}
