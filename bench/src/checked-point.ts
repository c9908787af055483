import { checkHazards } from '@griddep/insight';
import { machineByName } from '@griddep/machine';
import { type Checked, checkedProgram } from './checked-program.ts';

/** What a check took. */
export interface CheckPoint {
  readonly kind: Checked;
  readonly operations: number;
  readonly verdict: string;
  readonly wallMs: number;
  /** User time of all threads of the process, ms: what other processes leave depends on them less. */
  readonly cpuMs: number;
  /** Peak resident memory beyond what was held before the check. */
  readonly memoryBytes: number;
}

/** Checks a program in this process, which should do nothing else. */
export function checkPoint(kind: Checked, size: number): CheckPoint {
  const program = checkedProgram(kind, size);
  const machine = machineByName('h200x8');
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const { operations, verdict } = checkHazards(program, machine);
  const wallMs = performance.now() - begin;
  const cpuMs = process.cpuUsage(cpu).user / 1000;
  const memoryBytes = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
  return { kind, operations, verdict, wallMs, cpuMs, memoryBytes };
}
