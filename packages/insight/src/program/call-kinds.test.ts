import { await_, CALL_NAMES, type CallName } from '@griddep/program';
import { expect, it } from 'vitest';
import { R, type Setup, unsafe, W } from '../checked.fixture.ts';

/** What is found in a program with a call, and in the same without it. */
interface Case {
  make(setup: Setup, isMade: boolean): void;
  readonly with: readonly string[];
  readonly without: readonly string[];
}

const RACE = ['race cross-stream a'];
const HOST_RACE = ['race host-access h'];

/** A kernel that writes `a` in stream s, the call, a kernel that reads it in t. */
function between(call: (setup: Setup) => void, found: Omit<Case, 'make'> = { with: RACE, without: RACE }): Case {
  return {
    ...found,
    make: (setup, isMade) => {
      setup.kernel('write', W('a'));
      setup.kernel('read', R('a'));
      setup.p.graph('g', [{ id: 'n', call: { memsetAsync: { bytes: 64, stream: 'u', destination: 'd' } } }], []);
      setup.host.launchKernel('write', 's');
      if (isMade) call(setup);
      setup.host.launchKernel('read', 't');
    },
  };
}

const orders = { with: [], without: RACE };

/** A download, the call, the host's look at it. */
function beforeHostRead(call: (setup: Setup) => void, found: Omit<Case, 'make'>): Case {
  return {
    ...found,
    make: (setup, isMade) => {
      const { host } = setup;
      host.memcpyAsync('deviceToHost', '64KiB', 's', { source: 'a', destination: 'h', hostMemory: 'pinned' });
      host.eventRecord('e', 's');
      if (isMade) call(setup);
      host.hostRead('h');
    },
  };
}

const synchronizes = { with: [], without: HOST_RACE };
const answersOnly = { with: HOST_RACE, without: HOST_RACE };

/** A captured graph of two forked streams whose kernels conflict. */
function inGraph(call: (setup: Setup) => void, found: Omit<Case, 'make'>): Case {
  return {
    ...found,
    make: (setup, isMade) => {
      const { p, kernel } = setup;
      kernel('write', W('a'));
      kernel('read', R('a'));
      const node = (id: string) => ({ id, call: { launchKernel: { kernel: id, stream: 's' } } });
      p.graph('loose', [node('write'), node('read')], []);
      p.graph('chained', [node('write'), node('read')], [['write', 'read']]);
      if (isMade) call(setup);
    },
  };
}

