import { CallCodec } from './call-codec.ts';
import { inside, ProgramError } from './errors.ts';
import type { RangeInput } from './inputs.ts';
import type { BufferRange, Kernel } from './kernel.ts';
import { NameTable, nameOf, type Ref, unknownName } from './names.ts';
import { onlyKeys } from './option-keys.ts';
import type { Buffer, Event, Graph, Stream } from './program.ts';
import { type BytesInput, parseBytes } from './quantity.ts';

const RANGE_KEYS = ['buffer', 'offset', 'bytes', 'blockStride', 'wrap'];

/** A declared buffer has a name; whatever else is no text is meant as a part of one. */
function isRef(input: RangeInput): input is Ref {
  return typeof input !== 'object' || input === null || 'name' in input;
}

/** The names a program has declared, and how references to them resolve. */
export class Scope {
  readonly kernels = new NameTable<Kernel>('kernel');
  readonly streams = new NameTable<Stream>('stream');
  readonly events = new NameTable<Event>('event');
  readonly buffers = new NameTable<Buffer>('buffer');
  readonly graphs = new NameTable<Graph>('graph');
  /** Streams that came into being without a declaration. */
  private readonly defaults = new Set<string>();
  /** Of the calls of all host threads. */
  readonly codec = new CallCodec();

  /**
   * The stream's name. `legacy` and `perThread` are the default streams of the current device where no stream of that name is
   * declared (docs/RULES.md 5.3).
   */
  stream(ref: Ref, device: number): string {
    const name = nameOf(ref, 'stream');
    const declared = this.streams.map.has(name) && !this.defaults.has(name);
    if (!declared && (name === 'legacy' || name === 'perThread')) return this.defaultStream(name, device);
    if (this.streams.map.has(name)) return name;
    throw unknownName('stream', String(name), [...this.streams.map.keys(), 'legacy', 'perThread'], 'stream');
  }

  /** Name of a device's default stream of a kind, declared or not (docs/RULES.md 5.1, 5.3). */
  defaultStream(kind: 'legacy' | 'perThread', device: number): string {
    for (const stream of this.streams.map.values()) {
      if (stream.kind === kind && stream.device === device) return stream.name;
    }
    const name = device === 0 ? kind : `${kind}${device}`;
    this.defaults.add(name);
    return this.streams.declare(name, { name, device, kind, priority: 0 }).name;
  }

  event(ref: Ref, field = 'event'): string {
    return this.events.get(nameOf(ref, 'event'), field).name;
  }

  buffer(ref: Ref, field = 'buffer'): string {
    return this.buffers.get(nameOf(ref, 'buffer'), field).name;
  }

  /**
   * Resolves a range. `moved` is what the operation moves; `parameters` maps `$name` to the buffer passed by default,
   * for ranges inside a kernel.
   */
  range(input: RangeInput, moved?: number, parameters?: ReadonlyMap<string, string | undefined>): BufferRange {
    const whole = isRef(input);
    if (!whole) onlyKeys(input, RANGE_KEYS, 'range');
    const ref = nameOf(whole ? input : input.buffer, 'buffer');
    const part: Partial<Record<'offset' | 'bytes' | 'blockStride' | 'wrap', BytesInput | undefined>> = whole
      ? {}
      : input;
    const target = this.rangeTarget(ref, parameters);
    const offset = parseBytes(part.offset ?? 0, 0);
    const rest = target === undefined ? undefined : target.bytes - offset;
    const bytes = part.bytes ?? moved ?? rest;
    if (bytes === undefined) {
      throw new ProgramError(`the range of "${ref}" needs bytes, since the parameter has no buffer`, {
        offending: ref,
      });
    }
    return {
      buffer: ref,
      offset,
      bytes: inside(['bytes'], () => parseBytes(bytes, moved === 0 ? 0 : 1)),
      blockStride: parseBytes(part.blockStride ?? 0, 0),
      ...(part.wrap === undefined ? {} : { wrap: parseBytes(part.wrap) }),
    };
  }

  private rangeTarget(ref: string, parameters?: ReadonlyMap<string, string | undefined>): Buffer | undefined {
    if (parameters === undefined || !ref.startsWith('$')) return this.buffers.get(ref);
    const name = ref.slice(1);
    if (!parameters.has(name))
      throw unknownName(
        'parameter',
        ref,
        [...parameters.keys()].map((p) => `$${p}`),
        'buffer',
      );
    const buffer = parameters.get(name);
    return buffer === undefined ? undefined : this.buffers.get(buffer);
  }
}
