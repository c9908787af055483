import { type Machine, machineByName } from '@griddep/machine';
import { type HostEnvironment, hostEnvironment, machineIn, programIn } from './host-environment.ts';
import { devicesOf, type MeasuredCase } from './measured-case.ts';

/** Cases measured on one host: a file of them. */
export interface CaseGroup {
  readonly name: string;
  readonly cases: readonly MeasuredCase[];
}

/** Whose call costs a simulation takes: those of the host that measured the case, or the machine's own. */
export type HostChoice = 'environment' | 'profile';

/** A case ready to be simulated as it was measured. */
export interface PreparedCase {
  readonly measured: MeasuredCase;
  /** Call costs to put in place of the machine's. */
  readonly environment: HostEnvironment;
  /** The group it is of. */
  readonly file?: string;
}

/** The cases of all groups, each with the costs of its host (none for `profile`: the machine's are taken). */
export function prepareCases(groups: readonly CaseGroup[], machine: Machine, host: HostChoice): PreparedCase[] {
  return groups.flatMap(({ name, cases }) => {
    const environment: HostEnvironment = host === 'profile' ? new Map() : hostEnvironment(cases, machine);
    return cases.map((measured) => ({
      measured: { ...measured, program: programIn(environment, measured.program) },
      environment,
      file: name,
    }));
  });
}

/** The machine that a case runs on: as many devices as it needs, where the machine is of the catalogue, and its host. */
export function machineFor({ measured, environment }: PreparedCase, machine: Machine): Machine {
  return machineIn(environment, withDevices(machine, devicesOf(measured)));
}

function withDevices(machine: Machine, count: number): Machine {
  const [device] = machine.devices;
  if (machine.devices.length !== 1 || count <= 1 || device === undefined || machine.name !== device.name)
    return machine;
  const several = machineByName(`${machine.name}x${count}`);
  return { ...several, devices: several.devices.map(() => device), host: machine.host };
}
