import { decodeChainSuite } from './decode-chain.ts';
import { eventQueueSuite } from './event-queue.ts';
import { kernelsSuite } from './kernels.ts';
import { pholdSuite } from './phold.ts';
import { ptxSuite } from './ptx.ts';
import { ringsSuite } from './rings.ts';
import type { BenchSuite } from './suite.ts';

export const SUITES: readonly BenchSuite[] = [
  eventQueueSuite,
  kernelsSuite,
  decodeChainSuite,
  pholdSuite,
  ringsSuite,
  ptxSuite,
];
