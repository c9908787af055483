import { ElementScanner, ScanError } from '../json/element-scanner.ts';
import { RangeBuilder } from '../range-builder.ts';
import type {
  Trace,
  TraceCall,
  TraceCollective,
  TraceDevice,
  TraceOperation,
  TraceThread,
  TraceWait,
} from '../trace.ts';
import { TraceError } from '../trace-error.ts';
import { foreignMaker } from '../vendors.ts';
import { TraceClock } from './clock.ts';
import { copyOfName } from './copies.ts';
import { categoryOf, dimensions, type KinetoEvent, numberOf } from './event.ts';

export interface KinetoOptions {
  /** Name in messages. */
  readonly file: string;
  /** Keep what could be read of a file that is cut or wrong from some place on. */
  readonly partial?: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

const NO_ARGUMENTS: Arguments = {};

/** Reads a trace of the PyTorch profiler (Kineto), piece by piece as its bytes come. */
export class KinetoReader {
  readonly #file: string;
  readonly #isPartial: boolean;
  readonly #scanner: ElementScanner;
  readonly #clock = new TraceClock();
  readonly #calls: TraceCall[] = [];
  readonly #operations: TraceOperation[] = [];
  readonly #waits: TraceWait[] = [];
  readonly #ranges = new RangeBuilder();
  readonly #ignored = new Map<string, number>();
  readonly #threads: TraceThread[] = [];
  readonly #threadIndices = new Map<unknown, Map<unknown, number>>();
  /** Names in the file repeat; each is kept once. */
  readonly #names = new Map<string, string>();
  readonly #geometries = new Map<string, readonly [number, number, number]>();
  readonly #header = new Map<string, unknown>();
  #process = '';
  #foreign: string | undefined;
  #cut: string | undefined;

