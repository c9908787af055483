import type { Node } from '../program/nodes.ts';
import type { Step } from '../program/steps.ts';
import { type Publication, publicationOf } from './publication.ts';

/** An access that takes effect at some moment of a schedule. */
export interface Performed {
  /** The happening by which it takes effect. */
  readonly at: number;
  readonly node: Node;
  readonly access: Extract<Step, { do: 'access' }>['access'];
}

/** The numbers of what happens to one node. */
export interface NodeHappenings {
  readonly begin: number;
  /** By role and step: the step is over, of an access it has been issued. */
  readonly steps: readonly (readonly number[])[];
  /** All roles have come to their end. */
  readonly over: number;
  readonly trigger: number;
  /** Complete and flushed. */
  readonly end: number;
  /** By role and step, the moments at which accesses take effect. */
  readonly performed: ReadonlyMap<string, number>;
  /** By role and step, when a signal is seen by its own device, and by others. */
  readonly seen: ReadonlyMap<string, { readonly near: number; readonly far: number; readonly what: Publication }>;
}

/**
 * Numbers all that can happen, in order of the calls: whoever always takes the lowest that may happen executes the
 * program as if each call were over before the next, as far as it can be.
 */
export function layOut(nodes: readonly Node[]): {
  readonly happenings: readonly NodeHappenings[];
  readonly accesses: readonly Performed[];
  readonly count: number;
} {
  let count = 0;
  const accesses: Performed[] = [];
  const happenings = nodes.map((node): NodeHappenings => {
    const begin = count++;
    const performed = new Map<string, number>();
    const seen = new Map<string, { near: number; far: number; what: Publication }>();
    const steps = node.code.roles.map((role, r) =>
      role.steps.map((step, s) => {
        const id = count++;
        if (step.do === 'access') {
          performed.set(`${r} ${s}`, count);
          accesses.push({ at: count++, node, access: step.access });
        }
        if (step.do === 'signal') {
          const what = publicationOf(node.code, { role: r, step: s });
          seen.set(`${r} ${s}`, { near: count++, far: count++, what });
        }
        return id;
      }),
    );
    return { begin, steps, performed, seen, over: count++, trigger: count++, end: count++ };
  });
  return { happenings, accesses, count };
}
