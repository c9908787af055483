import { type Call, type LaunchAttributes, type Program, writeProgram } from '@griddep/program';
import { expectedData } from './expected-data.ts';
import type { Measurable } from './measurable.ts';
import { known, Objects } from './objects.ts';
import { CallPrinter } from './print-calls.ts';
import { graphStatements } from './print-graphs.ts';
import { kernelText, usesText } from './print-kernels.ts';
import { Names, Unnamed } from './print-names.ts';
import { quoted, rawText } from './quoted.ts';
import { type Place, stepsOf } from './steps.ts';

const STREAM_KIND = { blocking: 'b', nonBlocking: 'n', legacy: 'l', perThread: 't' } as const;
const ALLOCATIONS: ReadonlySet<string> = new Set(['malloc', 'mallocHost', 'mallocAsync']);

/** A measured program as a namespace of C++ with a function `make`, that the harness runs. */
export function programText(measured: Measurable, namespace: string): string {
  const { program } = measured;
  const objects = new Objects(program);
  const unnamed = new Unnamed();
  const data = expectedData(program);
  const labels = new Map<string, string>();
  program.threads.forEach((_, t) => {
    for (const { id, label = '', launch } of stepsOf(program, t)) {
      labels.set(id, launch === undefined ? label : `${launch}/${label}`);
    }
  });
  const kernels = [...program.kernels.values()].filter(({ name }) => name !== measured.gateKernel);
  const kernelNumbers = new Map(kernels.map(({ name }, i) => [name, i]));
  const launches = new Map<string, number>();
  let usesScratch = false;
  const launchTexts = placesOf(program, measured.gateKernel).map((place, n) => {
    const call = place.call as Call & { readonly kind: 'launchKernel' };
    launches.set(place.id, n);
    const kernel = program.kernels.get(call.kernel) as (typeof kernels)[number];
    const { uses, scratch } = usesText(kernel, place, n + 1, { program, objects, data });
    usesScratch ||= scratch;
    const label = labels.get(place.id) ?? place.label ?? '';
    const numbers = `${known(kernelNumbers, call.kernel)}, ${known(objects.streams, call.stream)}`;
    const attributes = attributesText(call.attributes, kernel.cluster, objects);
    const inGraph = place.id.includes('/');
    return `p.launches.push_back({${quoted(label)}, ${numbers}, {${attributes.join(', ')}}, {${uses.join(', ')}}, ${inGraph}, {}, {}, {}, {}, 0, {}});`;
  });
  const names = new Names(program, objects, unnamed);
  const printer = new CallPrinter(measured, names, launches);
  const threads = program.threads.map(({ calls, device }, t) => {
    const lines = Array.from({ length: calls.length }, (_, i) => printer.statement(t, i, calls.at(i)));
    const start = [`CHECK(cudaSetDevice(${device}));`, ...(t === 0 ? graphStatements(names, launches) : [])];
    if (t === 0 && program.graphs.size > 0) start.push(`CHECK(cudaSetDevice(${device}));`);
    return `inline void thread${t}(Program& p) {\n${[...start, ...lines].map((line) => `  ${line}`).join('\n')}\n}`;
  });
  const turns = threads.map((_, t) => `  if (t == ${t}) thread${t}(p);`);
  const texts = kernels.map(kernelText);
  const made = [
    `p.name = ${quoted(program.name)};`,
    `p.text = ${rawText(caseText(measured))};`,
    `p.needs = ${measured.devices};`,
    `p.gated = ${measured.gated};`,
    `p.zeroCall = ${Math.max(0, measured.zeroCall)};`,
    `p.usesScratch = ${usesScratch};`,
    `p.thread = &run;`,
    ...[...program.streams.values()].map(
      (s) => `p.streams.push_back({${s.device}, '${STREAM_KIND[s.kind]}', ${s.priority}, nullptr});`,
    ),
    ...[...program.events.values()].map((e) => `p.events.push_back({${e.device}, ${e.timing}, nullptr});`),
    ...memoryTexts(program),
    ...[...program.buffers.values()].map(
      (b) => `p.buffers.push_back({${known(objects.allocations, b.allocation)}, ${b.offset}});`,
    ),
    ...unnamed.buffers.flatMap(({ device, space, bytes }, i) => [
      `p.memories.push_back({${device}, '${space === 'D' ? 'd' : space}', ${bytes}, true, nullptr});`,
      `p.buffers.push_back({${objects.allocations.size + i}, 0});`,
    ]),
    ...texts.map(({ kernel }) => `p.kernels.push_back(${kernel});`),
    ...texts.map(({ body }) => `p.bodies.push_back(${body});`),
    ...launchTexts,
    ...measured.copies.map(({ label, device, around }) => {
      const [before, after, base] = [around.before, around.after, around.base].map((e) => known(objects.events, e));
      return `p.copies.push_back({${quoted(label)}, ${device}, ${before}, ${after}, ${base}, {}, {}});`;
    }),
    ...program.threads.flatMap(({ calls, callGap }) => [
      `p.calls.push_back(std::vector<Call>(${calls.length}));`,
      `p.gaps.push_back(${Math.round(callGap / 1000)});`,
    ]),
    `p.graphs.resize(${objects.graphs.size});`,
    `p.executables.resize(${objects.executables.size});`,
  ];
  return `namespace ${namespace} {
${threads.join('\n')}
inline void run(Program& p, int t) {
${turns.join('\n')}
}
MADE_ONCE inline Program make() {
  Program p{};
${made.map((line) => `  ${line}`).join('\n')}
  return p;
}
}  // namespace ${namespace}
`;
}

