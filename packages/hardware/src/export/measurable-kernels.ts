import { blocksPerSm, type DeviceLimits, machineByName } from '@griddep/machine';
import {
  type Call,
  CallTable,
  type CollectiveBody,
  type Dim3,
  type Kernel,
  type Phase,
  type Picoseconds,
  type Program,
  SOLE_ROLE,
  volume,
} from '@griddep/program';
import { ExportError } from './export-error.ts';

/** What the measuring kernel is; the file of cases says what the compiler made of it. */
const REGISTERS = 32;
const STATIC_SHARED_MEMORY = 4;
/** Of a collective that is stood for: what a member moves a second, and what it takes beside that (assumed). */
const COLLECTIVE_RATE = 300e9;
const COLLECTIVE_LATENCY = 10_000_000;

/**
 * A program whose kernels the measuring kernel can be: all bodies as phases, with its registers and its shared memory.
 * A measured duration becomes a busy wait of each block, a collective a kernel whose members wait for each other.
 *
 * @throws ExportError for bodies of PTX files that nobody resolved
 */
export function measurableKernels(source: Program): Program {
  const meetings = new Meetings(source);
  const kernels = new Map<string, Kernel>();
  for (const kernel of source.kernels.values()) {
    if (kernel.body.kind !== 'collective') kernels.set(kernel.name, measurableKernel(kernel));
  }
  const threads = source.threads.map((thread) => {
    const calls = new CallTable(thread.calls.file);
    for (let i = 0; i < thread.calls.length; i++) {
      const call = meetings.inPlaceOf(thread.calls.at(i), kernels);
      calls.push(call, thread.calls.origin(i), thread.calls.label(i));
    }
    return { ...thread, calls };
  });
  return { ...source, kernels, threads };
}

function measurableKernel(kernel: Kernel): Kernel {
  const { staticSharedMemory, dynamicSharedMemory, launchBounds: _, ...rest } = kernel;
  return {
    ...rest,
    registersPerThread: REGISTERS,
    staticSharedMemory: STATIC_SHARED_MEMORY as typeof staticSharedMemory,
    dynamicSharedMemory: (dynamicSharedMemory +
      Math.max(0, staticSharedMemory - STATIC_SHARED_MEMORY)) as typeof dynamicSharedMemory,
    griddepcontrol: true,
    instrumented: true,
    accesses: [],
    body: { kind: 'phases', roles: rolesOf(kernel) },
  };
}

function rolesOf(kernel: Kernel): { name: string; warps?: number; phases: Phase[] }[] {
  const { body, griddepcontrol } = kernel;
  switch (body.kind) {
    case 'duration':
      return [{ name: SOLE_ROLE, phases: [spinFor(body.duration / wavesOf(kernel))] }];
    case 'phases':
      return body.roles.map((role) => ({
        ...role,
        phases: role.phases.filter(({ op }) => griddepcontrol || (op !== 'trigger' && op !== 'wait')),
      }));
    default:
      throw new ExportError(`kernel "${kernel.name}": a body of the kind ${body.kind} cannot be written out`);
  }
}

function spinFor(duration: number): Phase {
  return { op: 'spin', duration: Math.round(duration) as Picoseconds };
}

/** Rounds in which the blocks of a grid run on an H200, so that a busy wait of each takes the grid's duration. */
function wavesOf(kernel: Kernel): number {
  const limits = machineByName('h200').devices[0]?.limits as DeviceLimits;
  const fit = blocksPerSm(
    {
      threadsPerBlock: volume(kernel.block),
      registersPerThread: REGISTERS,
      sharedMemoryPerBlock: kernel.staticSharedMemory + kernel.dynamicSharedMemory,
    },
    limits,
  );
  const perSm = 'blocksPerSm' in fit ? fit.blocksPerSm : 1;
  return Math.max(1, Math.ceil(volume(kernel.grid) / (perSm * limits.sms)));
}

/** Kernels that stand for collectives: each member raises a flag, waits for those of all others, and stays busy. */
class Meetings {
  private readonly members = new Map<string, number[]>();
  private readonly counts = new Map<string, number>();
  private readonly source: Program;

  constructor(source: Program) {
    this.source = source;
    for (const { calls } of source.threads) {
      for (let i = 0; i < calls.distinct; i++) {
        const call = calls.distinctCall(i);
        const of = this.bodyOf(call);
        if (of === undefined || !('stream' in call)) continue;
        const devices = this.members.get(of.group) ?? [];
        const device = this.deviceOf(call.stream);
        if (!devices.includes(device)) devices.push(device);
        this.members.set(of.group, devices);
      }
    }
  }

  /** A call, or the launch of what stands for its collective. */
  inPlaceOf(call: Call, kernels: Map<string, Kernel>): Call {
    const body = this.bodyOf(call);
    if (body === undefined || !('stream' in call)) return call;
    const device = this.deviceOf(call.stream);
    const devices = this.members.get(body.group) ?? [device];
    const turn = this.counts.get(`${body.group} ${device}`) ?? 0;
    this.counts.set(`${body.group} ${device}`, turn + 1);
    const flag = (of: number) => `${body.group} ${turn}: ${of}`;
    const name = `${body.collective} ${body.group} ${turn}: ${device}`;
    const time = COLLECTIVE_LATENCY + (body.bytes / COLLECTIVE_RATE) * 1e12;
    const phases: Phase[] = [
      { op: 'signal', flag: flag(device), value: 1 },
      ...devices.filter((d) => d !== device).map((d): Phase => ({ op: 'await', flag: flag(d), value: 1 })),
      spinFor(time),
    ];
    const one: Dim3 = [1, 1, 1];
    kernels.set(name, {
      name,
      grid: one,
      block: [256, 1, 1],
      registersPerThread: REGISTERS,
      staticSharedMemory: STATIC_SHARED_MEMORY as Kernel['staticSharedMemory'],
      dynamicSharedMemory: 0 as Kernel['dynamicSharedMemory'],
      parameters: [],
      griddepcontrol: true,
      instrumented: true,
      body: { kind: 'phases', roles: [{ name: SOLE_ROLE, phases }] },
      accesses: [],
    });
    return { kind: 'launchKernel', kernel: name, stream: call.stream, attributes: {} };
  }

  private bodyOf(call: Call): Omit<CollectiveBody, 'kind'> | undefined {
    if (call.kind === 'collective') return call;
    if (call.kind !== 'launchKernel') return undefined;
    const body = this.source.kernels.get(call.kernel)?.body;
    return body?.kind === 'collective' ? body : undefined;
  }

  private deviceOf(stream: string): number {
    return this.source.streams.get(stream)?.device ?? 0;
  }
}
