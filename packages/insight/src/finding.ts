/** What a finding says of the program. */
export type Verdict =
  | 'race'
  | 'relies on fence and trigger'
  | 'deadlock'
  | 'possible deadlock'
  | 'CUDA error'
  | 'lint'
  | 'unknown';

/** Under which reading of the rules a program is judged (docs/RULES.md sections 2, 9, 11). */
export type Assume = 'contract' | 'hardware' | 'strict';

/** A place in a program: a call, and where in its file it was written. */
export interface Place {
  readonly thread: string;
  /** Index among the thread's calls. */
  readonly call: number;
  /** The author's label or what the call does. */
  readonly name: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
  /** For a node of a graph: the call that launched it. */
  readonly launchedBy?: Place;
  /** Its id, where the graph was made by hand. */
  readonly node?: string;
}

/** One of the two accesses of a race. */
export interface FoundAccess {
  readonly mode: 'read' | 'write' | 'atomic' | 'allocate' | 'free';
  readonly buffer: string;
  /** Bytes of the buffer: from the first, up to and without the last. */
  readonly begin: number;
  readonly end: number;
  readonly place: Place;
  readonly kernel?: string;
  readonly role?: string;
  readonly phase?: number;
}

/** An order that is not there: what would have to be over, before what. */
export interface MissingEdge {
  readonly from: Place;
  readonly to: Place;
  readonly text: string;
}

/** Something unsafe, or worth a second look. */
export interface Finding {
  /** What it is, such as `no-wait` or `missing-event`; docs/check.md lists them. */
  readonly kind: string;
  readonly verdict: Verdict;
  /** Rules of docs/RULES.md. */
  readonly rules: readonly string[];
  /** In the order of the calls; of a race the two accesses. */
  readonly accesses: readonly FoundAccess[];
  readonly places: readonly Place[];
  readonly missingEdge?: MissingEdge;
  /** The smallest change that helps. */
  readonly change?: string;
  /** An H200's completion in order hides it: it works there, by no promise. */
  readonly hiddenByHardware: boolean;
  /**
   * Of a race, where a run was simulated: from the end of the first access's operation to the begin of the second's, or, where that
   * is a kernel that writes, to the end of its first block, ns; negative where they overlap or come the other way round.
   */
  readonly simulatedGapNs?: number;
  /** How often alike ones were found. */
  readonly count: number;
  readonly text: string;
}

export interface CheckResult {
  readonly program: string;
  readonly assume: Assume;
  /** `unsafe` with anything but lint and unknowns; `unknown` if something would have to be declared first. */
  readonly verdict: 'safe' | 'unsafe' | 'unknown';
  readonly findings: readonly Finding[];
  /** Operations that were looked at. */
  readonly operations: number;
}
