import type { Command } from '@griddep/cuda';

/** Devices whose streams wait for values in memory, which others write: the host's memory is where these meet. */
export class ValueWatchers {
  private readonly devices = new Map<string, Set<number>>();

  /** Devices that are to be told of a flag from now on. */
  of(flag: string): Iterable<number> {
    return this.devices.get(flag) ?? NOBODY;
  }

  /** Notes what a command for a device waits for; returns who has not waited for a flag before. */
  add(device: number, command: Command): { readonly flag: string; readonly watcher: number }[] {
    if (command.type === 'waitValue') return this.note(command.flag, device);
    if (command.type !== 'graph') return [];
    return command.graph.nodes.flatMap((node) =>
      node.work.type === 'waitValue' ? this.note(node.work.flag, node.device) : [],
    );
  }

  private note(flag: string, watcher: number) {
    const known = this.devices.get(flag) ?? new Set();
    this.devices.set(flag, known);
    if (known.has(watcher)) return [];
    known.add(watcher);
    return [{ flag, watcher }];
  }
}

const NOBODY: readonly number[] = [];