  constructor({ file, partial = false }: KinetoOptions) {
    this.#file = file;
    this.#isPartial = partial;
    this.#scanner = new ElementScanner('traceEvents', {
      element: (text) => this.#event(text),
      member: (key, text) => this.#member(key, text),
    });
  }

  /** Events read so far. */
  get events(): number {
    return this.#scanner.elements;
  }

  /** Takes the next bytes of the (unpacked) file. Throws TraceError. */
  push(bytes: Uint8Array): void {
    if (this.#cut === undefined) this.#guarded(() => this.#scanner.push(bytes));
  }

  /** The bytes end here for another reason than the end of the file, such as a broken gzip. Throws TraceError. */
  breakOff(why: string): void {
    this.#broken(`${why}, after event ${this.events}`);
  }

  /** All bytes came. Throws TraceError where the file is not complete or holds nothing that ran on a device. */
  finish(): Trace {
    if (this.#cut === undefined) this.#guarded(() => this.#scanner.finish());
    if (!this.#scanner.sawArray && this.#cut === undefined) {
      throw new TraceError(`${this.#file}: is JSON without traceEvents, not a trace of a profiler`);
    }
    if (this.#foreign !== undefined && this.#calls.every(({ name }) => foreignMaker(name) !== undefined)) {
      throw new TraceError(`${this.#file}: is a trace of ${this.#foreign}; only CUDA devices of NVIDIA are simulated`);
    }
    if (this.#operations.length === 0) {
      const rest = this.#cut === undefined ? '' : ` (${this.#cut})`;
      throw new TraceError(
        `${this.#file}: has no kernel, copy or memset among its ${this.events} events: record CUDA activity too${rest}`,
      );
    }
    const header = (name: string) => this.#header.get(name);
    const rank = (header('distributedInfo') as { rank?: unknown } | undefined)?.rank;
    return {
      file: this.#file,
      source: 'kineto',
      version: String(header('schemaVersion') ?? ''),
      epoch: this.#clock.epoch + BigInt(Math.trunc(numberOf(header('baseTimeNanoseconds'), 0))),
      resolution: this.#clock.resolution,
      rank: typeof rank === 'number' ? rank : undefined,
      devices: devicesOf(header('deviceProperties')),
      threads: this.#threads,
      calls: this.#calls.sort((a, b) => a.start - b.start || b.end - a.end),
      operations: this.#operations.sort((a, b) => a.start - b.start || a.correlation - b.correlation),
      waits: this.#waits,
      records: [],
      streams: [],
      ranges: this.#ranges.finish(),
      ignored: this.#ignored,
      cut: this.#cut,
    };
  }

  #guarded(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      this.#broken(`${error.message} at byte ${error.offset}, after event ${this.events}`);
    }
  }

  #broken(problem: string): void {
    const hint = this.#scanner.elements === 0 ? '' : '; --partial takes what can be read';
    if (!this.#isPartial || this.#scanner.elements === 0) throw new TraceError(`${this.#file}: ${problem}${hint}`);
    this.#cut = problem;
  }

  #member(key: string, text: string): void {
    try {
      this.#header.set(key, JSON.parse(text));
    } catch {
      throw new ScanError(`the value of "${key}" is no JSON`, this.#scanner.offset);
    }
  }

  #event(text: string): void {
    if (!COMPLETE.test(text)) return;
    const skipped = skippedCategory(text);
    if (skipped !== undefined) {
      this.#ignore(`rows of category ${skipped}`);
      return;
    }
    let event: KinetoEvent;
    try {
      event = JSON.parse(text) as KinetoEvent;
    } catch {
      throw new ScanError('an event is no JSON', this.#scanner.offset);
    }
    if (typeof event !== 'object' || event === null || event.ph !== 'X') return;
    const category = categoryOf(event.cat);
    if (category === undefined) {
      this.#ignore(`rows of category ${String(event.cat)}`);
      return;
    }
    const name = this.#named(String(event.name ?? ''));
    const time = this.#clock.read(text, numberOf(event.ts, Number.NaN), numberOf(event.dur, Number.NaN));
    if (time === undefined) {
      this.#ignore('rows without a time');
      return;
    }
    if (time.duration < 0) {
      const where = `event ${this.events} ("${name}") lasts ${time.duration / 1e6} us`;
      if (!this.#isPartial) throw new TraceError(`${this.#file}: ${where}, a negative time; --partial leaves it out`);
      this.#ignore('rows of negative duration');
      return;
    }
    const { start } = time;
    const end = start + time.duration;
    const args = event.args ?? NO_ARGUMENTS;
    switch (category) {
      case 'operator':
      case 'annotation':
        this.#ranges.add(name, this.#thread(event), start, end, category === 'annotation');
        break;
      case 'call': {
        this.#foreign ??= foreignMaker(name);
        const thread = this.#thread(event);
        this.#process ||= this.#threads[thread]?.process ?? '';
        this.#calls.push({ name, thread, start, end, correlation: numberOf(args.correlation, 0) });
        break;
      }
      case 'sync':
        this.#wait(args, event);
        break;
      default:
        this.#operation(category, name, args, event, start, end);
    }
  }

  #operation(
    kind: 'kernel' | 'copy' | 'memset',
    name: string,
    args: Arguments,
    event: KinetoEvent,
    start: number,
    end: number,
  ): void {
    const found = kind === 'copy' ? copyOfName(name) : undefined;
    const collective = kind === 'kernel' ? this.#collective(args) : undefined;
    this.#operations.push({
      kind,
      name,
      process: '',
      device: numberOf(args.device ?? event.pid, 0),
      context: numberOf(args.context, 0),
      stream: numberOf(args.stream ?? event.tid, 0),
      start,
      end,
      correlation: numberOf(args.correlation, 0),
      grid: this.#dimensions(args.grid),
      block: this.#dimensions(args.block),
      registers: numberOf(args['registers per thread'], 0),
      staticSharedMemory: 0,
      dynamicSharedMemory: numberOf(args['shared memory'], 0),
      bytes: numberOf(args.bytes, 0),
      ...(found?.copy === undefined ? {} : { copy: found.copy }),
      ...(found?.hostMemory === undefined ? {} : { hostMemory: found.hostMemory }),
      ...peers(args),
      graphNode: numberOf(args['graph node id'], 0),
      ...(collective === undefined ? {} : { collective }),
    });
  }

  #collective(args: Arguments): TraceCollective | undefined {
    const name = args['Collective name'];
    if (typeof name !== 'string') return undefined;
    const group = `${String(args['Process Group Name'] ?? '')} ${String(args['Process Group Ranks'] ?? '')}`;
    return { name: this.#named(name), group: this.#named(group), size: numberOf(args['Group size'], 0) };
  }

  #wait(args: Arguments, event: KinetoEvent): void {
    const kinds = {
      'Stream Wait Event': 'streamWait',
      'Event Sync': 'event',
      'Stream Sync': 'stream',
      'Context Sync': 'context',
    };
    const kind = kinds[String(args.cuda_sync_kind ?? event.name) as keyof typeof kinds] as
      | TraceWait['kind']
      | undefined;
    if (kind === undefined) {
      this.#ignore(`waits of kind ${String(event.name)}`);
      return;
    }
    this.#waits.push({
      kind,
      process: '',
      device: numberOf(args.device ?? event.pid, -1),
      context: numberOf(args.context, 0),
      stream: numberOf(args.stream, -1),
      correlation: numberOf(args.correlation, 0),
      event: numberOf(args.wait_on_cuda_event_id, -1),
      sync: -1,
      record: numberOf(args.wait_on_cuda_event_record_corr_id, -1),
      recordStream: numberOf(args.wait_on_stream, -1),
    });
  }

  #thread(event: KinetoEvent): number {
    const { pid, tid } = event;
    let byThread = this.#threadIndices.get(pid);
    if (byThread === undefined) {
      byThread = new Map();
      this.#threadIndices.set(pid, byThread);
    }
    let index = byThread.get(tid);
    if (index === undefined) {
      index = this.#threads.length;
      byThread.set(tid, index);
      this.#threads.push({ process: String(pid), name: String(tid) });
    }
    return index;
  }

  /** Launches repeat their dimensions; each is kept once. */
  #dimensions(value: unknown): readonly [number, number, number] {
    const key = String(value);
    const known = this.#geometries.get(key);
    if (known !== undefined) return known;
    const made = dimensions(value);
    this.#geometries.set(key, made);
    return made;
  }

  #named(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }

  #ignore(what: string): void {
    this.#ignored.set(what, (this.#ignored.get(what) ?? 0) + 1);
  }
}

const COMPLETE = /"ph"\s*:\s*"X"/;
const CATEGORY = /"cat"\s*:\s*"([^"\\]*)"/;

/** The category of an event that is none of ours, without parsing it: most of a trace with stacks are such. */
function skippedCategory(text: string): string | undefined {
  const found = CATEGORY.exec(text);
  const category = found?.[1];
  if (found === null || category === undefined || categoryOf(category) !== undefined) return undefined;
  const args = text.indexOf('"args"');
  return args >= 0 && args < found.index ? undefined : category;
}

function peers(args: Arguments): Pick<TraceOperation, 'sourceDevice' | 'destinationDevice'> {
  const from = numberOf(args.fromDevice, -1);
  const to = numberOf(args.toDevice, -1);
  return from >= 0 && to >= 0 ? { sourceDevice: from, destinationDevice: to } : {};
}

function devicesOf(properties: unknown): TraceDevice[] {
  if (!Array.isArray(properties)) return [];
  return properties.map((each: Record<string, unknown>, index) => ({
    id: numberOf(each.id, index),
    name: String(each.name ?? ''),
    sms: numberOf(each.numSms, 0),
  }));
}
