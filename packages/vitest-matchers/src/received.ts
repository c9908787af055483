import { type Machine, machineByName } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import type { Timeline } from '@griddep/timeline';

export interface MachineOption {
  /** A profile, or the name of one of the catalogue; H200s, as many as the program uses, if left out. */
  readonly machine?: Machine | string;
}

/** The program that a matcher was given. @throws TypeError if it was given something else */
export function programOf(received: unknown, matcher: string): Program {
  if (isProgram(received)) return received;
  throw new TypeError(`${matcher} takes a program, not ${describe(received)}`);
}

/** The timeline that a matcher was given, or that of the program. @throws TypeError if it was given something else */
export function timelineOf(received: unknown, matcher: string, options: MachineOption): Timeline {
  if (isTimeline(received)) return received;
  if (isProgram(received)) return simulate(received, machineOf(received, options));
  throw new TypeError(`${matcher} takes a program or a timeline, not ${describe(received)}`);
}

export function machineOf(program: Program, { machine }: MachineOption): Machine {
  if (machine !== undefined) return typeof machine === 'string' ? machineByName(machine) : machine;
  const devices = devicesOf(program);
  return machineByName(devices === 1 ? 'h200' : `h200x${devices}`);
}

/** One more than the greatest number of a device. */
function devicesOf({ streams, events, buffers, threads }: Program): number {
  let last = 0;
  for (const { device } of [...streams.values(), ...events.values(), ...buffers.values(), ...threads]) {
    last = Math.max(last, device);
  }
  return last + 1;
}

function isProgram(received: unknown): received is Program {
  return isObject(received) && 'threads' in received && 'kernels' in received && 'streams' in received;
}

function isTimeline(received: unknown): received is Timeline {
  return isObject(received) && 'operations' in received && 'stuck' in received;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value === 'object' ? 'another object' : `a value of type ${typeof value}`;
}
