import type { CallOf } from '@griddep/program';
import type { ExecutableGraph, NodeWork } from './commands.ts';
import { type CudaError, cudaError } from './errors.ts';
import type { Issued } from './issued.ts';
import type { Invocation, ProcessState } from './process-state.ts';

/** cudaLaunchHostFunc. What it calls of CUDA is not permitted and fails when it runs (rule 5.12). */
export function launchHostFunction(state: ProcessState, invocation: Invocation<CallOf<'launchHostFunc'>>): Issued {
  const { op, thread, call } = invocation;
  const issued = state.work(invocation, state.stream(thread, call.stream), hostFunctionWork(call));
  if (issued.captured || call.calls === undefined) return issued;
  return { ...issued, laterErrors: [{ op, error: notPermitted(call.calls) }] };
}

/** What a host function does in a stream or a graph. */
export function hostFunctionWork({ duration, calls }: CallOf<'launchHostFunc'>) {
  const work = { type: 'hostFunction', duration } as const;
  return calls === undefined ? work : { ...work, calls };
}

/** What host functions of a graph call although they must not, in the launch with a number. */
export function errorsOfNodes({ nodes }: ExecutableGraph, launch: number): { op: number; error: CudaError }[] {
  return nodes.flatMap(({ work }, i) => {
    const called = calledBy(work);
    return called === undefined ? [] : [{ op: launch + 1 + i, error: notPermitted(called) }];
  });
}

function calledBy(work: NodeWork): string | undefined {
  return work.type === 'hostFunction' ? work.calls : undefined;
}

function notPermitted(called: string): CudaError {
  return cudaError(
    'cudaErrorNotPermitted',
    `a host function calls ${called}, and must call no CUDA function (rule 5.12)`,
  );
}
