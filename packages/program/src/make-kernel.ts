import { oneOf, trueOrFalse } from './choice.ts';
import { inside, ProgramError } from './errors.ts';
import type { KernelInput, PhaseInput, RoleInput } from './inputs.ts';
import type { Access, Body, Kernel, KernelParameter, Phase, Role } from './kernel.ts';
import { unknownName } from './names.ts';
import { dim3, MOST_BLOCK, MOST_CLUSTER, MOST_GRID, MOST_THREADS_PER_BLOCK, whole } from './numbers.ts';
import { keysOf, onlyKeys } from './option-keys.ts';
import { parseBytes, parseDuration } from './quantity.ts';
import type { Scope } from './scope.ts';
import { type Dim3, volume } from './units.ts';
import { ACCESS_MODES, ACCESS_PROXIES, ACCESS_SCOPES, FENCE_SCOPES, OBSERVERS } from './words.ts';

type Parameters = ReadonlyMap<string, string | undefined>;
export const KERNEL_KEYS = keysOf<KernelInput>({
  ...{ grid: true, block: true, cluster: true, registersPerThread: true, launchBounds: true },
  ...{ staticSharedMemory: true, dynamicSharedMemory: true, parameters: true, accesses: true },
  ...{ target: true, griddepcontrol: true, instrumented: true },
  ...{ phases: true, roles: true, duration: true, observer: true, ptx: true, collective: true },
});
const TRANSFER_KEYS = keysOf<PhaseInput & { readonly op: 'load' }>({
  ...{ op: true, bytes: true, range: true, threadRate: true, evictFirst: true },
});
const PHASE_KEYS: { readonly [K in PhaseInput['op']]: readonly string[] } = {
  spin: ['duration'],
  ramp: ['duration', 'modulus'],
  fma: ['iterations'],
  load: TRANSFER_KEYS,
  store: TRANSFER_KEYS,
  fence: ['scope'],
  trigger: ['when'],
  wait: [],
  blockBarrier: [],
  gridBarrier: [],
  signal: ['flag', 'value'],
  await: ['flag', 'value'],
};
const BODIES = ['phases', 'roles', 'duration', 'ptx', 'collective'] as const;
/** Name of the one role of a body given as plain phases. */
export const SOLE_ROLE = 'all';

/** Fills in defaults and checks everything that holds on any device. Throws ProgramError. */
export function makeKernel(name: string, input: KernelInput, scope: Scope): Kernel {
  onlyKeys(input, KERNEL_KEYS, `kernel "${name}"`);
  onlyKeys(input.launchBounds, ['maxThreadsPerBlock', 'minBlocksPerSm'], 'launchBounds');
  onlyKeys(input.ptx, ['file', 'entry', 'duration'], 'ptx');
  onlyKeys(input.collective, ['operation', 'group', 'bytes'], 'collective');
  const block = dim3(input.block, 'block', MOST_BLOCK);
  if (volume(block) > MOST_THREADS_PER_BLOCK) {
    throw new ProgramError(`a block has at most ${MOST_THREADS_PER_BLOCK} threads, got ${volume(block)}`, {
      offending: String(input.block),
      path: ['block'],
    });
  }
  const parameters = makeParameters(input, scope);
  const formal: Parameters = new Map(parameters.map((p) => [p.name, p.buffer]));
  const body = makeBody(input, scope, formal, block);
  const bounds = input.launchBounds;
  return {
    name,
    grid: dim3(input.grid, 'grid', MOST_GRID),
    block,
    ...(input.cluster === undefined ? {} : { cluster: dim3(input.cluster, 'cluster', MOST_CLUSTER) }),
    registersPerThread: whole(input.registersPerThread ?? 32, 'registersPerThread', 1),
    staticSharedMemory: inside(['staticSharedMemory'], () => parseBytes(input.staticSharedMemory ?? 0, 0)),
    dynamicSharedMemory: inside(['dynamicSharedMemory'], () => parseBytes(input.dynamicSharedMemory ?? 0, 0)),
    ...(bounds === undefined
      ? {}
      : {
          launchBounds: {
            maxThreadsPerBlock: whole(bounds.maxThreadsPerBlock, 'maxThreadsPerBlock', 1),
            ...(bounds.minBlocksPerSm === undefined
              ? {}
              : { minBlocksPerSm: whole(bounds.minBlocksPerSm, 'minBlocksPerSm', 1) }),
          },
        }),
    parameters,
    ...(input.target === undefined ? {} : { target: input.target }),
    griddepcontrol: trueOrFalse(
      input.griddepcontrol,
      usesGriddepcontrol(body) && !isOlderThanPdl(input.target),
      'griddepcontrol',
    ),
    instrumented: trueOrFalse(input.instrumented, false, 'instrumented'),
    body,
    accesses: makeAccesses(input, scope, formal, body),
  };
}

