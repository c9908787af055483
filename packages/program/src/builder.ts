import { oneOf, trueOrFalse } from './choice.ts';
import { inside, ProgramError } from './errors.ts';
import { HostThreadBuilder } from './host-thread-builder.ts';
import type { BufferInput, EventInput, GraphEdgeInput, GraphNodeInput, KernelInput, StreamInput } from './inputs.ts';
import type { Kernel } from './kernel.ts';
import { makeCallOf } from './make-call.ts';
import { makeKernel } from './make-kernel.ts';
import { checkedName, unknownName } from './names.ts';
import { whole } from './numbers.ts';
import { keysOf, onlyKeys } from './option-keys.ts';
import type { Buffer, Event, Graph, GraphEdge, Program, Stream } from './program.ts';
import { type DurationInput, parseBytes, parseDuration } from './quantity.ts';
import { Scope } from './scope.ts';
import { validateProgram } from './validate.ts';
import { BUFFER_SPACES, EDGE_PORTS, EDGE_TYPES, HOST_MEMORIES, STREAM_KINDS } from './words.ts';

export const BUFFER_KEYS = keysOf<BufferInput>({
  ...{ bytes: true, space: true, device: true, hostMemory: true, allocation: true, offset: true },
});
export const STREAM_KEYS = keysOf<StreamInput>({ device: true, kind: true, priority: true });
export const EVENT_KEYS = keysOf<EventInput>({ device: true, timing: true, interprocess: true });
const IDENTIFIER = /^[A-Za-z_]\w*$/;

export interface ProgramOptions {
  readonly description?: string | undefined;
  /** File that the places of calls refer to. */
  readonly file?: string | undefined;
  readonly params?: Program['params'] | undefined;
}

/** Starts a program. */
export function programBuilder(name: string, options: ProgramOptions = {}): ProgramBuilder {
  return new ProgramBuilder(name, options);
}

/** Declares a program's objects and its host threads. Every method throws ProgramError on what cannot be. */
export class ProgramBuilder {
  private readonly name: string;
  private readonly options: ProgramOptions;
  private readonly scope = new Scope();
  private readonly threads = new Map<string, HostThreadBuilder>();
  private readonly labels = new Set<string>();

  constructor(name: string, options: ProgramOptions) {
    this.name = checkedName(name, 'program', ['name']);
    onlyKeys(options, ['description', 'file', 'params'], 'programBuilder');
    this.options = options;
    checkParams(options.params ?? {});
  }

  kernel(name: string, input: KernelInput): Kernel {
    return this.scope.kernels.declare(name, makeKernel(name, input, this.scope));
  }

  stream(name: string, input: StreamInput = {}): Stream {
    onlyKeys(input, STREAM_KEYS, `stream "${name}"`);
    return this.scope.streams.declare(name, {
      name,
      device: whole(input.device ?? 0, 'device'),
      kind: oneOf(input.kind, STREAM_KINDS, name === 'legacy' || name === 'perThread' ? name : 'blocking', 'kind'),
      priority: whole(input.priority ?? 0, 'priority', Number.MIN_SAFE_INTEGER),
    });
  }

  event(name: string, input: EventInput = {}): Event {
    onlyKeys(input, EVENT_KEYS, `event "${name}"`);
    const timing = trueOrFalse(input.timing, true, 'timing');
    const interprocess = trueOrFalse(input.interprocess, false, 'interprocess');
    if (interprocess && timing) {
      throw new ProgramError(
        `event "${name}": an interprocess event needs timing: false (cudaErrorInvalidValue, rule 5.8)`,
        {
          offending: 'interprocess',
          path: ['interprocess'],
        },
      );
    }
    return this.scope.events.declare(name, { name, device: whole(input.device ?? 0, 'device'), timing, interprocess });
  }

  buffer(name: string, input: BufferInput): Buffer {
    onlyKeys(input, BUFFER_KEYS, `buffer "${name}"`);
    return this.scope.buffers.declare(name, {
      name,
      space: oneOf(input.space, BUFFER_SPACES, 'device', 'space'),
      device: whole(input.device ?? 0, 'device'),
      hostMemory: oneOf(input.hostMemory, HOST_MEMORIES, 'pageable', 'hostMemory'),
      bytes: inside(['bytes'], () => parseBytes(input.bytes)),
      allocation: input.allocation ?? name,
      offset: inside(['offset'], () => parseBytes(input.offset ?? 0, 0)),
    });
  }

