import { expect, it } from 'vitest';
import { checkPoint } from './checked-point.ts';

it('the programs for the checker are what they say', () => {
  expect(checkPoint('ordered', 800)).toMatchObject({ operations: 800, verdict: 'safe' });
  expect(checkPoint('never-waiting', 800)).toMatchObject({ operations: 800, verdict: 'safe' });
  expect(checkPoint('racing', 800)).toMatchObject({ operations: 800, verdict: 'unsafe' });
});
