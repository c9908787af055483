import type { Finding, FoundAccess, MissingEdge, Place, Verdict } from '../finding.ts';
import { type Places, placeText } from '../places.ts';
import type { Node } from '../program/nodes.ts';
import type { Recorded } from '../program/recorded.ts';
import { type Cause, causeOf, type Explained } from './cause.ts';
import { accessText, foundAccess } from './describe-access.ts';
import type { Race } from './race-finder.ts';

/** Rules by cause. */
const RULES: Readonly<Record<Cause, readonly string[]>> = {
  'free-in-use': ['6.7'],
  'use-before-allocation': ['6.7'],
  'host-threads': ['2.1'],
  'host-access': ['6.4'],
  'no-wait': ['1.12', '2.2'],
  'role-without-wait': ['1.10', '2.2'],
  'read-before-wait': ['2.2'],
  'write-before-wait': ['2.6'],
  'non-coherent-load': ['1.20'],
  'after-trigger': ['1.6'],
  transitive: ['1.9', '2.4'],
  'programmatic-event': ['3.1', '3.4'],
  'unordered-threads': ['5.4', '7.14'],
  'graph-edge': ['4.1'],
  'allocator-reuse': ['5.4'],
  'use-before-copy': ['6.4'],
  'cross-device': ['5.6'],
  'cross-stream': ['5.4'],
};

/** A race as it is told. */
export function raceFinding(race: Race, { nodes, streamNames }: Recorded, places: Places): Finding {
  const explained = causeOf(race, nodes);
  const { first, second, isHidden, isFenced, count } = race;
  const [from, to] = [first, second].map(({ node }) => places.of(node)) as [Place, Place];
  const accesses = [foundAccess(first.access, from), foundAccess(second.access, to)] as const;
  const verdict = verdictOf(race, explained);
  const names = {
    a: from.name,
    b: to.name,
    from: streamOf(first.node, streamNames),
    to: streamOf(second.node, streamNames),
  };
  const change = changeOf(race, explained, names, accesses[1]);
  const missingEdge = edgeOf(from, to, second.node, explained);
  const why = whyOf(explained, names, race, places);
  const hidden = isHidden ? ' An H200 completes in order, which hides it.' : '';
  const fenced = isFenced
    ? ' It stands on the fence before the trigger, which newer PTX texts let publish and the programming guide does not.'
    : '';
  return {
    kind: explained.cause,
    verdict,
    rules: isFenced ? [...RULES[explained.cause], '1.7'] : RULES[explained.cause],
    accesses,
    places: [from, to],
    missingEdge,
    change,
    hiddenByHardware: isHidden,
    count,
    text: `${accessText(accesses[1])} at ${placeText(to)}, and ${accessText(accesses[0])} at ${placeText(from)}: ${why}${fenced}${hidden}`,
  };
}

function verdictOf({ second, isFenced }: Race, { cause }: Explained): Verdict {
  if (isFenced) return 'relies on fence and trigger';
  if (second.node.code.isOpaque && cause === 'no-wait') return 'unknown';
  return 'race';
}

interface Names {
  readonly a: string;
  readonly b: string;
  readonly from: string;
  readonly to: string;
}

function edgeOf(from: Place, to: Place, second: Node, { cause, between }: Explained): MissingEdge {
  const isInside = second.wait.length > 0 && cause !== 'transitive' && cause !== 'graph-edge';
  const what = isInside ? `the access of "${to.name}"` : `the begin of "${to.name}"`;
  const over = between === undefined ? '' : `, through the end of "${between.kernel?.name}"`;
  return { from, to, text: `the end of "${from.name}" before ${to.name === '' ? 'the access' : what}${over}` };
}

