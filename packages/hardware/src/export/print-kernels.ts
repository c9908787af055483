import { type Kernel, type Phase, type Program, volume } from '@griddep/program';
import { type ExpectedData, phaseId, rangeOf } from './expected-data.ts';
import { ExportError } from './export-error.ts';
import { known, type Objects } from './objects.ts';
import { quoted } from './quoted.ts';
import type { Place } from './steps.ts';

/** What the argument of each variant of the measuring kernel holds (device-source.ts). */
const VARIANTS = [
  { phases: 12, ranges: 6, roles: 1 },
  { phases: 64, ranges: 24, roles: 1 },
  { phases: 64, ranges: 24, roles: 8 },
  { phases: 400, ranges: 200, roles: 16 },
] as const;
const WARP = 32;
const SCRATCH = 2 ** 29;
/** Where the data of successive launches begin among the scratch memory: far apart, so that none finds another's in L2. */
const SCRATCH_STEP = 7919 * 16384;
/** Below these rates a thread has one narrow load in flight, bytes a second. */
const SLOW_RATE = 42e6;

const FLAG = { wide: 1, evictFirst: 2, checked: 4, slow: 8, far: 16 } as const;

/** `{"name", variant, dim3(grid), dim3(block), dim3(cluster), shared memory}` and the phases of a body. */
export function kernelText(kernel: Kernel): { readonly kernel: string; readonly body: string } {
  const roles = rolesOf(kernel);
  const phases = roles.flatMap((role) => role.phases);
  const warps = Math.ceil(volume(kernel.block) / WARP);
  const taken = roles.reduce((sum, role) => sum + (role.warps ?? 0), 0);
  let [warp, phase] = [0, 0];
  const firstWarp = roles.map((role) => {
    const first = warp;
    warp += role.warps ?? warps - taken;
    return first;
  });
  const firstPhase = roles.map((role) => {
    const first = phase;
    phase += role.phases.length;
    return first;
  });
  let ranges = 0;
  const texts = phases.map((one) => {
    const [op, argument] = phaseText(one, ranges);
    if (usesRange(one)) ranges++;
    return `{${op}, ${argument}}`;
  });
  const variant = VARIANTS.findIndex((v) => phases.length <= v.phases && ranges <= v.ranges && roles.length <= v.roles);
  if (variant < 0) {
    throw new ExportError(`kernel "${kernel.name}": ${phases.length} phases in ${roles.length} roles are too many`);
  }
  const dim = (d: readonly number[]) => `dim3(${d.join(', ')})`;
  const cluster = dim(kernel.cluster ?? [1, 1, 1]);
  const shared = kernel.dynamicSharedMemory;
  return {
    kernel: `{${quoted(kernel.name)}, ${variant}, ${dim(kernel.grid)}, ${dim(kernel.block)}, ${cluster}, ${shared}}`,
    body: `{{${texts.join(', ')}}, {${[...firstWarp, warps].join(', ')}}, {${[...firstPhase, phases.length].join(', ')}}}`,
  };
}

/** What the launch of a kernel at a place uses: its buffers, flags and barriers, in the order of its phases. */
export function usesText(
  kernel: Kernel,
  place: Place,
  index: number,
  { program, objects, data }: { program: Program; objects: Objects; data: ExpectedData },
): { readonly uses: string[]; readonly scratch: boolean } {
  let scratch = false;
  const uses = rolesOf(kernel).flatMap((role, r) =>
    role.phases.flatMap((phase, i): string[] => {
      switch (phase.op) {
        case 'signal':
        case 'await':
          return objects.onDevice(phase.flag)
            ? [use(-3, { bytes: objects.word(`flag ${phase.flag}`), tag: phase.value })]
            : [use(-2, { bytes: objects.flag(phase.flag), tag: phase.value, flags: FLAG.far })];
        case 'gridBarrier':
          return [use(-3, { bytes: objects.word(`barrier ${phaseId(place.id, r, i)}`) })];
        case 'load':
        case 'store': {
          if (phase.range === undefined) {
            scratch = true;
            const amount = Math.max(16, 16 * Math.floor(phase.bytes / 16));
            const offset = (index * SCRATCH_STEP) % SCRATCH;
            const flags = FLAG.wide | FLAG.evictFirst;
            const bytes = amount;
            return [use(-1, { offset, bytes, stride: amount, wrap: SCRATCH, amount, tag: 1, flags })];
          }
          const range = rangeOf(phase.range, kernel, place);
          const buffer = program.buffers.get(range.buffer);
          const id = phaseId(place.id, r, i);
          const expected = phase.op === 'load' ? data.expected.get(id) : undefined;
          const tag = phase.op === 'store' ? (data.written.get(id) ?? 0) : (expected ?? 0);
          const { offset, bytes, blockStride: stride, wrap = 0 } = range;
          const parts = [offset, bytes, stride, wrap, phase.bytes, buffer?.offset ?? 0];
          const wide = parts.every((n) => n % 16 === 0) && bytes > 0;
          const flags =
            (wide ? FLAG.wide : 0) |
            (phase.evictFirst === true ? FLAG.evictFirst : 0) |
            (expected === undefined ? 0 : FLAG.checked) |
            ((phase.threadRate ?? SLOW_RATE) < SLOW_RATE ? FLAG.slow : 0);
          const number = known(objects.buffers, range.buffer);
          return [use(number, { offset, bytes, stride, wrap, amount: phase.bytes, tag, flags })];
        }
        default:
          return [];
      }
    }),
  );
  return { uses, scratch };
}

interface RangeText {
  readonly offset?: number;
  readonly bytes?: number;
  readonly stride?: number;
  readonly wrap?: number;
  readonly amount?: number;
  readonly tag?: number;
  readonly flags?: number;
}

function use(buffer: number, r: RangeText): string {
  const { offset = 0, bytes = 0, stride = 0, wrap = 0, amount = 0, tag = 0, flags = 0 } = r;
  return `{${buffer}, {nullptr, ${offset}, ${bytes}, ${stride}, ${wrap}, ${amount}, ${tag}, ${flags}}}`;
}

function rolesOf({ name, body }: Kernel) {
  if (body.kind !== 'phases') throw new ExportError(`kernel "${name}": its body has no phases`);
  return body.roles;
}

function usesRange({ op }: Phase): boolean {
  return op === 'load' || op === 'store' || op === 'signal' || op === 'await' || op === 'gridBarrier';
}

/** Name and argument of a phase (device-source.ts); `range` is the number of its range among the kernel's. */
function phaseText(phase: Phase, range: number): readonly [string, string] {
  const ns = (ps: number) => Math.round(ps / 1000);
  switch (phase.op) {
    case 'spin':
      return ['SPIN', `${ns(phase.duration)}ull`];
    case 'ramp':
      return ['RAMP', `(${ns(phase.duration)}ull << 16) | ${Math.min(phase.modulus, 0xffff)}`];
    case 'fma':
      return ['FMA', `${Math.round(phase.iterations)}ull`];
    case 'fence':
      return ['FENCE', String(['block', 'device', 'system'].indexOf(phase.scope))];
    case 'trigger': {
      const { modulus, residue } = phase.when ?? { modulus: 0, residue: 0 };
      return ['TRIGGER', `(${modulus}ull << 32) | ${residue}`];
    }
    case 'wait':
      return ['WAIT', '0'];
    case 'blockBarrier':
      return ['BLOCK_BARRIER', '0'];
    case 'gridBarrier':
      return ['GRID_BARRIER', String(range)];
    default:
      return [phase.op.toUpperCase(), String(range)];
  }
}
