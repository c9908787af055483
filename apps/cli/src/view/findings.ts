import type { Finding } from '@griddep/viewer';
import type { TimelineInput } from '../input/simulated.ts';

/** What there is to know about a run: CUDA errors that calls returned, and what is legal but rarely meant. */
export async function findingsOf({ timeline, warnings }: TimelineInput): Promise<Finding[]> {
  const { warningText } = await import('@griddep/program');
  return [
    ...timeline.errors.map(({ operation, name, message }) => {
      return { kind: 'error', text: `${name}: ${message}`, operations: [operation] };
    }),
    ...warnings.map((warning) => ({ kind: 'warning', text: warningText(warning), operations: [] })),
  ];
}
