import { type Call, type HostThread, type Kernel, type Program, programFromDocument } from '@griddep/program';
import { Captures } from './export/captures.ts';
import type { MeasuredCall, MeasuredCallKind, MeasuredCase, MeasuredOperation } from './measured-case.ts';
import type { ProgramCase, ProgramCaseFile } from './program-case-format.ts';

/** The cases of a file that an exported program wrote. @throws ProgramError for a program that cannot be read */
export function casesOfPrograms({ device, cases }: ProgramCaseFile): MeasuredCase[] {
  const { gpu = 'unknown device', driver = 'unknown', driverVersion, date } = device;
  const parts = [gpu, `CUDA ${driver}`, ...(driverVersion === undefined ? [] : [`driver ${driverVersion}`])];
  const measuredBy = [...parts, ...(date === undefined ? [] : [date])].join(', ');
  return cases.map((one) => caseOfProgram(one, measuredBy));
}

function caseOfProgram(source: ProgramCase, measuredBy: string): MeasuredCase {
  const { name, observation, measured } = source;
  const program = withKernels(programFromDocument(source.program), source.kernels);
  return {
    name,
    program,
    measuredBy,
    operations: measured.ops.map((o): MeasuredOperation => {
      const { label, start, end } = o;
      const [startLo, startHi] = ordered(o.startLo ?? start, start, o.startHi ?? start);
      const [endLo, endHi] = ordered(o.endLo ?? end, end, o.endHi ?? end);
      return { label, start, end, startLo, startHi, endLo, endHi, stale: o.stale ?? 0 };
    }),
    hostTotal: measured.hostObservedTotal ?? Number.NaN,
    observation: {
      zero: observation.zero,
      prefix: observation.prefix,
      events: new Map(Object.entries(observation.events)),
    },
    calls: callsOf(program, measured.calls),
  };
}

function ordered(low: number, middle: number, high: number): readonly [number, number] {
  return [Math.min(low, middle), Math.max(high, middle)];
}

/** The program with what the compiler made of its kernels. */
function withKernels(program: Program, made: ProgramCase['kernels']): Program {
  const kernels = new Map<string, Kernel>();
  for (const [name, kernel] of program.kernels) {
    const own = made[name];
    kernels.set(name, own === undefined ? kernel : { ...kernel, ...(own as Partial<Kernel>) });
  }
  return { ...program, kernels };
}

/**
 * What the calls of a program took the host, where that is one of the host's constants. Calls of the first thread alone:
 * others contend with it.
 */
export function callsOf(program: Program, times: ProgramCase['measured']['calls']): MeasuredCall[] {
  const [thread] = program.threads;
  const own = times[0] ?? [];
  if (thread === undefined || own.length !== thread.calls.length) return [];
  const calls: MeasuredCall[] = [];
  const captures = new Captures();
  let before: number | undefined;
  own.forEach(([begin, end], i) => {
    const call = thread.calls.at(i);
    const captured = captures.follow(call);
    const kind = captured ? 'capturedCall' : kindOf(call, program, thread);
    if (kind !== undefined) calls.push({ kind, durationNs: end - begin });
    if (kind !== undefined && before !== undefined) calls.push({ kind: 'callGap', durationNs: begin - before });
    before = kind === undefined ? undefined : end;
  });
  return calls;
}

/** Undefined for calls that wait, that depend on what was called before, or that are the measuring's own. */
function kindOf(call: Call, program: Program, _thread: HostThread): MeasuredCallKind | undefined {
  switch (call.kind) {
    case 'launchKernel':
      if (program.kernels.get(call.kernel)?.instrumented !== true) return undefined;
      return call.attributes.programmaticStreamSerialization === true ? 'launchKernelProgrammatic' : 'launchKernel';
    case 'memcpy':
      return call.async ? copyKind(call, program) : undefined;
    case 'memset':
      return call.async ? 'memset' : undefined;
    case 'eventRecord':
      return program.events.get(call.event)?.timing === true ? 'eventRecordTiming' : 'eventRecord';
    case 'streamWaitEvent': {
      const [event, stream] = [program.events.get(call.event), program.streams.get(call.stream)];
      return event?.device === stream?.device ? 'streamWaitEvent' : 'streamWaitEventOtherDevice';
    }
    case 'streamQuery':
    case 'eventQuery':
      return 'query';
    case 'launchHostFunc':
    case 'freeAsync':
    case 'graphLaunch':
      return call.kind;
    default:
      return undefined;
  }
}

function copyKind(call: Call & { readonly kind: 'memcpy' }, program: Program): MeasuredCallKind | undefined {
  const pinned = call.hostMemory === 'pinned';
  switch (call.copy) {
    case 'hostToDevice':
      return pinned ? 'memcpyUp' : undefined;
    case 'deviceToHost':
      return pinned ? 'memcpyDown' : undefined;
    case 'deviceToDevice':
      return 'memcpyWithin';
    case 'peer':
      return program.streams.get(call.stream)?.device === call.sourceDevice ? 'memcpyPeerWrite' : 'memcpyPeerRead';
    default:
      return undefined;
  }
}
