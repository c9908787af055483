/** Small programs of one mechanism each: chains, edges of graphs, copies between devices, roles, flags. */
import {
  await_,
  blockBarrier,
  fma,
  gridBarrier,
  load,
  programBuilder,
  signal,
  spin,
  store,
  trigger,
  wait,
} from '@griddep/program';

const PDL = { programmaticStreamSerialization: true };

export function pdlChain(length, grid, { early = true, graph = false } = {}) {
  const p = programBuilder(`pdl-chain-${length}-${grid}-${early ? 'early' : 'late'}-${graph ? 'graph' : 'stream'}`);
  const phases = early
    ? [trigger(), spin('1500ns'), wait(), spin('2us')]
    : [spin('1500ns'), wait(), spin('2us'), trigger()];
  const k = p.kernel('k', { grid, block: 128, phases });
  const s = p.stream('s', { kind: 'nonBlocking' });
  const host = p.hostThread('main');
  if (graph) host.streamBeginCapture(s);
  for (let i = 0; i < length; i++) host.launchKernel(k, s, i === 0 ? {} : PDL, { label: `k#${i}` });
  if (graph) finish(host, s);
  host.deviceSynchronize();
  return p.build();
}

function finish(host, s, launches = 1) {
  host.streamEndCapture(s, 'graph');
  host.graphInstantiate('graph', 'executable');
  host.graphUpload('executable', s);
  for (let i = 0; i < launches; i++) host.graphLaunch('executable', s, { label: `replay#${i}` });
}

/** A graph by hand: one kernel, `branches` after it by an edge of a kind, and a join. */
export function graphFan(port, branches) {
  const p = programBuilder(`graph-${port}-${branches}`);
  p.kernel('first', { grid: 64, block: 128, phases: [spin('3us'), trigger(), spin('4us')] });
  p.kernel('branch', { grid: 8, block: 128, phases: [spin('1us'), wait(), spin('3us')] });
  p.kernel('join', { grid: 16, block: 128, phases: [spin('2us')] });
  const s = p.stream('s', { kind: 'nonBlocking' });
  const names = Array.from({ length: branches }, (_, i) => `branch#${i}`);
  const launch = (id, kernel) => ({ id, call: { launchKernel: { kernel, stream: 's' } } });
  const edge =
    port === 'full'
      ? {}
      : port === 'programmatic'
        ? { type: 'programmatic' }
        : { fromPort: 'launchCompletion', type: 'programmatic' };
  p.graph(
    'fan',
    [launch('first', 'first'), ...names.map((id) => launch(id, 'branch')), launch('join', 'join')],
    [...names.map((to) => ({ from: 'first', to, ...edge })), ...names.map((from) => ({ from, to: 'join' }))],
  );
  const host = p.hostThread('main');
  host.graphInstantiate('fan', 'executable');
  host.graphUpload('executable', s);
  host.graphLaunch('executable', s, { label: 'replay#0' });
  host.graphLaunch('executable', s, { label: 'replay#1' });
  host.deviceSynchronize();
  return p.build();
}

/** Events of launches: at the trigger, at the start of blocks, or when all blocks have started. */
export function launchEvent(kind, graph) {
  const p = programBuilder(`launch-event-${kind}-${graph ? 'graph' : 'stream'}`);
  const a = p.kernel('a', { grid: 132, block: 128, phases: [spin('4us'), trigger(), spin('6us')] });
  const b = p.kernel('b', { grid: 32, block: 128, phases: [spin('1us'), wait(), spin('2us')] });
  const [s, t] = [p.stream('s', { kind: 'nonBlocking' }), p.stream('t', { kind: 'nonBlocking' })];
  const e = p.event('e', { timing: false });
  const back = p.event('back', { timing: false });
  const host = p.hostThread('main');
  const attributes = {
    trigger: { programmaticEvent: { event: e, triggerAtBlockStart: false } },
    blockStart: { programmaticEvent: { event: e, triggerAtBlockStart: true } },
    completion: { launchCompletionEvent: { event: e } },
  }[kind];
  if (graph) host.streamBeginCapture(s);
  for (let i = 0; i < 3; i++) {
    host.launchKernel(a, s, attributes, { label: `a#${i}` });
    host.streamWaitEvent(t, e);
    host.launchKernel(b, t, {}, { label: `b#${i}` });
    host.eventRecord(back, t);
    host.streamWaitEvent(s, back);
  }
  if (graph) finish(host, s);
  host.deviceSynchronize();
  return p.build();
}

