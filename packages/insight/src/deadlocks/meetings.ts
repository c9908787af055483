import type { Finding } from '../finding.ts';
import { type Places, placeText } from '../places.ts';
import type { Node } from '../program/nodes.ts';
import type { Meeting } from '../program/steps.ts';

/** A member of a collective. */
export interface Member {
  readonly node: Node;
  readonly meeting: Meeting;
}

/** By group and place in it, the members of each collective that are called. */
export function membersByMeeting(nodes: readonly Node[]): ReadonlyMap<string, readonly Member[]> {
  const found = new Map<string, Member[]>();
  for (const node of nodes) {
    for (const { steps } of node.code.roles) {
      for (const step of steps) {
        if (step.do !== 'meet') continue;
        const key = keyOf(step.meeting);
        const known = found.get(key);
        if (known === undefined) found.set(key, [{ node, meeting: step.meeting }]);
        else known.push({ node, meeting: step.meeting });
      }
    }
  }
  return found;
}

export function keyOf({ group, sequence }: Pick<Meeting, 'group' | 'sequence'>): string {
  return `${group} ${sequence}`;
}

/**
 * Members of one collective that are not of one kind wait for each other's data for ever; of different sizes, the
 * library promises nothing: they hang, fail, or leave wrong data.
 */
export function mismatches(meetings: ReadonlyMap<string, readonly Member[]>, places: Places): Finding[] {
  const found: Finding[] = [];
  for (const members of meetings.values()) {
    const [first] = members;
    if (first === undefined) continue;
    const { collective, bytes, group, sequence } = first.meeting;
    const other = members.find(({ meeting }) => meeting.collective !== collective || meeting.bytes !== bytes);
    if (other === undefined) continue;
    const isOtherKind = other.meeting.collective !== collective;
    const [from, to] = [places.of(first.node), places.of(other.node)];
    const what = (of: Meeting): string => `${of.collective} of ${of.bytes} bytes`;
    found.push({
      ...{ kind: 'collective-mismatch', verdict: isOtherKind ? 'deadlock' : 'possible deadlock', rules: [] },
      ...{ accesses: [], places: [from, to], hiddenByHardware: false, count: 1 },
      change: isOtherKind
        ? 'call the collectives of a group in the same order on every device'
        : 'give every member the same number of bytes',
      text: `collective ${sequence + 1} of group "${group}" is ${what(first.meeting)} on device ${first.node.device} ("${from.name}" at ${placeText(from)}) and ${what(other.meeting)} on device ${other.node.device} ("${to.name}" at ${placeText(to)})${
        isOtherKind ? '' : ': members that do not match may hang, fail, or leave wrong data'
      }`,
    });
  }
  return found;
}
