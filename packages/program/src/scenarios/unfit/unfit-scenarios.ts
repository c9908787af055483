import { complexDependencies } from './complex-dependencies.ts';
import { fullSms } from './full-sms.ts';
import { hostFlags } from './host-flags.ts';
import { immediateRead } from './immediate-read.ts';
import { independentKernels } from './independent-kernels.ts';
import { shortPrimary } from './short-primary.ts';

/** Situations that PDL does not help in, or in which it is easily wrong. */
export const UNFIT_SCENARIOS = [
  immediateRead,
  shortPrimary,
  fullSms,
  complexDependencies,
  independentKernels,
  hostFlags,
];
