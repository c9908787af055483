/** Virtual time in integer picoseconds. */
export type Time = number;
/** Index of an actor in its simulation. */
export type ActorId = number;

/**
 * What actors exchange: plain records that survive structured cloning, so that an actor cannot tell whether the other
 * end lives in its own thread. `type` names the message.
 */
export interface Message {
  readonly type: string;
}

/**
 * Order among events of one instant: smaller first. Effects that commute (arrivals, block ends) use one priority, and
 * decisions that must see all of them a later one.
 */
export type Priority = number;
export const MAX_PRIORITY = 15;

/** What an actor may do while it handles an event. */
export interface Context {
  readonly self: ActorId;
  /** Time of the event being handled. */
  readonly now: Time;
  /** Sends a message that arrives `delay` picoseconds from now, at least 0. */
  send(target: ActorId, delay: Time, message: Message): void;
  /** Schedules a timer of this actor at an absolute time, not before now. */
  timer(at: Time, priority: Priority, code: number, argument: number): void;
  /**
   * Handles the present event once more when a promise has settled, and nothing else before: for an actor whose next
   * step is decided outside the simulation. Executors whose loop cannot await refuse it.
   */
  suspend(until: Promise<unknown>): void;
  /** Names what the event being handled is about, by a number of the actor's: if the thread ends, this is told. */
  about(subject: number): void;
}

/**
 * A participant in the simulation. It changes state only in these methods, and touches others only through messages.
 */
export interface Actor<M extends Message = Message> {
  readonly name: string;
  /** Called once at time 0, in order of actor ids. */
  start?(context: Context): void;
  receive(message: M, source: ActorId, context: Context): void;
  timer(code: number, argument: number, context: Context): void;
  /**
   * Of a patient actor (`ShardedModel.patient`): false while nothing that comes from other shards makes a difference before
   * it has handled a further event from its own shard. Such messages may come late, and it sends nothing when they come.
   */
  awaitsOthers?(): boolean;
  /**
   * Of a patient actor: a message from another shard has come, and will be handled in its time. What the actor waited for
   * it may wait for no longer; it does nothing else with it now.
   */
  foresee?(message: M): void;
  /**
   * What it has recorded for good and not given before, for those who look on while the simulation runs: plain data, or
   * undefined for nothing. All events before a time have been handled; before Infinity, the run is over, and it gives all
   * that is left. Asked or not, it behaves the same.
   */
  interim?(before: Time): unknown;
  /** What it has to show at the end: plain data. */
  result?(): unknown;
}
