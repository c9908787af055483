import { expect } from 'vitest';
import { matchers } from './matchers.ts';
import './types.ts';

expect.extend(matchers);

export { matchers };
