export { withAttribute } from './pdl.ts';
export { scaledKernel } from './scale.ts';
export { spreadStreams } from './spread-streams.ts';
export { withTriggerAt } from './trigger.ts';