/** Whether a body as written contains one of the two PDL instructions; PTX says so itself and counts as yes. */
function usesGriddepcontrol(body: Body): boolean {
  if (body.kind === 'ptx') return true;
  return body.kind === 'phases' && body.roles.some((r) => r.phases.some((p) => p.op === 'trigger' || p.op === 'wait'));
}

/** Whether an image is for compute capability below 9.0, which has neither instruction, on whatever device it runs (rule 1.18). */
function isOlderThanPdl(target: string | undefined): boolean {
  const version = /^(?:sm|compute)_(\d+)/.exec(target ?? '')?.[1];
  return version !== undefined && Number(version) < 90;
}

function makeParameters(input: KernelInput, scope: Scope): KernelParameter[] {
  const seen = new Set<string>();
  return (input.parameters ?? []).map((given, i) =>
    inside(['parameters', i], () => {
      const parameter = typeof given === 'string' ? { name: given } : given;
      if (seen.has(parameter.name)) {
        throw new ProgramError(`parameter "${parameter.name}" is declared twice`, { offending: parameter.name });
      }
      seen.add(parameter.name);
      const buffer = 'buffer' in parameter ? parameter.buffer : undefined;
      return { name: parameter.name, ...(buffer === undefined ? {} : { buffer: scope.buffer(buffer) }) };
    }),
  );
}

function makeBody(input: KernelInput, scope: Scope, formal: Parameters, block: Dim3): Body {
  const given = BODIES.filter((b) => input[b] !== undefined);
  if (given.length !== 1) {
    const problem = given.length === 0 ? 'has no body' : `has several bodies (${given.join(', ')})`;
    throw new ProgramError(`the kernel ${problem}; give exactly one of ${BODIES.join(', ')}`, {
      path: given[1] === undefined ? [] : [given[1]],
    });
  }
  if (input.observer !== undefined && input.duration === undefined) {
    throw new ProgramError('observer goes with duration', { path: ['observer'] });
  }
  if (input.duration !== undefined) {
    const duration = inside(['duration'], () => parseDuration(input.duration ?? 0));
    return {
      kind: 'duration',
      duration,
      observer: oneOf(input.observer, OBSERVERS, 'blocks', 'observer'),
    };
  }
  if (input.ptx !== undefined) {
    const { file, entry, duration } = input.ptx;
    return {
      kind: 'ptx',
      file,
      entry,
      ...(duration === undefined ? {} : { duration: inside(['ptx', 'duration'], () => parseDuration(duration)) }),
    };
  }
  if (input.collective !== undefined) {
    const { operation, group, bytes } = input.collective;
    return {
      kind: 'collective',
      collective: operation,
      group,
      bytes: inside(['collective', 'bytes'], () => parseBytes(bytes)),
    };
  }
  if (input.phases !== undefined) {
    const phases = makePhases(input.phases, scope, formal, ['phases']);
    return { kind: 'phases', roles: [{ name: SOLE_ROLE, phases }] };
  }
  return { kind: 'phases', roles: makeRoles(input.roles ?? [], scope, formal, Math.ceil(volume(block) / 32)) };
}

function makeRoles(given: readonly RoleInput[], scope: Scope, formal: Parameters, warpsOfBlock: number): Role[] {
  if (given.length === 0) throw new ProgramError('roles must name at least one role', { path: ['roles'] });
  const seen = new Set<string>();
  let taken = 0;
  let open = 0;
  const roles = given.map((role, i) => {
    onlyKeys(role, ['name', 'warps', 'phases'], `role ${i}`);
    if (seen.has(role.name)) {
      throw new ProgramError(`role "${role.name}" is declared twice`, { offending: role.name, path: ['roles', i] });
    }
    seen.add(role.name);
    if (role.warps === undefined) open += 1;
    else taken += inside(['roles', i], () => whole(role.warps ?? 0, 'warps', 1));
    return {
      name: role.name,
      ...(role.warps === undefined ? {} : { warps: role.warps }),
      phases: makePhases(role.phases, scope, formal, ['roles', i, 'phases']),
    };
  });
  if (open > 1) throw new ProgramError('only one role may leave out warps (it takes the rest)', { path: ['roles'] });
  if (taken + open > warpsOfBlock) {
    throw new ProgramError(`the roles want ${taken + open} warps or more, the block has ${warpsOfBlock}`, {
      path: ['roles'],
    });
  }
  return roles;
}

