import type { Value } from '@griddep/program';
import type { Job } from '../job/job.ts';
import type { MachineChange } from '../job/machine-change.ts';
import type { Axis } from './axis.ts';
import type { Parameters } from './sample.ts';

/** What the axes of a sweep make of a run at one point. */
export interface Effects {
  /** Parameters of the program, as `--set` takes them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly machineChanges: readonly MachineChange[];
  readonly changes: Job['changes'];
  /** Where an axis names the machine. */
  readonly machine: Job['machine'] | undefined;
  readonly workers: Job['workers'];
}

export function effectsOf(axes: readonly Axis[], parameters: Parameters): Effects {
  const settings: Record<string, string> = {};
  const machineChanges: MachineChange[] = [];
  const changes: { name: string; value: Value }[] = [];
  let machine: Job['machine'] | undefined;
  let workers: Job['workers'] = 'sequential';
  for (const { name, target, relative } of axes) {
    const value = parameters[name] as Value;
    switch (target.kind) {
      case 'parameter':
        settings[target.name] = String(value);
        break;
      case 'machine':
        machine = { name: String(value) };
        break;
      case 'workers':
        workers = value as Job['workers'];
        break;
      case 'change':
        changes.push({ name: target.name, value });
        break;
      case 'variable':
        break;
      default:
        machineChanges.push({ kind: target.kind, name: target.name, value, ...(relative ? { relative } : {}) });
    }
  }
  return { settings, machineChanges, changes, machine, workers };
}
