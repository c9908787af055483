import type { CallOptions, HostThreadBuilder } from '@griddep/program';
import type { HwrunCase, HwrunOp } from './hwrun-format.ts';
import { dataName, deviceOf, eventsAround, FLAG, need, pointerName, usesData } from './hwrun-names.ts';

const COPY = {
  h2d: 'hostToDevice',
  d2h: 'deviceToHost',
  d2d: 'deviceToDevice',
  h2dpage: 'hostToDevice',
  d2hpage: 'deviceToHost',
  h2dsync: 'hostToDevice',
} as const;

/** Writes the operations of a case as calls of a host thread. */
export class OperationWriter {
  private readonly source: HwrunCase;
  private readonly host: HostThreadBuilder;
  private device = 0;

  constructor(source: HwrunCase, host: HostThreadBuilder) {
    this.source = source;
    this.host = host;
  }

  /** Makes a device the thread's current one. */
  use(device: number): void {
    if (device !== this.device) this.host.setDevice(device);
    this.device = device;
  }

  /** One operation, with the events around it where it is `timed`. @throws Error for one that is not known. */
  perform(op: HwrunOp, timed = true): void {
    const { host, source } = this;
    const { stream } = op;
    if (stream !== undefined) this.use(deviceOf(source, stream));
    const options: CallOptions = op.label === undefined ? {} : { label: op.label };
    switch (op.op) {
      case 'launch':
        host.launchKernel(need(op.kernel), need(stream), attributes(op.attrs ?? []), {
          ...options,
          ...(usesData(source, need(op.kernel)) ? { args: { data: dataName(source.ops.indexOf(op)) } } : {}),
        });
        break;
      case 'record':
        host.eventRecord(need(op.event), need(stream));
        break;
      case 'wait':
        host.streamWaitEvent(need(stream), need(op.event));
        break;
      case 'copy':
        this.copy(op, need(stream), options, timed);
        break;
      case 'memset':
        host.memsetAsync(op.bytes ?? 0, need(stream), options);
        break;
      case 'syncstream':
        host.streamSynchronize(need(stream));
        break;
      case 'syncevent':
        host.eventSynchronize(need(op.event));
        break;
      case 'syncdev':
        this.use(op.device ?? 0);
        host.deviceSynchronize();
        break;
      case 'hostspin':
        host.hostCompute(duration(op));
        break;
      case 'hostfunc':
        host.launchHostFunc(need(stream), duration(op), options);
        break;
      case 'query':
        host.streamQuery(need(stream));
        break;
      case 'malloc':
        host.malloc(pointerName(op));
        break;
      case 'free':
        host.free(pointerName(op));
        break;
      case 'mallocasync':
        host.mallocAsync(pointerName(op), need(stream));
        break;
      case 'freeasync':
        host.freeAsync(pointerName(op), need(stream));
        break;
      case 'release':
        host.hostSignal(FLAG);
        break;
      case 'elapsed':
        break;
      default:
        throw new Error(`case "${source.name}": unknown operation "${op.op}"`);
    }
  }

  private copy(op: HwrunOp, stream: string, options: CallOptions, timed: boolean): void {
    const { host, source } = this;
    const kind = op.kind ?? '';
    const bytes = op.bytes ?? 0;
    const around = timed ? eventsAround(source, op) : undefined;
    if (around !== undefined) host.eventRecord(around.before, stream, { label: around.before });
    if (kind === 'p2pread' || kind === 'p2pwrite') {
      const [here, there] = [deviceOf(source, stream), op.peer ?? 0];
      const [from, to] = kind === 'p2pread' ? [there, here] : [here, there];
      host.memcpyPeerAsync(to, from, bytes, stream, options);
    } else {
      const hostMemory = kind.endsWith('page') ? 'pageable' : 'pinned';
      const direction = Object.hasOwn(COPY, kind) ? COPY[kind as keyof typeof COPY] : undefined;
      if (direction === undefined) throw new Error(`case "${source.name}": unknown copy "${kind}"`);
      if (kind === 'h2dsync') host.memcpy(direction, bytes, { ...options, stream, hostMemory });
      else host.memcpyAsync(direction, bytes, stream, { ...options, hostMemory });
    }
    if (around !== undefined) host.eventRecord(around.after, stream, { label: around.after });
  }
}

/** @throws Error for an operation that does not say how long it takes. */
function duration({ op, ns }: HwrunOp): string {
  if (ns === undefined) throw new Error(`a ${op} lacks its ns`);
  return `${ns}ns`;
}

function attributes(names: readonly string[]) {
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const [key, event = ''] = name.split('=');
    if (key === 'pdl') result.programmaticStreamSerialization = true;
    else if (key === 'pev' || key === 'pevb') result.programmaticEvent = { event, triggerAtBlockStart: key === 'pevb' };
    else if (key === 'lce') result.launchCompletionEvent = { event };
    else if (key === 'coop') result.cooperative = true;
    else throw new Error(`unknown launch attribute "${name}"`);
  }
  return result;
}
