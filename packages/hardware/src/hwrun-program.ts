import { type Program, programBuilder } from '@griddep/program';
import { declareCase } from './hwrun-declarations.ts';
import type { HwrunCase } from './hwrun-format.ts';
import { baseOf, deviceOf, devicesUsed, GATE, gateEventOf, gateOf } from './hwrun-names.ts';
import { OperationWriter } from './hwrun-operations.ts';

/** The program of a case without the measuring around it: what its author wrote. */
export function programOfHwrun(source: HwrunCase): Program {
  const p = programBuilder(source.name);
  declareCase(source, p);
  const host = p.hostThread('main');
  const writer = new OperationWriter(source, host);
  if (source.peerAccess !== false) {
    const used = devicesUsed(source);
    for (const device of used) {
      for (const peer of used) {
        if (peer === device) continue;
        writer.use(device);
        host.deviceEnablePeerAccess(peer);
      }
    }
  }
  const perform = () => {
    // The measuring puts events of its own around copies that it times.
    for (const op of source.ops) writer.perform(op, false);
  };
  const [origin, ...others] = source.streams.map(({ id }) => id);
  if (source.mode === 'stream' || origin === undefined) perform();
  else {
    const use = (stream: string): void => writer.use(deviceOf(source, stream));
    use(origin);
    p.event('fork', { timing: false, device: deviceOf(source, origin) });
    host.streamBeginCapture(origin, 'threadLocal');
    if (others.length > 0) host.eventRecord('fork', origin);
    for (const stream of others) host.streamWaitEvent(stream, 'fork');
    perform();
    for (const stream of others) {
      p.event(`join ${stream}`, { timing: false, device: deviceOf(source, stream) });
      use(stream);
      host.eventRecord(`join ${stream}`, stream);
      use(origin);
      host.streamWaitEvent(origin, `join ${stream}`);
    }
    host.streamEndCapture(origin, 'graph');
    host.graphInstantiate('graph', 'executable');
    host.graphUpload('executable', origin);
    host.graphLaunch('executable', origin, { label: 'replay' });
  }
  for (let d = 0; d < source.devices; d++) {
    writer.use(d);
    host.deviceSynchronize();
  }
  return withoutGates(p.build(), source);
}

function withoutGates(program: Program, { devices }: HwrunCase): Program {
  const [kernels, streams, events] = [new Map(program.kernels), new Map(program.streams), new Map(program.events)];
  kernels.delete(GATE);
  for (let device = 0; device < devices; device++) {
    streams.delete(gateOf(device));
    events.delete(gateEventOf(device));
    events.delete(baseOf(device));
  }
  for (const name of events.keys()) if (/^(before|after) /.test(name)) events.delete(name);
  return { ...program, kernels, streams, events };
}

/** Whether the measuring program's own gate is part of what a case tests. */
export function opensItsGate({ ops }: HwrunCase): boolean {
  return ops.some(({ op }) => op === 'release');
}
