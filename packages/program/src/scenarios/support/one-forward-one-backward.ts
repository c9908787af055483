export interface Pass {
  readonly stage: number;
  readonly pass: 'forward' | 'backward';
  readonly microbatch: number;
}

/**
 * The passes of the schedule one-forward-one-backward (PipeDream-Flush; Narayanan et al., 2021), each stage's in its order,
 * and each after those it needs: a forward pass after that of the stage before, a backward pass after that of the stage
 * behind.
 */
export function* oneForwardOneBackward(stages: number, microbatches: number): Generator<Pass> {
  const forwards = new Array<number>(stages).fill(0);
  const backwards = new Array<number>(stages).fill(0);
  /** The next pass of a stage, or undefined at its end. */
  const next = (stage: number): Pass | undefined => {
    const [forward, backward] = [forwards[stage] as number, backwards[stage] as number];
    if (backward === microbatches) return undefined;
    const ahead = Math.min(microbatches, stages - stage);
    return forward < microbatches && forward - backward < ahead
      ? { stage, pass: 'forward', microbatch: forward }
      : { stage, pass: 'backward', microbatch: backward };
  };
  const ready = ({ stage, pass, microbatch }: Pass): boolean => {
    if (pass === 'forward') return stage === 0 || (forwards[stage - 1] as number) > microbatch;
    return stage === stages - 1 || (backwards[stage + 1] as number) > microbatch;
  };
  for (;;) {
    // All that can run at once, so that the passes come about in the order in which they run.
    const passes = forwards.map((_, stage) => next(stage)).filter((pass) => pass !== undefined);
    if (passes.length === 0) return;
    for (const pass of passes.filter(ready)) {
      yield pass;
      const done = pass.pass === 'forward' ? forwards : backwards;
      done[pass.stage] = (done[pass.stage] as number) + 1;
    }
  }
}
