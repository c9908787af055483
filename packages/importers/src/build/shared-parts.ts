import type { ProgramBuilder } from '@griddep/program';
import type { Findings } from '../findings.ts';
import type { Names } from '../names.ts';
import type { TraceOperation } from '../trace.ts';
import type { MatchedCollective } from './collectives.ts';
import type { Devices, Streams } from './devices.ts';
import type { Kernels } from './kernels.ts';
import type { MachineTimes } from './machine-times.ts';

/** What all traces of a set share while they become one program. */
export interface SharedParts {
  readonly builder: ProgramBuilder;
  readonly times: MachineTimes;
  readonly findings: Findings;
  readonly devices: Devices;
  readonly streams: Streams;
  readonly kernels: Kernels;
  readonly collectives: ReadonlyMap<TraceOperation, MatchedCollective>;
  /** Gap between nodes of a graph as the profiler sees it, ps. */
  readonly usualGap: number;
  readonly graphNames: Names;
  readonly labels: Names;
  readonly threadNames: Names;
  /** Whether the program is to be without what the profiler cost. */
  readonly isUnprofiled: boolean;
  readonly assumesWaits: boolean;
}

/** What identifies a stream of a trace. */
export type Place = Pick<TraceOperation, 'process' | 'device' | 'context' | 'stream'>;
