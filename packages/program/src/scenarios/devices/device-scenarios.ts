import { allGather } from './all-gather.ts';
import { allToAll } from './all-to-all.ts';
import { dataParallelStep } from './data-parallel-step.ts';
import { haloExchange } from './halo-exchange.ts';
import { imbalancedDevices } from './imbalanced-devices.ts';
import { pipeline1f1b } from './pipeline-1f1b.ts';
import { portablePeerCopy } from './portable-peer-copy.ts';
import { ringAllreduce } from './ring-allreduce.ts';
import { tensorParallelDecode } from './tensor-parallel-decode.ts';
import { treeAllreduce } from './tree-allreduce.ts';

/** Situations on any number of devices. */
export const DEVICE_SCENARIOS = [
  portablePeerCopy,
  haloExchange,
  imbalancedDevices,
  ringAllreduce,
  treeAllreduce,
  allGather,
  allToAll,
  dataParallelStep,
  pipeline1f1b,
  tensorParallelDecode,
];
