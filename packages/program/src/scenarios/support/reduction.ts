import { choice } from './parameters.ts';

/** How devices add up what each of them has. */
export const reductionParameter = choice(
  'collective',
  'how devices add up: one collective call of each, as NCCL offers, or peer copies, events and additions',
  ['collective', 'copies'],
);
