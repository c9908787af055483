import { formatDuration, type Program, parseDuration, writeProgram } from '@griddep/program';

/** What to change of a program; what is absent stays as it is. */
export interface Edit {
  /** The kernel that the next three are about. */
  readonly kernel?: string;
  /** Its duration or, where it has phases, every phase's, times this. */
  readonly work?: number;
  /** Whether its launches allow programmatic dependent launch (programmaticStreamSerialization). */
  readonly programmatic?: boolean;
  /** Where its blocks trigger: before phase `trigger`, counted without triggers; or never. */
  readonly trigger?: number | 'never';
  /** Streams of each device: calls of surplus streams go to the others, launches are dealt in turn onto new ones. */
  readonly streams?: number;
}

type Document = Record<string, unknown>;
type Launch = { kernel?: string; stream?: string; attributes?: Record<string, unknown> };

/** The program as a document with the edit made in it. Throws ProgramError where a number makes no sense. */
export function editProgram(program: Program, edit: Edit): Document {
  const document = structuredClone(writeProgram(program));
  const kernel = (document.kernels as Record<string, Document> | undefined)?.[edit.kernel ?? ''];
  if (kernel !== undefined) {
    if (edit.work !== undefined && edit.work !== 1) scaleWork(kernel, edit.work);
    if (edit.trigger !== undefined) moveTrigger(kernel, edit.trigger);
    if (edit.programmatic !== undefined) {
      for (const launch of launchesOf(document)) {
        if (launch.kernel !== edit.kernel) continue;
        const { programmaticStreamSerialization: _, ...attributes } = launch.attributes ?? {};
        launch.attributes = edit.programmatic ? { ...attributes, programmaticStreamSerialization: true } : attributes;
      }
    }
  }
  if (edit.streams !== undefined) dealStreams(program, document, edit.streams);
  return document;
}

/** Whether every launch of a kernel has the attribute, some have, or none. */
export function programmaticLaunches(program: Program, kernel: string): 'all' | 'some' | 'none' {
  const launches = launchesOf(writeProgram(program)).filter((launch) => launch.kernel === kernel);
  const count = launches.filter((launch) => launch.attributes?.programmaticStreamSerialization === true).length;
  return count === 0 ? 'none' : count === launches.length ? 'all' : 'some';
}

function callsOf(document: Document): Document[] {
  const threads = (document.threads ?? [{ calls: document.calls ?? [] }]) as { calls: Document[] }[];
  const graphs = Object.values((document.graphs ?? {}) as Record<string, { nodes: Document[] }>);
  return [...threads.flatMap(({ calls }) => calls), ...graphs.flatMap(({ nodes }) => nodes)];
}

function launchesOf(document: Document): Launch[] {
  return callsOf(document).flatMap((call) => (call.launchKernel as Launch | undefined) ?? []);
}

function phasesOf(kernel: Document): { role: string; phases: unknown[]; set: (phases: unknown[]) => void }[] {
  if (Array.isArray(kernel.phases)) {
    const set = (phases: unknown[]) => {
      kernel.phases = phases;
    };
    return [{ role: '', phases: kernel.phases, set }];
  }
  const roles = (kernel.roles ?? []) as { name: string; phases: unknown[] }[];
  return roles.map((role) => ({
    role: role.name,
    phases: role.phases,
    set: (phases) => {
      role.phases = phases;
    },
  }));
}

function scaleWork(kernel: Document, factor: number): void {
  if (typeof kernel.duration === 'string') kernel.duration = times(kernel.duration, factor);
  const ptx = kernel.ptx as { duration?: string } | undefined;
  if (ptx?.duration !== undefined) ptx.duration = times(ptx.duration, factor);
  for (const { phases, set } of phasesOf(kernel)) set(phases.map((phase) => scaledPhase(phase, factor)));
}

function scaledPhase(phase: unknown, factor: number): unknown {
  if (typeof phase !== 'object' || phase === null) return phase;
  const { spin, ramp, fma, ...other } = phase as {
    spin?: string;
    ramp?: { duration: string; modulus: number };
    fma?: number;
  };
  if (spin !== undefined) return { spin: times(spin, factor) };
  if (ramp !== undefined) return { ramp: { ...ramp, duration: times(ramp.duration, factor) } };
  if (fma !== undefined) return { fma: Math.max(1, Math.round(fma * factor)) };
  return other;
}

function times(duration: string, factor: number): string {
  return formatDuration(Math.round(parseDuration(duration) * factor) as ReturnType<typeof parseDuration>);
}

const isTrigger = (phase: unknown) =>
  phase === 'trigger' || (typeof phase === 'object' && phase !== null && 'trigger' in phase);

/** Takes the triggers out and puts one in; accesses keep the phase that they stand at. */
function moveTrigger(kernel: Document, at: number | 'never'): void {
  const accesses = (kernel.accesses ?? []) as { role: string; phase: number }[];
  const parts = phasesOf(kernel);
  for (const { role, phases, set } of parts) {
    const kept = phases.filter((phase) => !isTrigger(phase));
    const index = at === 'never' ? kept.length : Math.min(at, kept.length);
    const before = phases.map((_, i) => phases.slice(0, i).filter((phase) => !isTrigger(phase)).length);
    for (const access of accesses) {
      if (access.role !== role && parts.length > 1) continue;
      const place = before[access.phase] ?? 0;
      access.phase = at !== 'never' && place >= index ? place + 1 : place;
    }
    set(at === 'never' ? kept : [...kept.slice(0, index), 'trigger', ...kept.slice(index)]);
  }
  if (at !== 'never') kernel.griddepcontrol = true;
}

/** Merges the streams of each device onto `count`, or adds streams and deals kernel launches onto them in turn. */
function dealStreams(program: Program, document: Document, count: number): void {
  const devices = new Map<number, string[]>();
  for (const { name, device, kind } of program.streams.values()) {
    if (kind !== 'blocking' && kind !== 'nonBlocking') continue;
    const known = devices.get(device);
    if (known === undefined) devices.set(device, [name]);
    else known.push(name);
  }
  const target = new Map<string, string>();
  const shares = new Map<string, string[]>();
  const added: Document[] = [];
  for (const [device, names] of devices) {
    names.forEach((name, i) => {
      target.set(name, names[i % count] ?? name);
      shares.set(name, [name]);
    });
    for (let i = names.length; i < count; i++) {
      const from = names[i % names.length] ?? '';
      const model = program.streams.get(from);
      const name = `${from}.${Math.floor(i / names.length) + 1}`;
      if (program.streams.has(name)) continue;
      shares.get(from)?.push(name);
      added.push({ name, device, kind: model?.kind ?? 'nonBlocking', priority: model?.priority ?? 0 });
    }
  }
  const turns = new Map<string, number>();
  for (const call of callsOf(document)) {
    for (const [kind, argument] of Object.entries(call)) {
      if (typeof argument !== 'object' || argument === null) continue;
      const fields = argument as { stream?: unknown };
      if (typeof fields.stream !== 'string') continue;
      const stream = target.get(fields.stream) ?? fields.stream;
      const share = shares.get(stream) ?? [stream];
      const turn = turns.get(stream) ?? 0;
      if (kind === 'launchKernel') turns.set(stream, turn + 1);
      fields.stream = kind === 'launchKernel' ? (share[turn % share.length] ?? stream) : stream;
    }
  }
  if (added.length === 0) return;
  const streams = document.streams;
  if (Array.isArray(streams)) streams.push(...added);
  else Object.assign(streams as Document, Object.fromEntries(added.map(({ name, ...rest }) => [name as string, rest])));
}