/** A producer and a consumer of 4 MiB, with a fault of a kind or none. */
export function handOver(fault) {
  const p = programBuilder(`hand-over-${fault}`);
  const x = p.buffer('x', { bytes: 132 * 16384 });
  const slice = { buffer: x, bytes: 16384, blockStride: 16384 };
  const write = p.kernel('write', {
    grid: 132,
    block: 256,
    phases:
      fault === 'stored-after-trigger-read-before-wait' || fault === 'no-wait'
        ? [trigger(), spin('4us'), store(16384, slice)]
        : [trigger(), spin('4us'), store(16384, slice), spin('1us')],
  });
  const read = p.kernel('read', {
    grid: 132,
    block: 256,
    phases:
      fault === 'no-wait'
        ? [load(16384, slice), spin('1us')]
        : fault === 'stored-after-trigger-read-before-wait'
          ? [load(16384, slice), wait(), spin('1us')]
          : [wait(), load(16384, slice), spin('1us')],
  });
  const [s, t] = [p.stream('s', { kind: 'nonBlocking' }), p.stream('t', { kind: 'nonBlocking' })];
  const e = p.event('e', { timing: false });
  const host = p.hostThread('main');
  for (let i = 0; i < 4; i++) {
    host.launchKernel(write, s, i === 0 ? {} : {}, { label: `write#${i}` });
    if (fault === 'no-event') {
      host.launchKernel(read, t, {}, { label: `read#${i}` });
    } else if (fault === 'event') {
      host.eventRecord(e, s);
      host.streamWaitEvent(t, e);
      host.launchKernel(read, t, {}, { label: `read#${i}` });
      host.eventRecord(e, t);
      host.streamWaitEvent(s, e);
    } else host.launchKernel(read, s, PDL, { label: `read#${i}` });
  }
  host.deviceSynchronize();
  return p.build();
}

export function roles() {
  const p = programBuilder('roles-load-compute');
  const k = p.kernel('k', {
    grid: 132,
    block: 384,
    roles: [
      { name: 'load', warps: 4, phases: [wait(), load('32KiB'), trigger()] },
      { name: 'compute', phases: [spin('500ns'), fma(2000)] },
    ],
  });
  const s = p.stream('s', { kind: 'nonBlocking' });
  const host = p.hostThread('main');
  for (let i = 0; i < 5; i++) host.launchKernel(k, s, PDL, { label: `k#${i}` });
  host.deviceSynchronize();
  return p.build();
}

export function barriers() {
  const p = programBuilder('barriers-cooperative');
  const k = p.kernel('k', {
    grid: 132,
    block: 128,
    phases: [spin('1us'), gridBarrier(), spin('2us'), gridBarrier(), blockBarrier(), spin('1us')],
  });
  const s = p.stream('s', { kind: 'nonBlocking' });
  const host = p.hostThread('main');
  for (let i = 0; i < 3; i++) host.launchKernel(k, s, { cooperative: true }, { label: `k#${i}` });
  host.deviceSynchronize();
  return p.build();
}

export function flags() {
  const p = programBuilder('flags-two-streams');
  const a = p.kernel('a', { grid: 1, block: 32, phases: [spin('5us'), signal('go'), spin('3us')] });
  const b = p.kernel('b', { grid: 1, block: 32, phases: [await_('go'), spin('2us')] });
  const [s, t] = [p.stream('s', { kind: 'nonBlocking' }), p.stream('t', { kind: 'nonBlocking' })];
  const host = p.hostThread('main');
  host.launchKernel(a, s, {}, { label: 'a#0' });
  host.launchKernel(b, t, {}, { label: 'b#0' });
  host.deviceSynchronize();
  return p.build();
}

