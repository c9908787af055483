import { attentionPipeline } from '../attention-pipeline.ts';
import { backToBackGemm } from '../back-to-back-gemm.ts';
import { decodeLoop } from '../decode-loop.ts';
import { elementwiseGemm } from '../elementwise-gemm.ts';
import { rmsnormGemm } from '../rmsnorm-gemm.ts';
import { aliasScenario } from '../support/scenario.ts';

/** Situations that PDL is made for. */
export const FIT_SCENARIOS = [
  aliasScenario('fit-rmsnorm-gemm', rmsnormGemm, {
    summary: 'PDL fits: normalisation then GEMM, which prefetches weights (same as rmsnorm-gemm)',
  }),
  aliasScenario('fit-elementwise-gemm', elementwiseGemm, {
    summary: 'PDL fits: activation then GEMM, whose prologue needs no activation (same as elementwise-gemm)',
  }),
  aliasScenario('fit-back-to-back-gemm', backToBackGemm, {
    summary: "PDL fits: GEMM then GEMM, the second one's preparation is independent (same as back-to-back-gemm)",
  }),
  aliasScenario('fit-attention-pipeline', attentionPipeline, {
    summary: "PDL fits: attention's cache loads overlap the projection's tail (same as attention-pipeline)",
  }),
  aliasScenario('fit-graph-inference', decodeLoop, {
    summary: 'PDL fits: an inference step of fixed shape as a graph with programmatic edges (decode-loop, mode=graph)',
    defaults: { mode: 'graph' },
  }),
];
