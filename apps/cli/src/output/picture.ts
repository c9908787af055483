import { nearestName } from '@griddep/machine';
import { formatUs, lastInstant, type PictureOptions, PS_PER_US, type Timeline } from '@griddep/timeline';
import { InputError } from '../input/input-error.ts';

export interface PartOptions {
  /** us */
  readonly from?: number;
  readonly to?: number;
  readonly streams?: readonly string[];
}

/** The part of a timeline that `--from`, `--to` and `--streams` ask for. Throws InputError where there is no such part. */
export function pictureOf(timeline: Timeline, options: PartOptions): PictureOptions {
  const { streams } = options;
  if (streams !== undefined) checkStreams(timeline, streams);
  return { ...rangeOf(timeline, options), ...(streams === undefined ? {} : { streams }) };
}

function rangeOf(timeline: Timeline, { from, to }: PartOptions): Pick<PictureOptions, 'range'> {
  if (from === undefined && to === undefined) return {};
  const end = lastInstant(timeline);
  const range = { from: (from ?? 0) * PS_PER_US, to: to === undefined ? end : to * PS_PER_US };
  if (range.from >= end) throw new InputError(`--from ${from}: nothing happens after ${formatUs(end)} us`);
  if (range.from >= range.to) throw new InputError(`--from ${from ?? 0} is not before --to ${to}`);
  return { range };
}

function checkStreams(timeline: Timeline, streams: readonly string[]): void {
  const known = [
    ...new Set(timeline.operations.flatMap(({ device, stream, thread }) => [device < 0 ? thread : stream, thread])),
  ];
  for (const name of streams) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? `; there are ${known.join(', ')}` : ` (did you mean "${nearest}"?)`;
    throw new InputError(`--streams ${name}: no stream or host thread of this name did anything${hint}`);
  }
}
