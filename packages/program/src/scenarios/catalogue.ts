import { unknownName } from '../names.ts';
import type { Program } from '../program.ts';
import { attentionPipeline } from './attention-pipeline.ts';
import { backToBackGemm } from './back-to-back-gemm.ts';
import { chunkedPipeline } from './chunked-pipeline.ts';
import { decodeChain } from './decode-chain.ts';
import { decodeLoop } from './decode-loop.ts';
import { DEVICE_SCENARIOS } from './devices/device-scenarios.ts';
import { elementwiseGemm } from './elementwise-gemm.ts';
import { FIT_SCENARIOS } from './fit/fit-scenarios.ts';
import { forkJoin } from './fork-join.ts';
import { fourStreamPipeline } from './four-stream-pipeline.ts';
import { iterativeSolver } from './iterative-solver.ts';
import { rmsnormGemm } from './rmsnorm-gemm.ts';
import { saturatedChain } from './saturated-chain.ts';
import { streamPerKernel } from './stream-per-kernel.ts';
import { parseValues } from './support/parameters.ts';
import type { Scenario } from './support/scenario.ts';
import { UNFIT_SCENARIOS } from './unfit/unfit-scenarios.ts';

const SCENARIOS: readonly Scenario[] = [
  decodeChain,
  decodeLoop,
  rmsnormGemm,
  elementwiseGemm,
  backToBackGemm,
  attentionPipeline,
  iterativeSolver,
  chunkedPipeline,
  fourStreamPipeline,
  forkJoin,
  streamPerKernel,
  saturatedChain,
  ...DEVICE_SCENARIOS,
  ...FIT_SCENARIOS,
  ...UNFIT_SCENARIOS,
];
const BY_NAME: ReadonlyMap<string, Scenario> = new Map(SCENARIOS.map((s) => [s.name, s]));

/** Every scenario, in the order of the documentation. */
export function listScenarios(): readonly Scenario[] {
  return SCENARIOS;
}

/** Throws ProgramError with the nearest name when there is none of that name. */
export function scenarioByName(name: string): Scenario {
  const scenario = BY_NAME.get(name);
  if (scenario === undefined) throw unknownName('scenario', name, BY_NAME.keys());
  return scenario;
}

/**
 * Builds a scenario with parameters given as text, as `--set key=value` does. Sizes may have units; parameters left out
 * have their defaults.
 *
 * @throws ProgramError on an unknown scenario or parameter (with the nearest name) and on a value that is not allowed.
 */
export function buildScenario(name: string, set: Readonly<Record<string, string>> = {}): Program {
  const scenario = scenarioByName(name);
  return scenario.build(parseValues(scenario.params, set));
}
