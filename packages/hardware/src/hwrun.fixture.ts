interface Op {
  readonly op: string;
  readonly label?: string;
  readonly [field: string]: unknown;
}

/** A case of the measuring program: two launches in a stream, each of 5 us, in a run without a gate. */
export function hwrunPair(change: object = {}) {
  const ops: Op[] = ['k#0', 'k#1'].map((label) => ({ op: 'launch', kernel: 'k', stream: 's0', label, attrs: [] }));
  return {
    name: 'pair',
    devices: 1,
    mode: 'stream',
    gated: false,
    kernels: { k: { grid: 1, block: 32, smem: 0, phases: [['spin', 5000]] as [string, number][] } },
    streams: [{ id: 's0', device: 0, kind: 'nonblocking', priority: 0 }],
    events: [] as object[],
    ops,
    measured: {
      ops: [
        { label: 'k#0', start: 0, end: 5000 },
        { label: 'k#1', start: 6000, end: 11_000 },
      ] as object[],
      hostObservedTotal: 20_000,
    },
    ...change,
  };
}

/** A file of such cases. */
export function hwrunText(...cases: readonly object[]): string {
  return JSON.stringify({ device: { gpu: 'NVIDIA H200', driver: 13000 }, cases });
}
