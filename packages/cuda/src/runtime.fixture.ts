import { H100, type ImplicitSynchronization, MEASURED_HOST, resolveTiming } from '@griddep/machine';
import { type HostThreadBuilder, type ProgramBuilder, programBuilder } from '@griddep/program';
import type { Command } from './commands.ts';
import type { Issued } from './issued.ts';
import { type DeviceRules, deviceRules } from './launch-rules.ts';
import { CudaRuntime } from './runtime.ts';

export const HOST = resolveTiming(MEASURED_HOST.timing, 'host');
/** Two devices of compute capability 9.0 under CUDA 12.3. */
export const RULES: readonly DeviceRules[] = [deviceRules(H100, 12030), deviceRules(H100, 12030)];

/** A program whose calls have all been issued, and what each did. */
export interface Played {
  readonly runtime: CudaRuntime;
  readonly issued: readonly Issued[];
  /** Error codes of the calls, 0 where there is none. */
  readonly codes: readonly number[];
}

/**
 * Builds a program with the kernel `k` (1 block), streams `a`, `b` (blocking), `n`, `m` (non-blocking), `legacy`, `own`
 * (per-thread), `far` (device 1), events `e`, `f`, `u` and `v` (without
 * timing) and `farEvent` (device 1), then issues its calls thread after thread. `isComplete` is what the host sees; all
 * by default.
 */
export function play(
  calls: (host: HostThreadBuilder, program: ProgramBuilder) => void,
  rules = RULES,
  isComplete?: (stream: number, op: number) => boolean,
  implicitSynchronization?: ImplicitSynchronization,
): Played {
  const program = programBuilder('calls');
  program.kernel('k', { grid: 1, block: 32, phases: [{ op: 'spin', duration: '1us' }] });
  for (const name of ['a', 'b', 'legacy']) program.stream(name);
  for (const name of ['n', 'm']) program.stream(name, { kind: 'nonBlocking' });
  program.stream('own', { kind: 'perThread' });
  program.stream('far', { device: 1 });
  for (const name of ['e', 'f']) program.event(name);
  for (const name of ['u', 'v']) program.event(name, { timing: false });
  program.event('farEvent', { device: 1 });
  calls(program.hostThread('main'), program);
  const built = program.build();
  const runtime = new CudaRuntime(built, rules, HOST, undefined, implicitSynchronization);
  if (isComplete !== undefined) runtime.watch(isComplete);
  const issued = built.threads.flatMap(({ calls: table }, thread) =>
    Array.from({ length: table.length }, (_, i) => runtime.issue(thread, table.at(i), table.label(i))),
  );
  return { runtime, issued, codes: issued.map((i) => i.error?.code ?? 0) };
}

/** The sole command of a call, of the type named. */
export function command<T extends Command['type']>(
  { issued }: Played,
  call: number,
  type: T,
): Extract<Command, { readonly type: T }> {
  const found = issued.at(call)?.commands;
  const only = found?.[0]?.command;
  if (found?.length !== 1 || only?.type !== type) throw new Error(`call ${call} made ${JSON.stringify(found)}`);
  return only as Extract<Command, { readonly type: T }>;
}

/** Operations that a call's command comes after, beyond its own stream's order. */
export function after({ issued }: Played, call: number): number[] {
  return (issued.at(call)?.commands[0]?.command.after ?? []).map((o) => o.op).sort((a, b) => a - b);
}
