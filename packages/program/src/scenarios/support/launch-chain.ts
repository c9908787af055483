import type { HostThreadBuilder } from '../../host-thread-builder.ts';
import type { Ref } from '../../names.ts';

/** Arguments of a launch: parameter to buffer. */
export type Arguments = Readonly<Record<string, Ref>>;

/**
 * Launches kernels one after another into a stream, labelled `kernel#index`. With `pdl`, a launch carries the attribute
 * where the stream's previous operation is a kernel: elsewhere it would do nothing (docs/RULES.md 1.15).
 */
export class LaunchChain {
  private readonly thread: HostThreadBuilder;
  private readonly stream: Ref;
  private readonly pdl: boolean;
  private readonly prefix: string;
  private index = 0;
  private afterKernel = false;

  /** `prefix` goes before the labels, to tell the chains of a program apart. */
  constructor(thread: HostThreadBuilder, stream: Ref, pdl: boolean, prefix = '') {
    this.thread = thread;
    this.stream = stream;
    this.pdl = pdl;
    this.prefix = prefix;
  }

  launch(kernel: Ref, args: Arguments = {}): void {
    const name = typeof kernel === 'string' ? kernel : kernel.name;
    this.thread.launchKernel(
      kernel,
      this.stream,
      this.pdl && this.afterKernel ? { programmaticStreamSerialization: true } : undefined,
      { label: `${this.prefix}${name}#${this.index}`, ...(Object.keys(args).length === 0 ? {} : { args }) },
    );
    this.index += 1;
    this.afterKernel = true;
  }

  /** Says that something other than a kernel now stands last in the stream. */
  interrupted(): void {
    this.afterKernel = false;
  }
}