const CASES: Readonly<Record<CallName, Case>> = {
  launchKernel: between(({ host }) => host.launchKernel('read', 'u'), {
    with: [...RACE, ...RACE],
    without: RACE,
  }),
  memcpyAsync: between(
    ({ host }) => host.memcpyAsync('deviceToHost', '64KiB', 'u', { source: 'a', hostMemory: 'pinned' }),
    { with: [...RACE, ...RACE], without: RACE },
  ),
  memcpy: beforeHostRead(
    ({ host }) => host.memcpy('deviceToHost', '64KiB', { source: 'b', destination: 'pageable', stream: 's' }),
    synchronizes,
  ),
  memcpyPeerAsync: between(({ host }) => host.memcpyPeerAsync(1, 0, '64KiB', 'u', { source: 'a', destination: 'y' }), {
    with: [...RACE, ...RACE],
    without: RACE,
  }),
  memcpyPeer: between(
    ({ host }) => host.memcpyPeer(1, 0, '64KiB', { source: 'b', destination: 'y', stream: 't' }),
    orders,
  ),
  memsetAsync: between(({ host }) => host.memsetAsync('64KiB', 'u', { destination: 'a' }), {
    with: [...RACE, ...RACE, ...RACE],
    without: RACE,
  }),
  memset: between(({ host }) => host.memset('64KiB', { destination: 'a', stream: 'u' }), {
    with: [...RACE, ...RACE, ...RACE],
    without: RACE,
  }),
  eventRecord: between(({ host }) => {
    host.eventRecord('e', 's');
    host.streamWaitEvent('t', 'e');
  }, orders),
  streamWaitEvent: {
    ...orders,
    make: ({ host, kernel }, isMade) => {
      kernel('write', W('a'));
      kernel('read', R('a'));
      host.launchKernel('write', 's');
      host.eventRecord('e', 's');
      if (isMade) host.streamWaitEvent('t', 'e');
      host.launchKernel('read', 't');
    },
  },
  streamSynchronize: beforeHostRead(({ host }) => host.streamSynchronize('s'), synchronizes),
  streamQuery: beforeHostRead(({ host }) => host.streamQuery('s'), answersOnly),
  eventSynchronize: beforeHostRead(({ host }) => host.eventSynchronize('e'), synchronizes),
  eventQuery: beforeHostRead(({ host }) => host.eventQuery('e'), answersOnly),
  eventElapsedTime: beforeHostRead(({ host }) => host.eventElapsedTime('e', 'e'), {
    with: ['CUDA error cudaErrorInvalidResourceHandle', ...HOST_RACE],
    without: HOST_RACE,
  }),
  deviceSynchronize: beforeHostRead(({ host }) => host.deviceSynchronize(), synchronizes),
  launchHostFunc: between(({ host }) => host.launchHostFunc('u', '1us', { calls: 'cudaMalloc' }), {
    with: ['CUDA error cudaErrorNotPermitted', ...RACE],
    without: RACE,
  }),
  streamWaitValue: {
    ...orders,
    make: ({ host, kernel }, isMade) => {
      kernel('write', W('a'));
      kernel('read', R('a'));
      host.launchKernel('write', 's');
      host.streamWriteValue('s', 'f', 1);
      if (isMade) host.streamWaitValue('t', 'f', 1);
      host.launchKernel('read', 't');
    },
  },
  streamWriteValue: {
    with: [],
    without: ['deadlock unsignalled-flag'],
    make: ({ host, kernel }, isMade) => {
      kernel('read', await_('f'), R('a'));
      kernel('write', W('a'));
      host.launchKernel('write', 's');
      if (isMade) host.streamWriteValue('s', 'f', 1);
      host.launchKernel('read', 't');
    },
  },
  malloc: between(({ host }) => host.malloc('b')),
  free: between(({ host }) => host.free('a'), {
    with: ['race free-in-use a', ...RACE],
    without: RACE,
  }),
  mallocAsync: between(({ host }) => host.mallocAsync('a', 'u'), {
    with: [...RACE, 'race use-before-allocation a', 'race use-before-allocation a'],
    without: RACE,
  }),
  freeAsync: between(({ host }) => host.freeAsync('a', 'u'), {
    with: [...RACE, 'race free-in-use a', 'race free-in-use a'],
    without: RACE,
  }),
  mallocHost: between(({ host }) => host.mallocHost('h')),
  freeHost: beforeHostRead(({ host }) => host.freeHost('h'), {
    with: ['race free-in-use h', ...HOST_RACE],
    without: HOST_RACE,
  }),
  setDevice: {
    with: [],
    without: ['CUDA error cudaErrorInvalidResourceHandle'],
    make: ({ host, kernel }, isMade) => {
      kernel('write', W('y'));
      if (isMade) host.setDevice(1);
      host.launchKernel('write', 'far');
    },
  },
  deviceEnablePeerAccess: {
    with: [],
    without: ['CUDA error cudaErrorIllegalAddress'],
    make: ({ host, kernel }, isMade) => {
      kernel('write', W('y'));
      if (isMade) host.deviceEnablePeerAccess(1);
      host.launchKernel('write', 's');
      host.streamSynchronize('s');
    },
  },
  deviceDisablePeerAccess: {
    with: ['CUDA error cudaErrorIllegalAddress'],
    without: [],
    make: ({ host, kernel }, isMade) => {
      kernel('write', W('y'));
      host.deviceEnablePeerAccess(1);
      if (isMade) host.deviceDisablePeerAccess(1);
      host.launchKernel('write', 's');
    },
  },
  streamBeginCapture: {
    with: [],
    without: RACE,
    make: ({ host, kernel }, isMade) => {
      kernel('write', W('a'));
      kernel('read', R('a'));
      if (isMade) host.streamBeginCapture('s');
      host.launchKernel('write', 's');
      if (isMade) host.streamEndCapture('s', 'g');
      host.launchKernel('read', 't');
    },
  },
  threadExchangeStreamCaptureMode: {
    with: [],
    without: ['CUDA error cudaErrorStreamCaptureInvalidated', 'CUDA error cudaErrorStreamCaptureUnsupported'],
    make: ({ host }, isMade) => {
      host.streamBeginCapture('s', 'global');
      if (isMade) host.threadExchangeStreamCaptureMode('relaxed');
      host.malloc('b');
      host.streamEndCapture('s', 'g');
    },
  },
  streamEndCapture: {
    with: RACE,
    without: [],
    make: ({ host, kernel }, isMade) => {
      kernel('write', W('a'));
      kernel('read', R('a'));
      host.streamBeginCapture('s');
      host.launchKernel('write', 's');
      if (isMade) {
        host.streamEndCapture('s', 'g');
        host.graphInstantiate('g', 'x');
        host.graphLaunch('x', 'u');
      }
      host.launchKernel('read', 't');
    },
  },
  streamGetCaptureInfo: between(({ host }) => host.streamGetCaptureInfo('s')),
  graphGetEdges: between(({ host }) => host.graphGetEdges('g')),
  graphNodeGetDependencies: between(({ host }) => host.graphNodeGetDependencies('g', 'n')),
  graphNodeGetDependentNodes: between(({ host }) => host.graphNodeGetDependentNodes('g', 'n')),
  graphAddDependencies: inGraph(
    ({ host }) => {
      host.graphAddDependencies('loose', 'write', 'read');
      host.graphInstantiate('loose', 'x');
      host.graphLaunch('x', 's');
    },
    { with: [], without: [] },
  ),
  graphRemoveDependencies: inGraph(
    ({ host }) => {
      host.graphRemoveDependencies('chained', 'write', 'read');
      host.graphInstantiate('chained', 'x');
      host.graphLaunch('x', 's');
    },
    { with: ['race graph-edge a'], without: [] },
  ),
  graphInstantiate: inGraph(
    ({ host }) => {
      host.graphInstantiate('loose', 'x');
      // What is instantiated stays as it was.
      host.graphAddDependencies('loose', 'write', 'read');
      host.graphLaunch('x', 's');
    },
    { with: ['race graph-edge a'], without: [] },
  ),
  graphUpload: inGraph(
    ({ host }) => {
      host.graphInstantiate('loose', 'x');
      host.graphUpload('x', 's');
    },
    { with: [], without: [] },
  ),
  graphLaunch: inGraph(
    ({ host }) => {
      host.graphInstantiate('loose', 'x');
      host.graphLaunch('x', 's');
    },
    { with: ['race graph-edge a'], without: [] },
  ),
  graphExecUpdate: {
    with: ['race cross-stream c'],
    without: ['race cross-stream b'],
    make: ({ p, host, kernel }, isMade) => {
      kernel('read', R('b'), R('c'));
      for (const of of ['b', 'c']) {
        p.graph(`of ${of}`, [{ id: 'n', call: { memsetAsync: { bytes: 64, stream: 's', destination: of } } }], []);
      }
      host.graphInstantiate('of b', 'x');
      if (isMade) host.graphExecUpdate('x', 'of c');
      host.graphLaunch('x', 's');
      host.launchKernel('read', 't');
    },
  },
  collective: between(({ host }) => host.collective('allReduce', 'pair', 64, 's')),
  hostCompute: between(({ host }) => host.hostCompute('1ms')),
  hostRead: beforeHostRead(({ host }) => host.hostRead('h'), {
    with: [...HOST_RACE, ...HOST_RACE],
    without: HOST_RACE,
  }),
  hostWrite: beforeHostRead(({ host }) => host.hostWrite('h'), {
    with: [...HOST_RACE, ...HOST_RACE],
    without: HOST_RACE,
  }),
  hostSignal: {
    with: [],
    without: ['deadlock unsignalled-flag'],
    make: ({ host, kernel }, isMade) => {
      kernel('spins', await_('go'));
      if (isMade) host.hostSignal('go');
      host.launchKernel('spins', 's');
    },
  },
  hostAwait: {
    with: ['deadlock unsignalled-flag'],
    without: [],
    make: ({ host }, isMade) => {
      if (isMade) host.hostAwait('go');
    },
  },
  hostSetenv: between(({ host }) => host.hostSetenv('CUDA_DEVICE_MAX_CONNECTIONS', 1)),
  rangePush: between(({ host }) => {
    host.rangePush('r');
    host.rangePop();
  }),
  rangePop: between(({ host }) => {
    host.rangePush('r');
    host.rangePop();
  }),
};

it.each(CALL_NAMES)('2.1 what is found with a call of %s, and without', (name) => {
  const { make, with: found, without } = CASES[name];
  expect(unsafe((setup) => make(setup, false))).toEqual([...without].sort());
  expect(unsafe((setup) => make(setup, true))).toEqual([...found].sort());
});
