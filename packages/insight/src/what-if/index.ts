export type { EarlyShares } from '../changes/early-launches.ts';
export { hasKernel } from '../changes/select-kernels.ts';
export { type Assumption, type Setting, settingOf } from './assumption.ts';
export type { Change, Run } from './change.ts';
export { copyEnginesChange, launchCostChange, machineChange } from './machine-changes.ts';
export { boundBy, PART_NAMES, type TimeParts, timeParts } from './parts.ts';
export {
  devicesChange,
  fuseChange,
  graphChange,
  type PdlOptions,
  pdlChange,
  pinnedChange,
  removeChange,
  scaleChange,
  streamsChange,
} from './program-changes.ts';
export { type Outcome, type WhatIf, type WhatIfObserver, type WhatIfOptions, whatIf } from './what-if.ts';
