import type { ProgramBuilder } from '@griddep/program';
import type { Findings } from '../findings.ts';
import { Names } from '../names.ts';
import { streamKey } from '../overlaps.ts';
import type { Trace, TraceOperation } from '../trace.ts';

/** Devices of a set of traces, numbered from 0 as the program has them. */
export class Devices {
  readonly #indices = new Map<string, number>();
  readonly #names: string[] = [];

  constructor(traces: readonly Trace[]) {
    traces.forEach((trace, index) => {
      const used = new Set(trace.operations.map(({ device }) => device));
      for (const id of [...used].sort((a, b) => a - b)) {
        this.#indices.set(`${index} ${id}`, this.#indices.size);
        this.#names.push(trace.devices.find((device) => device.id === id)?.name ?? '');
      }
    });
  }

  get count(): number {
    return this.#indices.size;
  }

  /** Names of the devices, empty where the file does not tell. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Index in the program of a device of a trace, 0 where nothing ran on it. */
  index(trace: number, device: number): number {
    return this.#indices.get(`${trace} ${device}`) ?? 0;
  }
}

/** Declares streams as they are met. */
export class Streams {
  readonly #builder: ProgramBuilder;
  readonly #devices: Devices;
  readonly #findings: Findings;
  readonly #names = new Names();
  readonly #known = new Map<string, string>();

  constructor(builder: ProgramBuilder, devices: Devices, findings: Findings) {
    this.#builder = builder;
    this.#devices = devices;
    this.#findings = findings;
  }

  /** Name of a stream of a trace. */
  of(trace: Trace, index: number, place: Pick<TraceOperation, 'process' | 'device' | 'context' | 'stream'>): string {
    const key = `${index} ${streamKey(place)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const device = this.#devices.index(index, place.device);
    const told = trace.streams.find(
      ({ process, context, id }) => process === place.process && context === place.context && id === place.stream,
    );
    const where = this.#devices.count > 1 ? `gpu${device} ` : '';
    const name = this.#names.unique(`${where}stream ${place.stream}`);
    if (told === undefined) {
      this.#findings.add('assumed', 'streams whose kind is not told: they do not wait for the legacy stream', name);
    }
    this.#builder.stream(name, { device, kind: told?.kind ?? 'nonBlocking', priority: told?.priority ?? 0 });
    this.#known.set(key, name);
    return name;
  }

  /** Name of a stream by its key, if an operation ran in it. */
  named(index: number, key: string): string | undefined {
    return this.#known.get(`${index} ${key}`);
  }
}
