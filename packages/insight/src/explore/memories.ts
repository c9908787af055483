import { type Extent, endOf } from '../program/access.ts';
import { type Contents, found, isOfMemoryManagement, left } from './contents.ts';
import type { Performed } from './layout.ts';

/** The accesses to one memory in the order in which they take effect. */
export type Course = readonly Performed[];

/** The accesses of an order of happenings, by memory. */
export function coursesOf(order: readonly number[], at: ReadonlyMap<number, Performed>): Map<string, Performed[]> {
  const courses = new Map<string, Performed[]>();
  for (const happening of order) {
    const performed = at.get(happening);
    if (performed === undefined) continue;
    const { memory } = performed.access.extent;
    const course = courses.get(memory);
    if (course === undefined) courses.set(memory, [performed]);
    else course.push(performed);
  }
  return courses;
}

/** Who finds other contents than in the reference because two accesses changed places: an access, or whoever looks at the end. */
export interface Wrong {
  readonly observer: Performed | 'end';
  /** Nodes whose writes it found, and finds now. */
  readonly expected: ReadonlySet<number>;
  readonly instead: ReadonlySet<number>;
}

/**
 * What comes of two accesses that changed places, if anything does: another value that one of them or a later reader
 * finds, or that is there in the end.
 */
export function consequence(a: Performed, b: Performed, reference: Course, now: Course): Wrong | undefined {
  if (isOfMemoryManagement(a.access) || isOfMemoryManagement(b.access)) {
    const [observer, manager] = isOfMemoryManagement(a.access) ? [b, a] : [a, b];
    return { observer, expected: new Set(), instead: new Set([manager.node.id]) };
  }
  for (const [reader, writer] of [
    [a, b],
    [b, a],
  ] as const) {
    const wrong = difference(reader, [writer], reference, now);
    if (wrong !== undefined) return wrong;
  }
  if (a.access.mode === 'read' || b.access.mode === 'read') return undefined;
  for (const reader of now) {
    if (reader === a || reader === b) continue;
    const wrong = difference(reader, [a, b], reference, now);
    if (wrong !== undefined) return wrong;
  }
  const hull = hullOf(reference);
  return changed('end', left(hull, reference), left(hull, now), [a, b]);
}

function difference(
  reader: Performed,
  writers: readonly Performed[],
  reference: Course,
  now: Course,
): Wrong | undefined {
  if (reader.access.mode !== 'read' && reader.access.mode !== 'atomic') return undefined;
  const at = (course: Course): Contents => found(reader, course.slice(0, course.indexOf(reader)));
  return changed(reader, at(reference), at(now), writers);
}

function changed(
  observer: Wrong['observer'],
  { text, writers: expected }: Contents,
  { text: textNow, writers: instead }: Contents,
  by: readonly Performed[],
): Wrong | undefined {
  if (text === textNow) return undefined;
  const isMeant = by.some(({ node }) => expected.has(node.id) !== instead.has(node.id) || by.length > 1);
  return isMeant ? { observer, expected, instead } : undefined;
}

function hullOf(course: Course): Extent {
  const [first] = course as readonly [Performed, ...Performed[]];
  const begin = Math.min(...course.map(({ access }) => access.extent.begin));
  const end = Math.max(...course.map(({ access }) => endOf(access.extent)));
  return { memory: first.access.extent.memory, begin, bytes: end - begin, stride: 0, count: 1 };
}
