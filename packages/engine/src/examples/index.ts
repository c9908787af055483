export { type BarrierOptions, barriers, Party, Place } from './barriers.ts';
export { PHOLD_DEFAULTS, type PholdOptions, PholdProcess, phold } from './phold.ts';
export { Player, pingPong } from './ping-pong.ts';
