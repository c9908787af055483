import { choice, flag } from './parameters.ts';

/** Parameters that many scenarios share. */
export const pdlParameter = flag(
  true,
  'launch with programmatic stream serialisation; the kernels are the same either way',
);
export const modeParameter = choice('stream', 'launch into a stream, or capture once and launch the graph', [
  'stream',
  'graph',
]);
