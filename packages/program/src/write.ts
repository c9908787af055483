import { stringify } from 'yaml';
import type { CallTable } from './call-table.ts';
import { escapeExpression } from './expression.ts';
import type { Body, Kernel, Phase } from './kernel.ts';
import { SOLE_ROLE } from './make-kernel.ts';
import {
  type Buffer,
  type Event,
  type Graph,
  type HostThread,
  PROGRAM_SCHEMA,
  type Program,
  type Stream,
} from './program.ts';
import { formatBytes, formatDuration } from './quantity.ts';
import { writeCall, writeRange } from './write-calls.ts';

/** The program as a document: a plain value that programFromDocument, and readProgram as text, read back equal. */
export function writeProgram(program: Program): Record<string, unknown> {
  const sole = program.threads.length === 1 ? program.threads[0] : undefined;
  const plain = sole !== undefined && sole.name === 'main' && sole.device === 0 && sole.callGap === 0;
  return escaped({
    schema: PROGRAM_SCHEMA,
    name: program.name,
    ...(program.description === '' ? {} : { description: program.description }),
    ...(Object.keys(program.params).length === 0 ? {} : { params: program.params }),
    ...section('kernels', program.kernels, writeKernel),
    ...namedSection('streams', program.streams, writeStream),
    ...namedSection('events', program.events, writeEvent),
    ...section('buffers', program.buffers, writeBuffer),
    ...section('graphs', program.graphs, writeGraph),
    ...(plain ? { calls: writeCalls(sole.calls) } : { threads: program.threads.map(writeThread) }),
  }) as Record<string, unknown>;
}

