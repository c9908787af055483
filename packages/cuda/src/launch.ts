import type { CallOf, Kernel, LaunchAttributes } from '@griddep/program';
import { afterNode, type Capture } from './capture.ts';
import type { Collectives } from './collectives.ts';
import type { KernelWork, Milestone } from './commands.ts';
import { type CudaError, cudaError } from './errors.ts';
import type { Issued, RuntimeStream } from './issued.ts';
import { checkLaunch, type DeviceRules } from './launch-rules.ts';
import { type Invocation, nodeId, type ProcessState } from './process-state.ts';

/** Kernel launches of a process. */
export class Launches {
  private readonly state: ProcessState;
  private readonly collectives: Collectives;
  private readonly kernelIndex = new Map<string, number>();
  /** By device, kernels that were found to fit. */
  private readonly fitting: readonly Set<Kernel>[];

  constructor(state: ProcessState, collectives: Collectives) {
    this.state = state;
    this.collectives = collectives;
    for (const name of state.program.kernels.keys()) this.declare(name);
    this.fitting = state.devices.map(() => new Set());
  }

  /** A kernel of the program that can be launched from now on. */
  declare(name: string): void {
    this.kernelIndex.set(name, this.kernelIndex.size);
  }

  /** cudaLaunchKernelEx: into the stream, or as a node of the capture that it is in. */
  launch(invocation: Invocation<CallOf<'launchKernel'>>): Issued {
    const { state } = this;
    const { op, thread, call } = invocation;
    const stream = state.stream(thread, call.stream);
    const kernel = state.program.kernels.get(call.kernel);
    if (kernel === undefined) throw new Error(`unknown kernel "${call.kernel}"`);
    const current = state.thread(thread).device;
    if (stream.device !== current) {
      const message = `stream "${stream.name}" belongs to device ${stream.device}, the current device is ${current} (rule 5.9)`;
      return state.fail(invocation, cudaError('cudaErrorInvalidResourceHandle', message));
    }
    const refused = this.refusal(kernel, call.attributes, stream);
    const events = attributeEvents(call);
    const capture = state.captureOf(stream);
    const error = refused ?? this.unfitEvent(events) ?? graphsOnly(call, capture);
    if (error !== undefined) return state.fail(invocation, error);
    const work = this.work(call, stream);
    if (capture !== undefined) {
      const id = nodeId(invocation, capture, kernel.name);
      const { edgeData } = this.rules(stream);
      const node = capture.append(stream.index, id, stream.device, work, work.programmatic && edgeData, op);
      for (const { name, milestone, programmatic } of events) {
        const edge = edgeData ? { from: node, milestone, programmatic } : afterNode(node);
        state.event(name).captured = { capture, edges: [edge] };
      }
      return state.captured(invocation);
    }
    const { programmatic, rendezvous } = work;
    const meeting =
      rendezvous === undefined ? undefined : { rendezvous: this.collectives.numbered(rendezvous, stream.device) };
    const issued = state.enqueue(invocation, stream, (base) => Object.assign(base, work, meeting), { programmatic });
    for (const { name, streamMilestone } of events) {
      const record = { op, stream: stream.index, inGraph: false };
      Object.assign(state.event(name), record, { milestone: streamMilestone, captured: undefined });
    }
    return issued;
  }

  /** What a launch into a stream does, without who and when. */
  work(call: CallOf<'launchKernel'>, stream: RuntimeStream): KernelWork {
    const { attributes } = call;
    const rules = this.rules(stream);
    const body = this.state.program.kernels.get(call.kernel)?.body;
    return {
      type: 'kernel',
      kernel: this.kernelIndex.get(call.kernel) as number,
      programmatic: attributes.programmaticStreamSerialization === true && rules.programmaticLaunch,
      cooperative: attributes.cooperative === true,
      priority: attributes.priority === undefined ? stream.priority : rules.clampPriority(attributes.priority),
      triggerAtStart: attributes.programmaticEvent?.triggerAtBlockStart === true,
      ...(attributes.clusterDimension === undefined ? {} : { cluster: attributes.clusterDimension }),
      ...(call.args === undefined ? {} : { args: call.args }),
      ...(attributes.deviceUpdatable === true ? { deviceUpdatable: true as const } : {}),
      ...(body?.kind === 'collective' ? { rendezvous: this.collectives.meeting(body) } : {}),
    };
  }

