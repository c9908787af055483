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

/** A program in which a kernel triggers at one place of each role, and nowhere else; without a place, nowhere. */
export function withTriggerAt(program: Program, name: string, place: TriggerPlace | undefined): Program {
  const kernel = program.kernels.get(name);
  if (kernel?.body.kind !== 'phases') return program;
  const roles = kernel.body.roles.map((role) => ({ role, ...withTrigger(role.phases, place) }));
  const accesses = kernel.accesses.map((access) => {
    const own = roles.length === 1 ? roles[0] : roles.find(({ role }) => role.name === access.role);
    return { ...access, phase: own?.moved[access.phase] ?? access.phase };
  });
  const changed: Kernel = {
    ...kernel,
    griddepcontrol: kernel.griddepcontrol || place !== undefined,
    accesses,
    body: { ...kernel.body, roles: roles.map(({ role, phases }) => ({ ...role, phases })) },
  };
  return { ...program, kernels: new Map([...program.kernels, [name, changed]]) };
}

/** The phases with a trigger at the place alone, and where each of them stands then; a trigger is at what it was before. */
function withTrigger(own: readonly Phase[], place: TriggerPlace | undefined): { phases: Phase[]; moved: number[] } {
  const phases: Phase[] = [];
  const moved: number[] = [];
  let at = 0;
  for (const each of own) {
    const isHere = at === place?.phase;
    const isKept = each.op !== 'trigger';
    const [before, after] = isHere && isKept && place.share > 0 ? divided(each, place.share) : [undefined, each];
    if (before !== undefined) phases.push(before);
    if (isHere && isKept) phases.push({ op: 'trigger' });
    moved.push(phases.length);
    if (!isKept) continue;
    phases.push(after);
    at += 1;
  }
  if (place !== undefined && place.phase >= at) phases.push({ op: 'trigger' });
  return { phases, moved: moved.map((to) => Math.min(to, phases.length - 1)) };
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
