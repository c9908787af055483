import type { Finding as Hazard, Place } from '@griddep/insight';
import type { Timeline } from '@griddep/timeline';
import type { Finding } from '@griddep/viewer';
import type { TimelineInput } from '../input/simulated.ts';

/** More operations than this are checked by `griddep check` alone: a page should not wait for it. */
const MOST_CHECKED = 20_000;

/** What there is to know about a run: CUDA errors that calls returned, what is legal but rarely meant, and what is unsafe. */
export async function findingsOf(input: TimelineInput): Promise<Finding[]> {
  const { timeline, warnings } = input;
  const { warningText } = await import('@griddep/program');
  return [
    ...timeline.errors.map(({ operation, name, message }) => {
      return { kind: 'error', text: `${name}: ${message}`, operations: [operation] };
    }),
    ...warnings.map((warning) => ({ kind: 'warning', text: warningText(warning), operations: [] })),
    ...(await hazardsOf(input)),
  ];
}

async function hazardsOf({ timeline, program, machine }: TimelineInput): Promise<Finding[]> {
  if (program === undefined || machine === undefined || timeline.operations.length > MOST_CHECKED) return [];
  const { checkHazards } = await import('@griddep/insight');
  const placed = new Places(timeline);
  return checkHazards(program, machine)
    .findings.filter(({ verdict }) => verdict !== 'CUDA error')
    .map((hazard) => ({ kind: hazard.verdict, text: textOf(hazard), operations: placed.operations(hazard.places) }));
}

function textOf({ text, change }: Hazard): string {
  return change === undefined ? text : `${text}. To mend it: ${change}`;
}

/** Operations of a timeline by where the calls that made them stand, or by their names where no file does. */
class Places {
  private readonly byKey = new Map<string, number[]>();

  constructor({ operations }: Timeline) {
    for (const [index, { origin, id }] of operations.entries()) {
      const key = origin === '' ? id : origin;
      const known = this.byKey.get(key);
      if (known === undefined) this.byKey.set(key, [index]);
      else known.push(index);
    }
  }

  operations(places: readonly Place[]): number[] {
    const found = places.flatMap(({ file, line, column, name }) => {
      return this.byKey.get(file === undefined ? name : `${file}:${line}:${column}`) ?? [];
    });
    return [...new Set(found)];
  }
}
