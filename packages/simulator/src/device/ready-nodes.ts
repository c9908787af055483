import type { DeviceOperation } from './operation.ts';

/** Graph nodes whose conditions hold, the one ready first in front. */
export class ReadyNodes {
  /** In reverse order, so that the first leaves at the end. */
  private readonly nodes: DeviceOperation[] = [];

  /** The node to issue next. */
  first(): DeviceOperation | undefined {
    return this.nodes[this.nodes.length - 1];
  }

  /** Removes that node. */
  shift(): void {
    this.nodes.pop();
  }

  /** Inserts a node by its order of issue. */
  push(node: DeviceOperation): void {
    let [low, high] = [0, this.nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (readyBefore(node, this.nodes[middle] as DeviceOperation)) low = middle + 1;
      else high = middle;
    }
    this.nodes.splice(low, 0, node);
  }
}

/** Order of issue: the one ready first, of several the one enqueued first. */
export function readyBefore(a: DeviceOperation, b: DeviceOperation): boolean {
  return a.ready < b.ready || (a.ready === b.ready && a.op < b.op);
}
