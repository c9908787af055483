import type { CallTable } from './call-table.ts';
import type { Call } from './calls.ts';
import { checkCopySides } from './copy-sides.ts';
import { inside, ProgramError } from './errors.ts';
import { checkGraph } from './graph-check.ts';
import type { BufferRange, Kernel } from './kernel.ts';
import { unknownName } from './names.ts';
import type { Program } from './program.ts';
import { volume } from './units.ts';

/**
 * Checks that a program holds together: every name that a call, kernel or graph uses is declared, ranges lie within
 * their buffers, hand-made graphs have no cycle, graphs are captured or made before somebody can instantiate them.
 * What CUDA itself answers with an error code is left to CUDA's rules. Throws the first ProgramError.
 */
export function validateProgram(program: Program): void {
  for (const kernel of program.kernels.values()) inside(['kernels', kernel.name], () => checkKernel(kernel, program));
  const names = graphNames(program);
  for (const graph of program.graphs.values()) {
    inside(['graphs', graph.name], () => {
      checkGraph(graph);
      graph.nodes.forEach((node, i) => {
        inside(['nodes', i], () => checkCall(node.call, program, names));
      });
    });
  }
  for (const thread of program.threads) checkCalls(thread.calls, program, names);
}

interface GraphNames {
  readonly graphs: ReadonlySet<string>;
  readonly executables: ReadonlySet<string>;
}

function graphNames(program: Program): GraphNames {
  const graphs = new Set(program.graphs.keys());
  const executables = new Set<string>();
  for (const { calls } of program.threads) {
    for (let shape = 0; shape < calls.distinct; shape++) {
      const call = calls.distinctCall(shape);
      if (call.kind === 'streamEndCapture') graphs.add(call.graph);
      if (call.kind === 'graphInstantiate') executables.add(call.executable);
    }
  }
  return { graphs, executables };
}

function checkCalls(calls: CallTable, program: Program, names: GraphNames): void {
  for (let shape = 0; shape < calls.distinct; shape++) {
    try {
      checkCall(calls.distinctCall(shape), program, names);
    } catch (error) {
      throw error instanceof ProgramError ? atFirstUse(error, calls, shape) : error;
    }
  }
}

function atFirstUse(error: ProgramError, calls: CallTable, shape: number): ProgramError {
  let i = 0;
  while (calls.shapeAt(i) !== shape) i++;
  const origin = calls.origin(i);
  return origin === undefined ? error : error.located(origin.file, origin.line, origin.column);
}

function checkCall(call: Call, program: Program, names: GraphNames): void {
  if ('stream' in call) known('stream', call.stream, program.streams);
  if ('event' in call) known('event', call.event, program.events);
  if ('executable' in call && call.kind !== 'graphInstantiate') among('executable', call.executable, names.executables);
  switch (call.kind) {
    case 'launchKernel':
      known('kernel', call.kernel, program.kernels);
      checkLaunch(call, program);
      break;
    case 'memcpy':
      if (call.source !== undefined) checkRange(call.source, 1, program);
      if (call.destination !== undefined) checkRange(call.destination, 1, program);
      checkCopySides(call, program.buffers);
      break;
    case 'memset':
      if (call.destination !== undefined) checkRange(call.destination, 1, program);
      break;
    case 'hostRead':
    case 'hostWrite':
      checkRange(call.range, 1, program);
      break;
    case 'eventElapsedTime':
      known('event', call.start, program.events);
      known('event', call.end, program.events);
      break;
    case 'malloc':
    case 'free':
    case 'mallocAsync':
    case 'freeAsync':
    case 'mallocHost':
    case 'freeHost':
      known('buffer', call.buffer, program.buffers);
      break;
    case 'graphInstantiate':
    case 'graphExecUpdate':
    case 'graphGetEdges':
    case 'graphNodeGetDependencies':
    case 'graphNodeGetDependentNodes':
    case 'graphAddDependencies':
    case 'graphRemoveDependencies':
      among('graph', call.graph, names.graphs);
      break;
  }
}

function checkLaunch(call: Extract<Call, { kind: 'launchKernel' }>, program: Program): void {
  const { programmaticEvent, launchCompletionEvent } = call.attributes;
  if (programmaticEvent !== undefined) known('event', programmaticEvent.event, program.events);
  if (launchCompletionEvent !== undefined) known('event', launchCompletionEvent.event, program.events);
  const kernel = program.kernels.get(call.kernel) as Kernel;
  const { args = {} } = call;
  checkBound(kernel, args);
  for (const [parameter, buffer] of Object.entries(args)) {
    known('buffer', buffer, program.buffers);
    for (const range of rangesOf(kernel)) {
      if (range.buffer === `$${parameter}`) checkRange({ ...range, buffer }, volume(kernel.grid), program);
    }
  }
}

/** Parameters that a kernel's ranges name are pointers and need a buffer; others may be scalars, which need none. */
function checkBound(kernel: Kernel, args: Readonly<Record<string, string>>): void {
  const formal = new Set(kernel.parameters.map((p) => p.name));
  for (const parameter of Object.keys(args)) among('parameter', parameter, formal);
  const used = new Set([...rangesOf(kernel)].map((range) => range.buffer));
  const unbound = kernel.parameters.find(
    ({ name, buffer }) => buffer === undefined && !Object.hasOwn(args, name) && used.has(`$${name}`),
  );
  if (unbound === undefined) return;
  throw new ProgramError(
    `the launch of kernel "${kernel.name}" leaves its parameter "${unbound.name}" without a buffer; give it in args, or a default in the kernel's parameters`,
    { offending: unbound.name },
  );
}

function checkKernel(kernel: Kernel, program: Program): void {
  const defaults = new Map(kernel.parameters.map((p) => [`$${p.name}`, p.buffer]));
  for (const { buffer } of kernel.parameters) if (buffer !== undefined) known('buffer', buffer, program.buffers);
  for (const range of rangesOf(kernel)) {
    const buffer = range.buffer.startsWith('$') ? defaults.get(range.buffer) : range.buffer;
    if (buffer !== undefined) checkRange({ ...range, buffer }, volume(kernel.grid), program);
    else among('parameter', range.buffer, new Set(defaults.keys()));
  }
}

function* rangesOf(kernel: Kernel): Generator<BufferRange> {
  for (const access of kernel.accesses) yield access.range;
  if (kernel.body.kind !== 'phases') return;
  for (const role of kernel.body.roles) {
    for (const phase of role.phases) if ('range' in phase && phase.range !== undefined) yield phase.range;
  }
}

function checkRange(range: BufferRange, blocks: number, program: Program): void {
  known('buffer', range.buffer, program.buffers);
  const size = program.buffers.get(range.buffer)?.bytes ?? 0;
  if (range.wrap !== undefined && range.bytes > range.wrap) {
    throw new ProgramError(`the range of ${range.bytes} bytes does not fit its wrap of ${range.wrap} bytes`, {
      offending: range.buffer,
    });
  }
  const end = range.offset + (range.wrap ?? (blocks - 1) * range.blockStride + range.bytes);
  if (end > size) {
    throw new ProgramError(`the range ends at byte ${end} of buffer "${range.buffer}", which has ${size} bytes`, {
      offending: range.buffer,
    });
  }
}

function known(what: string, name: string, map: ReadonlyMap<string, unknown>): void {
  if (!map.has(name)) throw unknownName(what, name, map.keys());
}

function among(what: string, name: string, names: ReadonlySet<string>): void {
  if (!names.has(name)) throw unknownName(what, name, names);
}
