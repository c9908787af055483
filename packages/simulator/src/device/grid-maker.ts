import { type KernelWork, withCluster } from '@griddep/cuda';
import type { DeviceLimits } from '@griddep/machine';
import type { Kernel } from '@griddep/program';
import { compileBody, type DeviceTimes, type KernelBody } from './body.ts';
import { collectiveBody } from './collective-body.ts';
import { Grid } from './grid.ts';
import type { DeviceOperation } from './operation.ts';
import { trafficBody } from './traffic.ts';

/** Makes the grids that operations run as; every kernel is compiled once, for each shape of cluster. */
export class GridMaker {
  private readonly kernels: readonly Kernel[];
  private readonly limits: DeviceLimits;
  private readonly times: DeviceTimes;
  private readonly bodies = new Map<string, KernelBody>();
  private blockIndices = new Uint32Array();

  constructor(kernels: readonly Kernel[], limits: DeviceLimits, times: DeviceTimes) {
    this.kernels = kernels;
    this.limits = limits;
    this.times = times;
  }

  /** The same for one whose constraints are lifted. */
  make(operation: DeviceOperation, streamPriority: number, eligible: number): Grid | undefined {
    const grid = this.plain(operation, streamPriority, eligible);
    const { lifts } = operation;
    if (grid === undefined || lifts.size === 0) return grid;
    const { priority, triggerAtStart, cooperative } = grid;
    const blockIndices = this.indices(grid.body.blocks);
    const first = lifts.has('priority') ? Number.NEGATIVE_INFINITY : priority;
    return new Grid(
      operation,
      { ...grid.body, lifted: lifts },
      {
        ...{ priority: first, triggerAtStart, cooperative, eligible, blockIndices },
      },
    );
  }

  /** The grid of an operation whose blocks may start at `eligible`, or undefined if it does not run on the SMs. */
  private plain(operation: DeviceOperation, streamPriority: number, eligible: number): Grid | undefined {
    const { work } = operation;
    if (work.type === 'kernel') {
      const { priority, triggerAtStart, cooperative } = work;
      const body = this.body(work);
      const blockIndices = this.indices(body.blocks);
      return new Grid(operation, body, { priority, triggerAtStart, cooperative, eligible, blockIndices });
    }
    if (work.type === 'collective') {
      const body = collectiveBody(work, this.limits, this.times);
      const options = { priority: work.priority, triggerAtStart: false, cooperative: false, eligible };
      return new Grid(operation, body, { ...options, blockIndices: this.indices(body.blocks) });
    }
    if (work.type !== 'memset' && (work.type !== 'copy' || work.copy !== 'deviceToDevice')) return undefined;
    const body = trafficBody(work, operation.inGraph, this.limits, this.times);
    const blockIndices = this.indices(body.blocks);
    const plain = { triggerAtStart: false, cooperative: false };
    return new Grid(operation, body, { ...plain, priority: streamPriority, eligible, blockIndices });
  }

  private indices(blocks: number): Uint32Array {
    if (this.blockIndices.length < blocks) this.blockIndices = new Uint32Array(2 * blocks).map((_, i) => i);
    return this.blockIndices;
  }

  private body({ kernel, cluster }: KernelWork): KernelBody {
    const key = cluster === undefined ? `${kernel}` : `${kernel} ${cluster}`;
    const known = this.bodies.get(key);
    if (known !== undefined) return known;
    const body = compileBody(withCluster(this.kernels[kernel] as Kernel, cluster), this.limits, this.times);
    this.bodies.set(key, body);
    return body;
  }
}
