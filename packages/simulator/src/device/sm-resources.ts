import type { DeviceLimits } from '@griddep/machine';
import type { KernelBody } from './body.ts';

/** What keeps a block off an SM. */
export type Obstacle = 'registers' | 'sharedMemory' | 'threads' | 'blocks' | 'carveOut';

/** What the resident blocks of one SM have taken of its resources. */
export class SmResources {
  threads = 0;
  warps = 0;
  registers = 0;
  /** Bytes. */
  sharedMemory = 0;
  blocks = 0;
  /** Bytes of shared memory that the SM is configured for. */
  carveOut = 0;

  /**
   * The first resource that a block of a kernel lacks, or undefined if it fits. A kernel that prefers a larger
   * carve-out than the present one waits until the SM is empty, even where its block would fit (`carveout-pair-*`).
   */
  obstacle(body: KernelBody, limits: DeviceLimits): Obstacle | undefined {
    const { lifted } = body;
    if (this.blocks + 1 > limits.blocksPerSm && !lifted?.has('blocks')) return 'blocks';
    if (
      (this.threads + body.threads > limits.threadsPerSm || this.warps + body.warps > limits.warpsPerSm) &&
      !lifted?.has('threads')
    )
      return 'threads';
    if (this.registers + body.registers > body.registersUsable && !lifted?.has('registers')) return 'registers';
    if (this.blocks === 0) return undefined;
    if (body.carveOut > this.carveOut && !lifted?.has('carveOut')) return 'carveOut';
    if (lifted?.has('sharedMemory')) return undefined;
    return this.sharedMemory + body.sharedMemory > this.carveOut ? 'sharedMemory' : undefined;
  }

  /** Blocks of a kernel that fit now. */
  fits(body: KernelBody, limits: DeviceLimits): number {
    const trial = this.copy();
    let n = 0;
    const most = body.lifted === undefined ? Number.POSITIVE_INFINITY : body.blocks;
    for (; n < most && trial.obstacle(body, limits) === undefined; n++) trial.occupy(body);
    return n;
  }

  /** Takes the resources of one block; an empty SM is first configured for the kernel (`carveout-*`). */
  occupy(body: KernelBody): void {
    if (this.blocks === 0) this.carveOut = body.carveOut;
    this.blocks++;
    this.threads += body.threads;
    this.warps += body.warps;
    this.registers += body.registers;
    this.sharedMemory += body.sharedMemory;
  }

  /** Gives back the resources of one block that has exited. */
  vacate(body: KernelBody): void {
    this.blocks--;
    this.threads -= body.threads;
    this.warps -= body.warps;
    this.registers -= body.registers;
    this.sharedMemory -= body.sharedMemory;
  }

  /** The same state, to go on apart. */
  copy(): SmResources {
    return Object.assign(new SmResources(), this);
  }
}
