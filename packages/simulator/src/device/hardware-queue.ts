import type { DeviceOperation } from './operation.ts';

/** Places of removed commands that are kept in the array before it is cut. */
const SLACK = 1024;

/** A hardware queue: commands in order, of which only the head can be issued. */
export class HardwareQueue {
  private readonly commands: (DeviceOperation | undefined)[] = [];
  private first = 0;

  /** Appends a command. */
  push(operation: DeviceOperation): void {
    this.commands.push(operation);
    if (this.head() === operation) operation.atHead = true;
  }

  /** The command that may be issued next. */
  head(): DeviceOperation | undefined {
    return this.commands[this.first];
  }

  /** Removes the head, and notes on the next what it was behind. */
  shift(now: number): void {
    const gone = this.commands[this.first] as DeviceOperation;
    this.commands[this.first] = undefined;
    this.first++;
    if (this.first > SLACK && this.first * 2 > this.commands.length) {
      this.commands.splice(0, this.first);
      this.first = 0;
    }
    const head = this.head();
    if (head !== undefined) head.atHead = true;
    if (head !== undefined && head.pending === 0 && head.ready < now && head.stream !== gone.stream)
      head.behind = gone.op;
  }
}
