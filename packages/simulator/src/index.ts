export { checkProgram } from './check.ts';
export { type SimulateOptions, SimulationLimit } from './options.ts';
export { simulate } from './simulate.ts';