function whyOf({ cause, between, primary }: Explained, { a, b, from, to }: Names, race: Race, places: Places): string {
  const overlapped = primary === undefined ? `"${a}"` : `"${places.of(primary).name}" or, before it, "${a}"`;
  switch (cause) {
    case 'free-in-use':
      return `nothing says that the memory is no longer in use when it is freed.`;
    case 'use-before-allocation':
      return `nothing says that the memory is there when it is used.`;
    case 'host-threads':
      return 'the two host threads do not synchronise between.';
    case 'host-access':
      return race.first.node.kind === 'host'
        ? `the host thread does not tell the other, which enqueues "${b}".`
        : `the host does not wait for "${a}".`;
    case 'no-wait':
      return `"${b}" may start before ${overlapped} ends, and has no wait.`;
    case 'role-without-wait':
      return `"${b}" may start before ${overlapped} ends; a wait holds only the threads that execute it, and this role has none.`;
    case 'read-before-wait':
    case 'write-before-wait':
      return `"${b}" may start before ${overlapped} ends, and the access stands before its wait.`;
    case 'non-coherent-load':
      return `"${b}" may start before ${overlapped} ends, and the compiler may move loads by the read-only path above the wait.`;
    case 'after-trigger':
      return `read strictly, the wait of "${b}" publishes only what "${a}" did before its trigger.`;
    case 'transitive':
      return `the wait of "${b}" covers "${between?.kernel?.name}" alone, which never waits, so that its end does not say that "${a}" has ended.`;
    case 'programmatic-event':
      return `the event that "${a}" records by its launch attribute fires before "${a}" has ended.`;
    case 'unordered-threads':
      return `two host threads use ${to} and nothing orders their calls.`;
    case 'graph-edge':
      return 'no path of the graph leads from one to the other.';
    case 'allocator-reuse':
      return `both buffers lie in one allocation, and nothing orders ${to} after ${from}.`;
    case 'use-before-copy':
      return `nothing orders ${to} after the copy in ${from} that fills the buffer.`;
    default:
      return `nothing orders ${to} after ${from} there.`;
  }
}

function changeOf(race: Race, { cause, between }: Explained, names: Names, access: FoundAccess): string {
  const { a, b, from, to } = names;
  const kernel = race.second.node.kernel?.name ?? b;
  const before = access.phase === undefined ? 'at its start' : `before phase ${access.phase}`;
  switch (cause) {
    case 'no-wait':
    case 'role-without-wait':
      return `let kernel "${kernel}" wait (griddepcontrol.wait) ${before} of role "${access.role}", or launch "${b}" without programmaticStreamSerialization`;
    case 'read-before-wait':
    case 'write-before-wait':
      return `move the wait of kernel "${kernel}", role "${access.role}", ${before}`;
    case 'non-coherent-load':
      return `load "${access.buffer}" by the coherent path (no const __restrict__) in kernel "${kernel}"`;
    case 'after-trigger':
      return `move the trigger of kernel "${race.first.node.kernel?.name}" behind the access`;
    case 'transitive':
      return `let kernel "${between?.kernel?.name}" wait before it ends, or launch "${b}" without programmaticStreamSerialization`;
    case 'host-access':
      if (race.first.node.kind === 'host') return 'signal the other host thread after the access';
      return `synchronise with ${from} (or with an event recorded there after "${a}") before "${b}"`;
    case 'host-threads':
    case 'unordered-threads':
      return `let the host thread of "${a}" signal, and that of "${b}" await it`;
    case 'graph-edge':
      return `add an edge from "${a}" to "${b}"`;
    case 'programmatic-event':
      return `record an event after "${a}" instead`;
    default:
      if (race.second.node.kind === 'host') return `synchronise with ${from} before "${b}"`;
      if (race.first.node.kind === 'host') return `make call "${a}" before "${b}"`;
      return `record an event in ${from} after "${a}", and let ${to} wait for it before "${b}"`;
  }
}

function streamOf({ timeline, kind }: Node, names: readonly string[]): string {
  return kind === 'host' ? 'the host' : `stream "${names[timeline] ?? ''}"`;
}
