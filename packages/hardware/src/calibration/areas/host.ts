import type { Area } from '../isolation.ts';

/** Calls of the host: what the mechanism cases' calls took. Random programs were measured on another, slower host. */
const MECHANISM = /^(?!fuzz-|mix-)/;

export const HOST: Area = {
  area: 'host',
  searched: [],
  readOff: [
    { constant: 'launchKernel', cases: MECHANISM },
    { constant: 'launchKernelProgrammatic', cases: MECHANISM },
    { constant: 'capturedCall', cases: MECHANISM },
    { constant: 'eventRecord', cases: MECHANISM },
    { constant: 'eventRecordTiming', cases: MECHANISM },
    { constant: 'streamWaitEvent', cases: MECHANISM },
    { constant: 'streamWaitEventOtherDevice', cases: MECHANISM },
    { constant: 'memcpyUp', cases: MECHANISM },
    { constant: 'memcpyDown', cases: MECHANISM },
    { constant: 'memcpyWithin', cases: MECHANISM },
    { constant: 'memcpyPeerWrite', cases: MECHANISM },
    { constant: 'memcpyPeerRead', cases: MECHANISM },
    { constant: 'memset', cases: MECHANISM },
    { constant: 'launchHostFunc', cases: MECHANISM },
    { constant: 'freeAsync', cases: MECHANISM },
    { constant: 'query', cases: MECHANISM },
  ],
};