  /** The error of a launch that does not fit; kernels are looked at once for a device, unless attributes matter. */
  private refusal(kernel: Kernel, attributes: LaunchAttributes, stream: RuntimeStream): CudaError | undefined {
    const decides = attributes.cooperative === true || attributes.clusterDimension !== undefined;
    const fitting = this.fitting[stream.device];
    if (!decides && fitting?.has(kernel)) return undefined;
    const refused = checkLaunch(kernel, attributes, this.rules(stream));
    if (!decides && refused === undefined) fitting?.add(kernel);
    return refused;
  }

  /** Events of attributes have no timing and belong to one process (rules 3.3, 3.4). */
  private unfitEvent(events: readonly AttributeEvent[]): CudaError | undefined {
    for (const { name, attribute, rule, external } of events) {
      if (external) {
        const message = `attribute ${attribute} does not take the flag of an external record (rule ${rule})`;
        return cudaError('cudaErrorInvalidValue', message);
      }
      const { timing, interprocess } = this.state.event(name).event;
      if (!timing && !(interprocess && attribute === 'programmaticEvent')) continue;
      const why = timing ? 'has timing enabled' : 'is an interprocess one';
      return cudaError('cudaErrorInvalidValue', `event "${name}" of attribute ${attribute} ${why} (rule ${rule})`);
    }
    return undefined;
  }

  private rules(stream: RuntimeStream): DeviceRules {
    return this.state.devices[stream.device] as DeviceRules;
  }
}

/** A node that a device may change is made by capturing; in a stream that captures nothing the launch fails (rule 3.5). */
function graphsOnly(
  { kernel, attributes }: CallOf<'launchKernel'>,
  capture: Capture | undefined,
): CudaError | undefined {
  if (attributes.deviceUpdatable !== true || capture !== undefined) return undefined;
  const message = `kernel "${kernel}": attribute deviceUpdatable is for streams that are capturing (rule 3.5)`;
  return cudaError('cudaErrorInvalidValue', message);
}

interface AttributeEvent {
  readonly name: string;
  readonly attribute: 'programmaticEvent' | 'launchCompletionEvent';
  /** What it must fulfil. */
  readonly rule: string;
  readonly external: boolean;
  /** What an edge of a graph made from the event awaits, and whether a wait instruction covers it. */
  readonly milestone: Milestone;
  readonly programmatic: boolean;
  /** What a wait of a stream awaits. */
  readonly streamMilestone: Milestone;
}

/**
 * Events that a launch records. In a stream a programmatic event fires at completion, as an H200 was seen to do
 * (rule 3.1, section 11); captured, its edges follow rule 4.4.
 */
function attributeEvents(call: CallOf<'launchKernel'>): AttributeEvent[] {
  const { programmaticEvent, launchCompletionEvent } = call.attributes;
  const events: AttributeEvent[] = [];
  if (programmaticEvent !== undefined) {
    const { event: name, triggerAtBlockStart, external = false } = programmaticEvent;
    const milestone = triggerAtBlockStart ? 'started' : 'triggered';
    const attribute = { attribute: 'programmaticEvent', rule: '3.3', external } as const;
    events.push({ name, ...attribute, milestone, programmatic: true, streamMilestone: 'complete' });
  }
  if (launchCompletionEvent !== undefined) {
    const name = launchCompletionEvent.event;
    const attribute = { attribute: 'launchCompletionEvent', rule: '3.4', external: false } as const;
    events.push({ name, ...attribute, milestone: 'started', programmatic: false, streamMilestone: 'started' });
  }
  return events;
}