/** Launches by where they stand: those of threads, then those of graphs made by hand. */
function placesOf(program: Program, gateKernel: string): Place[] {
  const places: Place[] = [];
  program.threads.forEach(({ calls }, t) => {
    for (let i = 0; i < calls.length; i++) {
      const call = calls.at(i);
      if (call.kind !== 'launchKernel' || call.kernel === gateKernel) continue;
      places.push({ id: `${t}:${i}`, call, label: calls.label(i) });
    }
  });
  for (const graph of program.graphs.values()) {
    for (const { id, call } of graph.nodes) {
      if (call.kind === 'launchKernel') places.push({ id: `${graph.name}/${id}`, call, label: id });
    }
  }
  return places;
}

function attributesText(
  attributes: LaunchAttributes,
  kernelCluster: readonly number[] | undefined,
  objects: Objects,
): string[] {
  const { programmaticEvent: event, launchCompletionEvent: completion, priority } = attributes;
  const cluster = attributes.clusterDimension ?? kernelCluster;
  const of = (name: string, a = 0, b = 0, c = 0) => `{cudaLaunchAttribute${name}, ${a}, ${b}, ${c}}`;
  return [
    ...(attributes.programmaticStreamSerialization === true ? [of('ProgrammaticStreamSerialization')] : []),
    ...(event === undefined
      ? []
      : [of('ProgrammaticEvent', known(objects.events, event.event), event.triggerAtBlockStart ? 1 : 0)]),
    ...(completion === undefined ? [] : [of('LaunchCompletionEvent', known(objects.events, completion.event))]),
    ...(attributes.cooperative === true ? [of('Cooperative')] : []),
    ...(priority === undefined ? [] : [of('Priority', priority)]),
    ...(cluster === undefined ? [] : [of('ClusterDimension', cluster[0], cluster[1], cluster[2])]),
    ...(attributes.deviceUpdatable === true ? [of('DeviceUpdatableKernelNode')] : []),
  ];
}

function memoryTexts(program: Program): string[] {
  const onDevice = new Set<string>();
  for (const { body, parameters } of program.kernels.values()) {
    const text = JSON.stringify([body, parameters]);
    for (const buffer of program.buffers.values()) {
      if (buffer.space === 'host' && text.includes(JSON.stringify(buffer.name))) onDevice.add(buffer.allocation);
    }
  }
  const allocated = new Set<string>();
  for (const { calls } of program.threads) {
    for (let i = 0; i < calls.distinct; i++) {
      const call = calls.distinctCall(i);
      if (ALLOCATIONS.has(call.kind) && 'buffer' in call) allocated.add(call.buffer);
    }
  }
  const memories = new Map<string, { device: number; space: string; bytes: number; isAllocated: boolean }>();
  for (const { name, allocation, bytes, offset, device, space, hostMemory } of program.buffers.values()) {
    const pinned = hostMemory === 'pinned' || onDevice.has(allocation);
    const own = memories.get(allocation) ?? {
      device,
      space: space === 'device' ? 'd' : pinned ? 'p' : 'g',
      bytes: 0,
      isAllocated: false,
    };
    own.bytes = Math.max(own.bytes, offset + bytes, 256);
    own.isAllocated ||= allocated.has(name);
    memories.set(allocation, own);
  }
  return [...memories.values()].map(
    ({ device, space, bytes, isAllocated }) =>
      `p.memories.push_back({${device}, '${space}', ${bytes}, ${!isAllocated}, nullptr});`,
  );
}

/** What the file of cases says of a program, but for what was measured: the inside of an object of JSON. */
function caseText({ program, observation, gated }: Measurable): string {
  const { zero, prefix, events } = observation;
  const text = JSON.stringify({
    name: program.name,
    gated,
    program: writeProgram(program),
    observation: { zero, prefix, events: Object.fromEntries(events) },
  });
  return text.slice(1, -1);
}
