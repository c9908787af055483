import type { Call, CallTable } from '@griddep/program';

/** Appends calls, and changes the current device where that is needed. */
export class CallWriter {
  device: number;
  private readonly table: CallTable;

  constructor(table: CallTable, device: number) {
    this.table = table;
    this.device = device;
  }

  use(device: number): void {
    if (device !== this.device) this.push({ kind: 'setDevice', device });
    this.device = device;
  }

  push(call: Call, label?: string): number {
    return this.table.push(call, undefined, label);
  }
}