/** The program as JSON text, one call a line. */
export function writeProgramJson(program: Program): string {
  const lines = Object.entries(writeProgram(program)).map(([key, value]) => {
    const list = key === 'calls' || key === 'threads' ? (value as unknown[]) : undefined;
    const text = list === undefined ? JSON.stringify(value) : `[\n${list.map(listItem).join(',\n')}\n]`;
    return `${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The program as YAML text. */
export function writeProgramYaml(program: Program): string {
  return stringify(writeProgram(program), { lineWidth: 120, aliasDuplicateObjects: false });
}

function listItem(item: unknown): string {
  const { calls, ...head } = item as { calls?: unknown[] };
  if (calls === undefined) return JSON.stringify(item);
  return `${JSON.stringify(head).slice(0, -1)}, "calls": [\n${calls.map((c) => JSON.stringify(c)).join(',\n')}\n]}`;
}

function section<T>(key: string, map: ReadonlyMap<string, T>, write: (item: T) => object): object {
  if (map.size === 0) return {};
  return { [key]: Object.fromEntries([...map].map(([name, item]) => [name, write(item)])) };
}

/** Names that are whole numbers would lose their order as keys of a map, and the order of streams matters. */
function namedSection<T>(key: string, map: ReadonlyMap<string, T>, write: (item: T) => object): object {
  if (![...map.keys()].some((name) => /^\d+$/.test(name))) return section(key, map, write);
  return { [key]: [...map].map(([name, item]) => ({ name, ...write(item) })) };
}

function writeStream({ device, kind, priority }: Stream): object {
  return { ...(device === 0 ? {} : { device }), kind, ...(priority === 0 ? {} : { priority }) };
}

function writeEvent({ device, timing, interprocess }: Event): object {
  return {
    ...(device === 0 ? {} : { device }),
    ...(timing ? {} : { timing }),
    ...(interprocess ? { interprocess } : {}),
  };
}

function writeBuffer(buffer: Buffer): object {
  const { name, space, device, hostMemory, bytes, allocation, offset } = buffer;
  return {
    bytes: formatBytes(bytes),
    ...(space === 'device' ? {} : { space }),
    ...(device === 0 ? {} : { device }),
    ...(hostMemory === 'pageable' ? {} : { hostMemory }),
    ...(allocation === name ? {} : { allocation }),
    ...(offset === 0 ? {} : { offset: formatBytes(offset) }),
  };
}

function writeGraph(graph: Graph): object {
  const nodes = graph.nodes.map(({ id, call }) => {
    const { name, argument } = writeCall(call);
    return { id, [name]: argument };
  });
  return { nodes, ...(graph.edges.length === 0 ? {} : { edges: graph.edges }) };
}

function writeThread({ name, device, callGap, calls }: HostThread): object {
  return {
    name,
    ...(device === 0 ? {} : { device }),
    ...(callGap === 0 ? {} : { callGap: formatDuration(callGap) }),
    calls: writeCalls(calls),
  };
}

function writeCalls(calls: CallTable): object[] {
  const distinct = Array.from({ length: calls.distinct }, (_, shape) => writeCall(calls.distinctCall(shape)));
  return Array.from({ length: calls.length }, (_, i) => {
    const { name, argument } = distinct[calls.shapeAt(i)] as ReturnType<typeof writeCall>;
    const label = calls.label(i);
    return { [name]: label === undefined ? argument : { ...argument, label } };
  });
}

function writeKernel(kernel: Kernel): object {
  const { grid, block, cluster, registersPerThread, staticSharedMemory, dynamicSharedMemory, launchBounds } = kernel;
  return {
    grid: short(grid),
    block: short(block),
    ...(cluster === undefined ? {} : { cluster: short(cluster) }),
    registersPerThread,
    ...(staticSharedMemory === 0 ? {} : { staticSharedMemory: formatBytes(staticSharedMemory) }),
    ...(dynamicSharedMemory === 0 ? {} : { dynamicSharedMemory: formatBytes(dynamicSharedMemory) }),
    ...(launchBounds === undefined ? {} : { launchBounds }),
    ...(kernel.parameters.length === 0 ? {} : { parameters: kernel.parameters }),
    ...(kernel.target === undefined ? {} : { target: kernel.target }),
    griddepcontrol: kernel.griddepcontrol,
    ...(kernel.instrumented ? { instrumented: true } : {}),
    ...writeBody(kernel.body),
    ...(kernel.accesses.length === 0
      ? {}
      : { accesses: kernel.accesses.map((a) => ({ ...a, range: writeRange(a.range) })) }),
  };
}

function short(dim: readonly number[]): number | readonly number[] {
  return dim[1] === 1 && dim[2] === 1 ? (dim[0] as number) : dim;
}

function writeBody(body: Body): object {
  switch (body.kind) {
    case 'duration':
      return { duration: formatDuration(body.duration), observer: body.observer };
    case 'ptx': {
      const { file, entry, duration } = body;
      return { ptx: { file, entry, ...(duration === undefined ? {} : { duration: formatDuration(duration) }) } };
    }
    case 'collective':
      return { collective: { operation: body.collective, group: body.group, bytes: formatBytes(body.bytes) } };
    case 'phases': {
      const [sole, ...others] = body.roles;
      if (sole?.name === SOLE_ROLE && sole.warps === undefined && others.length === 0) {
        return { phases: sole.phases.map(writePhase) };
      }
      return { roles: body.roles.map((role) => ({ ...role, phases: role.phases.map(writePhase) })) };
    }
  }
}

function writePhase(phase: Phase): unknown {
  switch (phase.op) {
    case 'spin':
      return { spin: formatDuration(phase.duration) };
    case 'ramp':
      return { ramp: { duration: formatDuration(phase.duration), modulus: phase.modulus } };
    case 'fma':
      return { fma: phase.iterations };
    case 'load':
    case 'store': {
      const bytes = formatBytes(phase.bytes);
      const { range, threadRate, evictFirst } = phase;
      if (range === undefined && threadRate === undefined && evictFirst !== true) return { [phase.op]: bytes };
      const optional = {
        ...(range && { range: writeRange(range) }),
        ...(threadRate !== undefined && { threadRate }),
        ...(evictFirst && { evictFirst }),
      };
      return { [phase.op]: { bytes, ...optional } };
    }
    case 'fence':
      return { fence: phase.scope };
    case 'trigger':
      return phase.when === undefined ? 'trigger' : { trigger: phase.when };
    case 'signal':
    case 'await':
      return { [phase.op]: { flag: phase.flag, value: phase.value } };
    default:
      return phase.op;
  }
}

/** Escapes `${` in every text. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('${') ? escapeExpression(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(escaped);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item)]));
}
