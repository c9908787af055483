import type { Kernel, Phase, Program } from '@griddep/program';

/** A place for a trigger: before a phase of the only role, or after a share of the phase before it, which is divided. */
export interface TriggerPlace {
  readonly phase: number;
  /** 0 to 1, of that phase. */
  readonly share: number;
}

/** Places that are worth a try: before every phase, within spins at quarters, and at the end. None for several roles. */
export function triggerPlaces(kernel: Kernel): TriggerPlace[] {
  const phases = soleRole(kernel);
  if (phases === undefined) return [];
  const plain = phases.filter(({ op }) => op !== 'trigger');
  const places = plain.flatMap((phase, i): TriggerPlace[] =>
    phase.op === 'wait'
      ? []
      : phase.op === 'spin' || phase.op === 'fma'
        ? [0, 0.25, 0.5, 0.75].map((share) => ({ phase: i, share }))
        : [{ phase: i, share: 0 }],
  );
  return [...places, { phase: plain.length, share: 0 }];
}

/** A program in which a kernel triggers at one place, and nowhere else. */
export function withTriggerAt(program: Program, name: string, { phase, share }: TriggerPlace): Program {
  const kernel = program.kernels.get(name);
  const own = kernel === undefined ? undefined : soleRole(kernel);
  if (kernel === undefined || own === undefined || kernel.body.kind !== 'phases') return program;
  const kept = own.flatMap((each, i) => (each.op === 'trigger' ? [] : [{ each, i }]));
  const phases: Phase[] = [];
  const moved = new Map<number, number>();
  kept.forEach(({ each, i }, at) => {
    const [before, after] = at === phase && share > 0 ? divided(each, share) : [undefined, each];
    if (before !== undefined) phases.push(before);
    if (at === phase) phases.push({ op: 'trigger' });
    moved.set(i, phases.length);
    phases.push(after);
  });
  if (phase >= kept.length) phases.push({ op: 'trigger' });
  const [role] = kernel.body.roles;
  const changed: Kernel = {
    ...kernel,
    griddepcontrol: true,
    accesses: kernel.accesses.map((access) => ({ ...access, phase: moved.get(access.phase) ?? access.phase })),
    body: { kind: 'phases', roles: [{ ...(role as NonNullable<typeof role>), phases }] },
  };
  return { ...program, kernels: new Map([...program.kernels, [name, changed]]) };
}

function divided(phase: Phase, share: number): [Phase | undefined, Phase] {
  if (phase.op === 'spin') {
    const before = Math.round(phase.duration * share);
    return [
      { ...phase, duration: before },
      { ...phase, duration: phase.duration - before },
    ];
  }
  if (phase.op === 'fma' && phase.iterations > 1) {
    const before = Math.max(1, Math.round(phase.iterations * share));
    return [
      { ...phase, iterations: before },
      { ...phase, iterations: phase.iterations - before },
    ];
  }
  return [undefined, phase];
}

function soleRole({ body }: Kernel): readonly Phase[] | undefined {
  return body.kind === 'phases' && body.roles.length === 1 ? body.roles[0]?.phases : undefined;
}
