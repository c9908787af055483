import { ARITHMETIC } from './areas/arithmetic.ts';
import { BLOCKS } from './areas/blocks.ts';
import { COMPLETION } from './areas/completion.ts';
import { COPIES } from './areas/copies.ts';
import { EVENTS } from './areas/events.ts';
import { HOST } from './areas/host.ts';
import { LAUNCH } from './areas/launch.ts';
import { MEMORY } from './areas/memory.ts';
import { STAMPS } from './areas/stamps.ts';
import type { Area } from './isolation.ts';

/** All areas, each after those whose constants its cases depend on too. */
export const AREAS: readonly Area[] = [HOST, STAMPS, ARITHMETIC, BLOCKS, COMPLETION, LAUNCH, EVENTS, MEMORY, COPIES];
