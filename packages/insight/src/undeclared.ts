import type { Finding } from './finding.ts';
import { type Places, placeText } from './places.ts';
import type { Node } from './program/nodes.ts';
import type { Recorded } from './program/recorded.ts';

/** Kernels that may overlap the one before and of which it is not declared what they touch: nothing can be said of them. */
export function undeclared({ nodes }: Recorded, places: Places): Finding[] {
  const found = new Map<string, { readonly node: Node; count: number }>();
  for (const node of nodes) {
    if (node.wait.length === 0 || node.kernel === undefined) continue;
    for (const each of [node, ...node.wait.map((need) => nodes[need.node] as Node)]) {
      if (each.kernel === undefined || !touchesUndeclared(each)) continue;
      const known = found.get(each.kernel.name);
      if (known === undefined) found.set(each.kernel.name, { node: each, count: 1 });
      else known.count += 1;
    }
  }
  return [...found].map(([name, { node, count }]) => {
    const place = places.of(node);
    return {
      ...{ kind: 'undeclared-accesses', verdict: 'unknown', rules: ['2.2'], accesses: [], places: [place] },
      ...{ hiddenByHardware: false, count, change: `give the loads and stores of kernel "${name}" their ranges` },
      text: `kernel "${name}" at ${placeText(place)} takes part in an early launch, and does not say which memory it touches`,
    };
  });
}

/** Whether a kernel moves bytes and does not say which, or says nothing of what it does. */
function touchesUndeclared({ kernel, code }: Node): boolean {
  const isSilent = !code.roles.some((role) => role.steps.some((step) => step.do === 'access'));
  if (kernel?.body.kind !== 'phases') return isSilent;
  const isTransfer = (op: string): boolean => op === 'load' || op === 'store';
  const open = kernel.body.roles.some(({ phases }) =>
    phases.some((phase) => isTransfer(phase.op) && !('range' in phase && phase.range !== undefined)),
  );
  return open && kernel.accesses.length === 0;
}
