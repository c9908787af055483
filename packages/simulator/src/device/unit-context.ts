/** Priorities of a device's timers: they order what happens within one instant. */
export const PRIORITY = {
  /** Steps of blocks, and other ends: effects that commute. */
  step: 1,
  /** Who polls decides who computes, and what computes leaves decides how fast memory streams. */
  polling: 2,
  arithmetic: 3,
  memory: 4,
  /** Choices among all that is ready: copies and host functions, launches, and last blocks for SMs. */
  engines: 5,
  frontEnd: 6,
  scheduler: 7,
} as const;

/** Codes of a device's timers. */
export const TIMER = {
  /** A track's step ends. */
  track: 1,
  /** Shared rates of arithmetic are computed anew. */
  arithmetic: 2,
  /** The next end of a shared arithmetic phase. */
  arithmeticEnd: 3,
  /** Shared rates of memory are computed anew. */
  memory: 4,
  /** The next end of a memory phase. */
  memoryEnd: 5,
  /** The front end issues what can go. */
  frontEnd: 6,
  /** Blocks are placed. */
  scheduler: 7,
  /** A grid's blocks may start. */
  gridEligible: 8,
  /** All blocks of a grid have started. */
  gridStarted: 9,
  /** A grid's blocks are done and flushed. */
  flushed: 10,
  /** Waits of a grid return. */
  release: 11,
  /** An operation without blocks goes on. */
  operation: 12,
  /** A queue looks whether another device has come so far. */
  remoteLook: 13,
  /** Slots for polling an SM's timer are given. */
  polling: 14,
  /** The last exit of a grid's blocks counts as a trigger. */
  triggered: 15,
  /** A compute queue looks whether a copy is complete. */
  look: 16,
  /** Copies and host functions that became ready in this instant take their places. */
  engines: 17,
  /** A copy engine looks whether the work before a copy is over. */
  pickUp: 18,
} as const;

/** The part of the executor's context that a unit of a device uses. */
export interface Clock {
  readonly now: number;
  timer(at: number, priority: number, code: number, argument: number): void;
  /** Names the operation that the event being handled is about. */
  about(op: number): void;
}