/** Copies up, down and within, between kernels. */
export function copies(bytes) {
  const p = programBuilder(`copies-between-kernels-${bytes}`);
  const x = p.buffer('x', { bytes });
  const y = p.buffer('y', { bytes });
  const h = p.buffer('h', { bytes, space: 'host', hostMemory: 'pinned' });
  const k = p.kernel('k', { grid: 32, block: 256, phases: [spin('4us')] });
  const s = p.stream('s', { kind: 'nonBlocking' });
  const host = p.hostThread('main');
  host.launchKernel(k, s, {}, { label: 'k#0' });
  host.memcpyAsync('hostToDevice', bytes, s, { source: h, destination: x, label: 'up' });
  host.launchKernel(k, s, {}, { label: 'k#1' });
  host.memcpyAsync('deviceToDevice', bytes, s, { source: x, destination: y, label: 'within' });
  host.launchKernel(k, s, {}, { label: 'k#2' });
  host.memcpyAsync('deviceToHost', bytes, s, { source: y, destination: h, label: 'down' });
  host.launchKernel(k, s, {}, { label: 'k#3' });
  host.deviceSynchronize();
  return p.build();
}

/** A peer copy between kernels of two devices, tied by events. */
export function peerCopy(bytes, write) {
  const p = programBuilder(`peer-${write ? 'write' : 'read'}-${bytes}`);
  const x = p.buffer('x', { bytes, device: 0 });
  const y = p.buffer('y', { bytes, device: 1 });
  const k = p.kernel('k', { grid: 132, block: 256, phases: [spin('20us')] });
  const [a, b] = [p.stream('a', { kind: 'nonBlocking' }), p.stream('b', { device: 1, kind: 'nonBlocking' })];
  const [e, f] = [p.event('e', { timing: false }), p.event('f', { device: 1, timing: false })];
  const host = p.hostThread('main');
  host.deviceEnablePeerAccess(1);
  host.setDevice(1);
  host.deviceEnablePeerAccess(0);
  host.setDevice(0);
  host.launchKernel(k, a, {}, { label: 'k#0' });
  const copy = (stream) => host.memcpyPeerAsync(1, 0, bytes, stream, { source: x, destination: y, label: 'copy' });
  if (write) copy(a);
  host.eventRecord(e, a);
  host.setDevice(1);
  host.streamWaitEvent(b, e);
  if (!write) copy(b);
  host.launchKernel(k, b, {}, { label: 'k#1' });
  host.eventRecord(f, b);
  host.setDevice(0);
  host.streamWaitEvent(a, f);
  host.launchKernel(k, a, {}, { label: 'k#2' });
  host.deviceSynchronize();
  host.setDevice(1);
  host.deviceSynchronize();
  return p.build();
}

/** One kernel for each size of a load and of a store, with the data out of L2 and then in it. */
export function accesses(threads, blocks) {
  const p = programBuilder(`accesses-${threads}x${blocks}`);
  const s = p.stream('s', { kind: 'nonBlocking' });
  const host = p.hostThread('main');
  p.buffer('all of L2', { bytes: '132MiB' });
  p.kernel('displace', {
    grid: 132,
    block: 1024,
    phases: [load('1MiB', { buffer: 'all of L2', bytes: '1MiB', blockStride: '1MiB' })],
  });
  for (const [name, access] of Object.entries({ load, store })) {
    for (const bytes of [8, 256, 4096, 16384, 65536]) {
      const kernel = `${name}-${bytes}`;
      p.buffer(kernel, { bytes: Math.max(4096, bytes * blocks) });
      const range = { buffer: kernel, bytes, blockStride: bytes };
      p.kernel(kernel, { grid: blocks, block: threads, phases: [access(bytes, range), access(bytes, range)] });
      host.launchKernel('displace', s, {}, { label: `displace-${kernel}` });
      host.launchKernel(kernel, s, {}, { label: `${kernel}-far` });
      host.launchKernel(kernel, s, {}, { label: `${kernel}-near` });
    }
  }
  host.deviceSynchronize();
  return p.build();
}

/** Kernels and copies in turn, in one stream. */
export function copyChain(copy, bytes, duration) {
  const p = programBuilder(`copy-chain-${copy === 'hostToDevice' ? 'up' : 'down'}-${bytes}-${duration}`);
  const k = p.kernel('k', { grid: 32, block: 128, phases: [spin(duration)] });
  const s = p.stream('s', { kind: 'nonBlocking' });
  const host = p.hostThread('main');
  host.launchKernel(k, s, {}, { label: 'k#0' });
  for (let i = 1; i <= 8; i++) {
    host.memcpyAsync(copy, bytes, s, { hostMemory: 'pinned' }, { label: `copy#${i}` });
    host.launchKernel(k, s, {}, { label: `k#${i}` });
  }
  host.deviceSynchronize();
  return p.build();
}
