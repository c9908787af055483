export { readMachine } from './read.ts';
export { machineJsonSchema } from './schema.ts';
export { writeMachine } from './write.ts';
