/** How a decode step can be launched, and what that took on hardware. */
export interface Way {
  readonly title: string;
  /** Parameters of the scenario `decode-chain`. */
  readonly set: { readonly mode: 'stream' | 'graph'; readonly pdl: 'true' | 'false' };
  /** The measured case that this way with `MEASURED_LAYERS` layers repeats. */
  readonly measuredCase: string;
  /** First block start to last block end of that case, median, us. */
  readonly measuredUs: number;
}

/** Where the measured latencies come from. */
export const MEASURED_ON = 'NVIDIA H200, CUDA 13.0, block time stamps, 2026-11';
export const MEASURED_CASES = 'decode-12layers-{stream,graph}-{plain,pdl}-gate1';
export const MEASURED_LAYERS = 12;

export const WAYS: readonly Way[] = [
  {
    title: 'stream',
    set: { mode: 'stream', pdl: 'false' },
    measuredCase: 'decode-12layers-stream-plain-gate1',
    measuredUs: 718.9,
  },
  {
    title: 'stream + PDL',
    set: { mode: 'stream', pdl: 'true' },
    measuredCase: 'decode-12layers-stream-pdl-gate1',
    measuredUs: 509.8,
  },
  {
    title: 'graph',
    set: { mode: 'graph', pdl: 'false' },
    measuredCase: 'decode-12layers-graph-plain-gate1',
    measuredUs: 628.5,
  },
  {
    title: 'graph + PDL',
    set: { mode: 'graph', pdl: 'true' },
    measuredCase: 'decode-12layers-graph-pdl-gate1',
    measuredUs: 475.1,
  },
];
