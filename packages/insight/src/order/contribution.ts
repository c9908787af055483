import type { Need } from '../program/nodes.ts';
import { Clock } from './clock.ts';
import type { Progress } from './progress.ts';
import { joinReadings, NOTHING, type Readings } from './readings.ts';

/** What a need lets know. */
export function clockOf({ at, hardwareOnly }: Need, progress: Progress): Readings {
  const known = (at === 'end' ? progress.end : at === 'trigger' ? progress.trigger : progress.begin) ?? NOTHING;
  return hardwareOnly ? onHardware(known) : known;
}

/** A node's end, where an H200 completes after the node's prerequisites whether or not it waited (section 11). */
export function hardwareOf(known: Readings, wait: readonly Need[], progress: readonly Progress[]): Readings {
  let all = known;
  for (const { node } of wait) all = joinReadings(all, onHardware(progress[node]?.end ?? NOTHING));
  return all;
}

export function onHardware({ hardware }: Readings): Readings {
  return { judged: Clock.ZERO, fenced: Clock.ZERO, hardware };
}
