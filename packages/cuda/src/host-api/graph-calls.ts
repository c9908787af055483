import { cudaGraphExecUpdateError, cudaGraphExecUpdateSuccess } from './constants.ts';
import { GraphDependencies } from './graph-dependencies.ts';
import type { CudaGraph, CudaGraphExec, Out, StreamRef } from './handles.ts';

/** Graphs instantiated, updated, launched. */
export class GraphCalls extends GraphDependencies {
  /** An executable of the graph as it is now. */
  cudaGraphInstantiate(executable: CudaGraphExec, graph: CudaGraph, flags = 0): number {
    const resolver = this.resolve('cudaGraphInstantiate');
    resolver.handle(executable, 'graphExec');
    resolver.require(flags === 0, `${flags} are no flags that are simulated`);
    const shape = this.shape(resolver, resolver.graph(graph));
    const name = resolver.error === undefined ? this.process.nameFor(executable.name ?? 'executable') : '';
    const code = this.enqueue(resolver, { kind: 'graphInstantiate', graph: shape, executable: name });
    if (code === 0) this.process.executables.set(executable, name);
    return code;
  }

  /** `result` gets cudaGraphExecUpdateSuccess, or why the executable stays as it is (rule 4.10). */
  cudaGraphExecUpdate(executable: CudaGraphExec, graph: CudaGraph, result?: Out<number>): number {
    const resolver = this.resolve('cudaGraphExecUpdate');
    const name = resolver.executable(executable);
    const shape = this.shape(resolver, resolver.graph(graph));
    const error = this.enqueued(resolver, { kind: 'graphExecUpdate', executable: name, graph: shape });
    if (result !== undefined) {
      result.value =
        error === undefined ? cudaGraphExecUpdateSuccess : (error.updateResult ?? cudaGraphExecUpdateError);
    }
    return error?.code ?? 0;
  }

  cudaGraphUpload(executable: CudaGraphExec, stream: StreamRef): number {
    const resolver = this.resolve('cudaGraphUpload');
    const call = { executable: resolver.executable(executable), stream: resolver.stream(stream) };
    return this.enqueue(resolver, { kind: 'graphUpload', ...call });
  }

  /** After the stream's work and after earlier launches of the executable (rule 4.9). */
  cudaGraphLaunch(executable: CudaGraphExec, stream: StreamRef): number {
    const resolver = this.resolve('cudaGraphLaunch');
    const call = { executable: resolver.executable(executable), stream: resolver.stream(stream) };
    return this.enqueue(resolver, { kind: 'graphLaunch', ...call });
  }

  /** The handle is none afterwards; a launch that goes on ends. */
  cudaGraphExecDestroy(executable: CudaGraphExec): number {
    const resolver = this.resolve('cudaGraphExecDestroy');
    resolver.executable(executable);
    return this.local(resolver, () => {
      this.process.executables.delete(executable);
    });
  }
}
