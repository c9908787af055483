import { deviceRules } from '@griddep/cuda';
import { type Call, type CallOf, type Kernel, type Program, volume } from '@griddep/program';
import { residentBlocks } from '../deadlocks/residency.ts';
import { type Places, placeText } from '../places.ts';
import type { Node } from '../program/nodes.ts';
import type { Recorded } from '../program/recorded.ts';
import type { Lint } from './note.ts';

/** Early launches that cannot be early, or whose kernels do their part by halves (rules 1.1 to 1.15). */
export function earlyLaunchLint(recorded: Recorded, places: Places): Lint[] {
  return [...ofPairs(recorded, places), ...ofCalls(recorded, places)];
}

/** Kernels that overlap: what their code lacks. */
function ofPairs({ nodes, machine }: Recorded, places: Places): Lint[] {
  const found: Lint[] = [];
  for (const node of nodes) {
    if (node.kernel === undefined || node.wait.length === 0) continue;
    const to = places.of(node);
    if (!node.code.waits && !node.code.isOpaque) {
      found.push({
        ...{ kind: 'attribute-without-wait', rules: ['1.12'], places: [to] },
        text: `"${to.name}" at ${placeText(to)} may start early, and kernel "${node.kernel.name}" has no wait`,
        change: `let kernel "${node.kernel.name}" wait, or launch it without programmaticStreamSerialization`,
      });
    }
    for (const need of node.wait) found.push(...ofPrimary(nodes[need.node] as Node, node, machine, places));
  }
  return found;
}

function ofPrimary(primary: Node, node: Node, machine: Recorded['machine'], places: Places): Lint[] {
  const { kernel, code, triggerAtStart } = primary;
  if (kernel === undefined || code.isOpaque || triggerAtStart) return [];
  const [from, to] = [places.of(primary), places.of(node)];
  if (code.triggers === 0) {
    return [
      {
        ...{ kind: 'no-trigger', rules: ['1.5'], places: [from, to] },
        text: `kernel "${kernel.name}" has no trigger, so that "${to.name}" at ${placeText(to)} starts only once its blocks have ended`,
        change: `let kernel "${kernel.name}" trigger as soon as what its dependent does before its wait may begin`,
      },
    ];
  }
  const most = residentBlocks(kernel, machine, primary.device);
  const blocks = volume(kernel.grid);
  if (most === undefined || blocks <= most) return [];
  const waves = Math.ceil(blocks / most);
  return [
    {
      ...{ kind: 'trigger-in-waves', rules: ['1.4'], places: [from, to] },
      text: `kernel "${kernel.name}" at ${placeText(from)} runs in ${waves} waves (${blocks} blocks, ${most} at once): its trigger cannot fire before the last has begun`,
      change: 'launch no more blocks than are resident at once, each doing more, where the overlap matters',
    },
  ];
}

/** Launches with the attribute that no device, or nothing before them, lets be early. */
function ofCalls({ program, machine }: Recorded, places: Places): Lint[] {
  const found: Lint[] = [];
  for (const [thread, { name, calls }] of program.threads.entries()) {
    const others = program.threads.filter((other) => other.name !== name);
    const shared = new Set(others.flatMap((other) => streamsOf(other.calls)));
    const before = new Map<string, { readonly kernel?: Kernel; readonly call: Call; readonly breaks?: number }>();
    for (let i = 0; i < calls.length; i++) {
      const call = calls.at(i);
      if (!('stream' in call) || call.kind === 'streamQuery' || call.kind === 'streamSynchronize') continue;
      const last = before.get(call.stream);
      if (call.kind === 'launchKernel') {
        if (call.attributes.programmaticStreamSerialization === true && !shared.has(call.stream)) {
          found.push(...ofLaunch(program, machine, call, last, places, thread, i));
        }
        before.set(call.stream, { call });
      } else if (call.kind !== 'eventRecord') before.set(call.stream, { call, breaks: i });
      else if (program.events.get(call.event)?.timing === true && last?.breaks === undefined) {
        before.set(call.stream, { call, breaks: i });
      }
    }
  }
  return found;
}

function ofLaunch(
  program: Program,
  machine: Recorded['machine'],
  call: CallOf<'launchKernel'>,
  last: { readonly call: Call; readonly breaks?: number } | undefined,
  places: Places,
  thread: number,
  index: number,
): Lint[] {
  const place = places.call({ thread, call: index });
  const at = `"${place.name}" at ${placeText(place)}`;
  const device = program.streams.get(call.stream)?.device ?? 0;
  const profile = machine.devices[device];
  if (profile !== undefined && !deviceRules(profile, machine.host.cudaVersion).programmaticLaunch) {
    return [
      {
        ...{ kind: 'attribute-below-capability', rules: ['1.1', '7.10'], places: [place] },
        text: `${at} asks for an early launch, which ${profile.name} under CUDA ${machine.host.cudaVersion / 1000} does not have`,
        change: 'leave programmaticStreamSerialization out below compute capability 9.0',
      },
    ];
  }
  if (last === undefined) {
    return [
      {
        ...{ kind: 'nothing-to-overlap', rules: ['1.15'], places: [place] },
        text: `${at} asks for an early launch, and is the first work of stream "${call.stream}"`,
        change: 'leave programmaticStreamSerialization out',
      },
    ];
  }
  if (last.breaks === undefined) return [];
  const breaker = places.call({ thread, call: last.breaks });
  const what = last.call.kind === 'eventRecord' ? 'an event with timing' : `${last.call.kind}`;
  return [
    {
      ...{ kind: 'broken-early-launch', rules: ['1.15'], places: [breaker, place] },
      text: `${at} asks for an early launch, and ${what} at ${placeText(breaker)} stands between it and the kernel before`,
      change:
        last.call.kind === 'eventRecord'
          ? 'create the event without timing'
          : 'move it before the kernel, or to another stream',
    },
  ];
}

function streamsOf(calls: Program['threads'][number]['calls']): string[] {
  return Array.from({ length: calls.distinct }, (_, shape) => calls.distinctCall(shape)).flatMap((call) =>
    'stream' in call ? [call.stream] : [],
  );
}