  /** A graph made by hand. Nodes are calls in their one-key form; cycles are found by `build`. */
  graph(name: string, nodes: readonly GraphNodeInput[], edges: readonly GraphEdgeInput[] = []): Graph {
    const ids = new Set<string>();
    const made = nodes.map((node, i) =>
      inside(['nodes', i], () => {
        onlyKeys(node, ['id', 'call'], `node ${i} of graph "${name}"`);
        if (ids.has(node.id)) throw new ProgramError(`node "${node.id}" is declared twice`, { offending: node.id });
        ids.add(checkedName(node.id, 'node', ['id']));
        return { id: node.id, call: inside(['call'], () => makeCallOf(node.call, this.scope, 0)) };
      }),
    );
    return this.scope.graphs.declare(name, {
      name,
      nodes: made,
      edges: edges.map((edge, i) => inside(['edges', i], () => makeEdge(edge, ids))),
    });
  }

  /** A host thread whose current device is `device` (default 0) and that spends `callGap` between calls (default 0). */
  hostThread(
    name = 'main',
    input: { readonly device?: number | undefined; readonly callGap?: DurationInput | undefined } = {},
  ): HostThreadBuilder {
    if (this.threads.has(name)) {
      throw new ProgramError(`host thread "${name}" is declared twice`, { offending: name });
    }
    checkedName(name, 'host thread', ['name']);
    onlyKeys(input, ['device', 'callGap'], `host thread "${name}"`);
    const device = whole(input.device ?? 0, 'device');
    const gap = inside(['callGap'], () => parseDuration(input.callGap ?? 0));
    const thread = new HostThreadBuilder(name, this.scope, this.labels, device, gap, this.options.file ?? '');
    this.threads.set(name, thread);
    return thread;
  }

  /** The program, checked as a whole (see validateProgram). */
  build(): Program {
    const { scope } = this;
    const program: Program = {
      name: this.name,
      description: this.options.description ?? '',
      kernels: scope.kernels.map,
      streams: scope.streams.map,
      events: scope.events.map,
      buffers: scope.buffers.map,
      graphs: scope.graphs.map,
      threads: [...this.threads.values()].map((t) => t.build()),
      params: this.options.params ?? {},
    };
    validateProgram(program);
    return program;
  }
}

function checkParams(params: Program['params']): void {
  for (const [name, value] of Object.entries(params)) {
    if (!IDENTIFIER.test(name)) {
      throw new ProgramError(`parameter name ${JSON.stringify(name)} is no identifier (letters, digits, _)`, {
        offending: name,
        path: ['params', name],
        atKey: true,
      });
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new ProgramError(`parameter ${name} is not finite`, { path: ['params', name] });
    }
  }
}

function makeEdge(input: GraphEdgeInput, ids: ReadonlySet<string>): GraphEdge {
  if (!isTuple(input)) onlyKeys(input, ['from', 'to', 'fromPort', 'type'], 'edge');
  const given = isTuple(input) ? { from: input[0], to: input[1], type: input[2] } : input;
  for (const end of ['from', 'to'] as const) {
    if (!ids.has(given[end])) throw unknownName('node', given[end], ids, end);
  }
  const fromPort = 'fromPort' in given ? given.fromPort : undefined;
  const usualType = fromPort === 'programmatic' ? 'programmatic' : 'full';
  const type = oneOf(given.type, EDGE_TYPES, usualType, 'type');
  const usualPort = type === 'programmatic' ? 'programmatic' : 'default';
  return {
    from: given.from,
    to: given.to,
    fromPort: oneOf(fromPort, EDGE_PORTS, usualPort, 'fromPort'),
    type,
  };
}

function isTuple(edge: GraphEdgeInput): edge is readonly [string, string, ('full' | 'programmatic')?] {
  return Array.isArray(edge);
}
