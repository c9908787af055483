import type { Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';

/** An operation with every field that `fields` leaves out at its neutral value: instants NaN, numbers 0, texts empty. */
export function makeOperation(fields: Partial<Operation> & Pick<Operation, 'id'>): Operation {
  return {
    kind: 'kernel',
    name: fields.id.replace(/#\d+$/, ''),
    device: 0,
    stream: 's0',
    thread: 'main',
    path: '',
    origin: '',
    callBegin: Number.NaN,
    callEnd: Number.NaN,
    enqueue: Number.NaN,
    processing: Number.NaN,
    start: Number.NaN,
    lastStart: Number.NaN,
    firstTrigger: Number.NaN,
    lastTrigger: Number.NaN,
    firstRelease: Number.NaN,
    lastRelease: Number.NaN,
    firstEnd: Number.NaN,
    end: Number.NaN,
    completion: Number.NaN,
    blocks: 0,
    sms: 0,
    maxBlocksPerSm: 0,
    unit: '',
    bytes: 0,
    cause: { kind: 'host' },
    waits: [],
    slowdown: [],
    programmatic: false,
    ...fields,
  };
}

/** A timeline of these operations with everything else that `fields` leaves out empty. */
export function makeTimeline(operations: readonly Operation[], fields: Partial<Timeline> = {}): Timeline {
  return {
    program: '',
    machine: '',
    devices: [{ name: 'GPU 0', sms: 132 }],
    operations,
    hostTotal: 0,
    basis: [],
    stuck: [],
    errors: [],
    ...fields,
  };
}
