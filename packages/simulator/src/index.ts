export { checkProgram } from './check.ts';
export type { Interval } from './intervals/interval.ts';
export type { Constraint, Lift } from './lifts.ts';
export { type SimulateOptions, SimulationLimit } from './options.ts';
export { simulate, simulateWithout } from './simulate.ts';
