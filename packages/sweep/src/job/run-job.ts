import { checkHazards } from '@griddep/insight';
import { type Machine, machineByName } from '@griddep/machine';
import { readMachine } from '@griddep/machine/file';
import { buildScenario, type Program, readProgram } from '@griddep/program';
import { checkProgram, simulate } from '@griddep/simulator';
import type { Workers } from '@griddep/simulator/parallel';
import { hashTimeline, type Timeline } from '@griddep/timeline';
import type { Job, Outcome, Text, Texts } from './job.ts';
import { changeMachine } from './machine-change.ts';
import { makespanNs, rowStatistics } from './statistics.ts';
import { applyChange } from './what-if.ts';

/** Errors that say what is wrong with a point; any other is a defect of the simulator and is not a result. */
const REFUSALS: ReadonlySet<string> = new Set(['ProgramError', 'MachineError', 'SimulationLimit', 'SweepError']);

/** Runs jobs. What several in a row have in common is made once. */
export class JobRunner {
  readonly #texts: Texts;
  #program: { readonly key: string; readonly program: Program } | undefined;
  #machine: { readonly key: string; readonly machine: Machine } | undefined;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /** Simulates; a program or machine that cannot be gives an outcome with its error. */
  async run(job: Job): Promise<Outcome> {
    try {
      const { timeline, program, machine } = await this.#simulated(job, job.settings);
      const own = rowStatistics(timeline);
      const statistics = { ...own, ...(await this.#compared(job, own)) };
      const hazards = job.hazards ? { hazards: unsafeFindings(program, machine) } : {};
      return { statistics: { ...statistics, ...hazards }, hash: hashTimeline(timeline) };
    } catch (error) {
      if (error instanceof Error && REFUSALS.has(error.name)) return { error: error.message };
      throw error;
    }
  }

  /** The machine constants that a job's simulation uses, as `kernelLaunch`. */
  async constantsUsed(job: Job): Promise<readonly string[]> {
    const { timeline } = await this.#simulated(job, job.settings);
    return timeline.basis.map(({ constant }) => constant);
  }

  machineOf(job: Job): Machine {
    const { machine: named, machineChanges } = job;
    const key = JSON.stringify([named, machineChanges]);
    if (this.#machine?.key !== key) {
      const text = 'text' in named ? this.#textOf(named.text) : undefined;
      const machine = 'name' in named ? machineByName(named.name) : readMachine((text as Text).text, text?.file);
      this.#machine = { key, machine: changeMachine(machine, machineChanges) };
    }
    return this.#machine.machine;
  }

  async #compared(job: Job, own: Readonly<Record<string, number>>): Promise<Record<string, number>> {
    if (job.reference === undefined) return {};
    const { timeline } = await this.#simulated(job, { ...job.settings, ...job.reference });
    const referenceMakespan = makespanNs(timeline);
    return { referenceMakespan, gain: referenceMakespan / (own.makespan ?? Number.NaN) };
  }

  async #simulated(job: Job, settings: Job['settings']) {
    const start = { program: this.#programOf(job, settings), machine: this.machineOf(job) };
    const changed = job.changes.reduce((before, { name, value }) => applyChange(before, name, value), start);
    checkProgram(changed.program, changed.machine);
    return { ...changed, timeline: await simulated(changed.program, changed.machine, job.workers as Workers) };
  }

  #programOf({ input }: Job, settings: Job['settings']): Program {
    const key = JSON.stringify([input, settings]);
    if (this.#program?.key !== key) this.#program = { key, program: this.#madeProgram(input, settings) };
    return this.#program.program;
  }

  #madeProgram(input: Job['input'], settings: Job['settings']): Program {
    if ('scenario' in input) return buildScenario(input.scenario, settings);
    const { text, file } = this.#textOf(input.text);
    return readProgram(text, { file, set: settings });
  }

  #textOf(key: string): Text {
    const text = this.#texts.get(key);
    if (text === undefined) throw new Error(`the text ${key} did not come with the job`);
    return text;
  }
}

async function simulated(program: Program, machine: Machine, workers: Workers): Promise<Timeline> {
  if (workers === 'sequential') return simulate(program, machine);
  const { simulateParallel } = await import('@griddep/simulator/parallel');
  return (await simulateParallel(program, machine, { workers })).timeline;
}

function unsafeFindings(program: Program, machine: Machine): number {
  const { findings } = checkHazards(program, machine);
  return findings.filter(({ verdict }) => verdict !== 'lint' && verdict !== 'unknown').length;
}
