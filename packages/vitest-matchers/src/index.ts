export type { HazardOptions } from './hazards.ts';
export { matchers } from './matchers.ts';
export type { MachineOption } from './received.ts';
export type { GriddepMatchers } from './types.ts';
