import type { Kernel, Program } from '@griddep/program';

/**
 * Devices whose memory a launch of a kernel touches: those of the buffers that its phases and declared accesses name,
 * a parameter `$p` standing for what the launch passes, or else for the parameter's own buffer.
 */
export function touchedDevices(
  program: Program,
  kernel: Kernel,
  args: Readonly<Record<string, string>> = {},
): ReadonlySet<number> {
  const devices = new Set<number>();
  for (const name of namedBuffers(kernel)) {
    const parameter = kernel.parameters.find((p) => name === `$${p.name}`);
    const buffer = program.buffers.get(
      parameter === undefined ? name : (args[parameter.name] ?? parameter.buffer ?? ''),
    );
    if (buffer?.space === 'device') devices.add(buffer.device);
  }
  return devices;
}

function* namedBuffers({ accesses, body }: Kernel): Generator<string> {
  for (const { range } of accesses) yield range.buffer;
  if (body.kind !== 'phases') return;
  for (const { phases } of body.roles) {
    for (const phase of phases) {
      if ((phase.op === 'load' || phase.op === 'store') && phase.range !== undefined) yield phase.range.buffer;
    }
  }
}