function makePhases(given: readonly PhaseInput[], scope: Scope, formal: Parameters, at: (string | number)[]): Phase[] {
  return given.map((phase, i) => inside([...at, i], () => makePhase(phase, scope, formal)));
}

function makePhase(phase: PhaseInput, scope: Scope, formal: Parameters): Phase {
  const { op } = phase;
  if (!Object.hasOwn(PHASE_KEYS, op)) throw unknownName('phase', String(op), Object.keys(PHASE_KEYS), 'op');
  onlyKeys(phase, ['op', ...PHASE_KEYS[op]], `phase ${op}`);
  if (op === 'trigger') onlyKeys(phase.when, ['modulus', 'residue'], 'when');
  switch (phase.op) {
    case 'spin':
      return { op: 'spin', duration: parseDuration(phase.duration) };
    case 'ramp':
      return { op: 'ramp', duration: parseDuration(phase.duration), modulus: whole(phase.modulus, 'modulus', 1) };
    case 'fma':
      return { op: 'fma', iterations: whole(phase.iterations, 'iterations') };
    case 'load':
    case 'store': {
      const bytes = parseBytes(phase.bytes);
      const range = phase.range === undefined ? {} : { range: scope.range(phase.range, bytes, formal) };
      const threadRate = phase.threadRate === undefined ? {} : { threadRate: whole(phase.threadRate, 'threadRate', 1) };
      const hint = trueOrFalse(phase.evictFirst, false, 'evictFirst') ? { evictFirst: true } : {};
      return { op: phase.op, bytes, ...range, ...threadRate, ...hint };
    }
    case 'fence':
      return { op: 'fence', scope: oneOf(phase.scope, FENCE_SCOPES, 'device', 'scope') };
    case 'trigger': {
      if (phase.when === undefined) return { op: 'trigger' };
      const modulus = whole(phase.when.modulus, 'modulus', 1);
      const residue = whole(phase.when.residue, 'residue');
      if (residue >= modulus)
        throw new ProgramError(`residue ${residue} is not below modulus ${modulus}`, { path: ['residue'] });
      return { op: 'trigger', when: { modulus, residue } };
    }
    case 'signal':
    case 'await':
      return { op: phase.op, flag: phase.flag, value: whole(phase.value ?? 1, 'value') };
    case 'wait':
    case 'blockBarrier':
    case 'gridBarrier':
      return { op: phase.op };
  }
}

function makeAccesses(input: KernelInput, scope: Scope, formal: Parameters, body: Body): Access[] {
  const roles = body.kind === 'phases' ? body.roles : [{ name: SOLE_ROLE, phases: [] }];
  return (input.accesses ?? []).map((access, i) =>
    inside(['accesses', i], () => {
      onlyKeys(access, ['range', 'mode', 'proxy', 'scope', 'role', 'phase'], `access ${i}`);
      const role = access.role === undefined ? roles[0] : roles.find((r) => r.name === access.role);
      if (role === undefined)
        throw unknownName(
          'role',
          access.role ?? '',
          roles.map((r) => r.name),
          'role',
        );
      const phase = whole(access.phase, 'phase');
      if (body.kind === 'phases' && phase >= role.phases.length) {
        throw new ProgramError(`role "${role.name}" has ${role.phases.length} phases, there is no phase ${phase}`, {
          path: ['phase'],
        });
      }
      return {
        range: inside(['range'], () => scope.range(access.range, undefined, formal)),
        mode: oneOf(access.mode, ACCESS_MODES, undefined, 'mode'),
        proxy: oneOf(access.proxy, ACCESS_PROXIES, 'generic', 'proxy'),
        scope: oneOf(access.scope, ACCESS_SCOPES, 'device', 'scope'),
        role: role.name,
        phase,
      };
    }),
  );
}
