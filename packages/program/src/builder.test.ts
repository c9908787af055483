import { describe, expect, it } from 'vitest';
import { programBuilder, spin, trigger, wait } from './index.ts';

function small() {
  const p = programBuilder('small');
  p.kernel('rms', { grid: 32, block: 256, phases: [spin('500ns'), trigger(), wait()] });
  p.stream('s0', { kind: 'nonBlocking' });
  p.event('done');
  return p;
}

/** What JavaScript, or a cast, may pass. */
const wrong = (value: unknown) => value as never;

describe('builder', () => {
  it('fills in defaults', () => {
    const p = small();
    const h = p.hostThread('main');
    h.range('layer', () => h.launchKernel('rms', 's0', { programmaticStreamSerialization: true }, { label: 'rms#0' }));
    const program = p.build();
    expect(program.kernels.get('rms')).toMatchObject({
      grid: [32, 1, 1],
      registersPerThread: 32,
      griddepcontrol: true,
    });
    const calls = program.threads[0]?.calls;
    expect(calls?.length).toBe(3);
    expect(calls?.at(1)).toEqual({
      kind: 'launchKernel',
      kernel: 'rms',
      stream: 's0',
      attributes: { programmaticStreamSerialization: true },
    });
    expect([calls?.label(1), calls?.path(1)]).toEqual(['rms#0', 'layer']);
  });

  it('makes the default streams on first use, unless declared', () => {
    const p = small();
    const h = p.hostThread();
    h.memcpy('hostToDevice', '4KiB');
    h.eventRecord('done', 'perThread');
    h.setDevice(1);
    h.memset('1KiB');
    const { streams } = p.build();
    expect(streams.get('legacy')).toEqual({ name: 'legacy', device: 0, kind: 'legacy', priority: 0 });
    expect(streams.get('perThread')?.kind).toBe('perThread');
    expect(streams.get('legacy1')).toEqual({ name: 'legacy1', device: 1, kind: 'legacy', priority: 0 });
    const q = programBuilder('declared');
    expect(q.stream('legacy', { device: 1 })).toMatchObject({ device: 1, kind: 'legacy' });
  });

  it("5.3 a default stream is the current device's, by whatever call it is named", () => {
    const p = small();
    const h = p.hostThread();
    h.launchKernel('rms', 'legacy');
    h.setDevice(1);
    h.launchKernel('rms', 'legacy');
    h.eventRecord('done', 'perThread');
    h.setDevice(0);
    h.launchKernel('rms', 'legacy');
    h.memset('1KiB');
    const { threads } = p.build();
    const calls = Array.from({ length: h.length }, (_, i) => threads[0]?.calls.at(i) as { stream?: string });
    const named = calls.map(({ stream }) => stream).filter((stream) => stream !== undefined);
    expect(named).toEqual(['legacy', 'legacy1', 'perThread1', 'legacy', 'legacy']);
  });

  it('7.12 takes a PTX kernel as file#kernel with its duration beside it', () => {
    const p = small();
    p.kernel('short', { grid: 1, block: 1, ptx: 'a#b.ptx#k', duration: '2us' });
    p.kernel('long', { grid: 1, block: 1, ptx: { file: 'a#b.ptx', entry: 'k', duration: '2us' } });
    const { kernels } = p.build();
    expect(kernels.get('short')?.body).toEqual({ kind: 'ptx', file: 'a#b.ptx', entry: 'k', duration: 2_000_000 });
    expect(kernels.get('long')?.body).toEqual(kernels.get('short')?.body);
  });

  it('takes the kind of host memory from the host buffer', () => {
    const p = small();
    p.buffer('h', { bytes: '1MiB', space: 'host', hostMemory: 'pinned' });
    const h = p.hostThread();
    h.memcpyAsync('hostToDevice', '4KiB', 's0', { source: 'h' });
    h.memcpyAsync('hostToDevice', '4KiB', 's0');
    const calls = p.build().threads[0]?.calls;
    expect(calls?.at(0)).toMatchObject({ hostMemory: 'pinned', source: { buffer: 'h', offset: 0, bytes: 4096 } });
    expect(calls?.at(1)).toMatchObject({ hostMemory: 'pageable' });
  });

  it.each<[string, (p: ReturnType<typeof small>) => unknown]>([
    ['unknown kernel "rsm" (did you mean "rms"?)', (p) => p.hostThread().launchKernel('rsm', 's0')],
    ['unknown stream "s" (did you mean "s0"?)', (p) => p.hostThread().launchKernel('rms', 's')],
    ['kernel "rms" is declared twice', (p) => p.kernel('rms', { grid: 1, block: 1, phases: [] })],
    ['at most 1024 threads, got 2048', (p) => p.kernel('x', { grid: 1, block: [64, 32], phases: [] })],
    ['grid.y must be a whole number from 1', (p) => p.kernel('x', { grid: [1, 0], block: 1, phases: [] })],
    ['has no body', (p) => p.kernel('x', { grid: 1, block: 1 })],
    ['ptx: expected file#kernel', (p) => p.kernel('x', { grid: 1, block: 1, ptx: 'k.ptx' })],
    [
      'observer goes with duration',
      (p) => p.kernel('x', { grid: 1, block: 1, ptx: 'f#k', duration: 1, observer: 'blocks' }),
    ],
    ['has several bodies', (p) => p.kernel('x', { grid: 1, block: 1, phases: [], duration: 1 })],
    ['never popped', (p) => [p.hostThread().rangePush('r'), p.build()]],
    ['without a range', (p) => p.hostThread().rangePop()],
    ['unknown executable "x"', (p) => [p.hostThread().graphLaunch('x', 's0'), p.build()]],
    ['unknown buffer', (p) => p.hostThread().malloc('__proto__')],
    [
      'expected a stream (declared, or its name), got nothing',
      (p) => p.hostThread().streamSynchronize(wrong(undefined)),
    ],
    ['expected an event (declared, or its name), got 3', (p) => p.hostThread().eventRecord(wrong(3), 's0')],
  ])('refuses: %s', (problem, act) => {
    expect(() => act(small())).toThrow(problem);
  });

  it.each<[string, (p: ReturnType<typeof small>) => unknown]>([
    [
      'attributes: unknown key "programmaticStreamSerialisation" (did you mean "programmaticStreamSerialization"?)',
      (p) => p.hostThread().launchKernel('rms', 's0', wrong({ programmaticStreamSerialisation: true })),
    ],
    [
      'programmaticStreamSerialization must be true or false, got "yes"',
      (p) => p.hostThread().launchKernel('rms', 's0', wrong({ programmaticStreamSerialization: 'yes' })),
    ],
    [
      'programmaticEvent: unknown key "evnt" (did you mean "event"?)',
      (p) => p.hostThread().launchKernel('rms', 's0', wrong({ programmaticEvent: { evnt: 'done' } })),
    ],
    [
      'options of launchKernel: unknown key "attributes"; valid are label, at, args',
      (p) => p.hostThread().launchKernel('rms', 's0', undefined, wrong({ attributes: {} })),
    ],
    [
      'unknown key "lable" (did you mean "label"?)',
      (p) => p.hostThread().eventRecord('done', 's0', wrong({ lable: 'x' })),
    ],
    [
      'unknown key "desination" (did you mean "destination"?)',
      (p) => p.hostThread().memcpyAsync('hostToDevice', 1, 's0', wrong({ desination: 'x' })),
    ],
    ['eventRecord: unknown key "evt"', (p) => p.hostThread().add('eventRecord', wrong({ evt: 'done', stream: 's0' }))],
    ['range: unknown key "bufer"', (p) => p.hostThread().hostRead(wrong({ bufer: 'x' }))],
    [
      'kernel "k": unknown key "gird" (did you mean "grid"?)',
      (p) => p.kernel('k', wrong({ gird: 1, grid: 1, block: 1, phases: [] })),
    ],
    [
      'phase load: unknown key "rnage"',
      (p) => p.kernel('k', { grid: 1, block: 1, phases: [wrong({ op: 'load', bytes: 1, rnage: 'x' })] }),
    ],
    [
      'unknown phase "spn" (did you mean "spin"?)',
      (p) => p.kernel('k', { grid: 1, block: 1, phases: [wrong({ op: 'spn' })] }),
    ],
    [
      'launchBounds: unknown key',
      (p) => p.kernel('k', { grid: 1, block: 1, phases: [], launchBounds: wrong({ max: 1 }) }),
    ],
    ['stream "t": unknown key "prioritiy"', (p) => p.stream('t', wrong({ prioritiy: 1 }))],
    ['event "t": unknown key "timming"', (p) => p.event('t', wrong({ timming: false }))],
    ['buffer "t": unknown key "byte"', (p) => p.buffer('t', wrong({ byte: 1 }))],
    ['host thread "t": unknown key "callgap"', (p) => p.hostThread('t', wrong({ callgap: '1us' }))],
    ['programBuilder: unknown key "parms"', () => programBuilder('x', wrong({ parms: {} }))],
  ])('refuses unknown options: %s', (problem, act) => {
    expect(() => act(small())).toThrow(problem);
  });

  it('names the argument when a copy has them in the order of CUDA', () => {
    const p = small();
    const [x, input] = [p.buffer('x', { bytes: 64 }), p.buffer('input', { bytes: 64, space: 'host' })];
    const copy = p.hostThread().memcpyAsync.bind(p.hostThread('t')) as (...args: unknown[]) => number;
    expect(() => copy(x, input, 64, 'hostToDevice', 's0')).toThrow(
      'copy kind expected first, one of hostToDevice, deviceToHost, deviceToDevice, hostToHost, got the object "x"; the order is (copy, bytes, stream,',
    );
    expect(() => copy('hostToDvice', 64, 's0')).toThrow('(did you mean "hostToDevice"?)');
  });

  it('refuses copies whose buffers lie on the other side', () => {
    const p = small();
    p.buffer('d', { bytes: 64 });
    p.buffer('h', { bytes: 64, space: 'host' });
    const h = p.hostThread();
    expect(() => h.memcpyAsync('hostToDevice', 64, 's0', { source: 'd', destination: 'h' })).toThrow(
      'the source of a hostToDevice copy is host memory, but buffer "d" lies on the device (source and destination the other way round?)',
    );
    expect(() => h.memcpy('deviceToDevice', 64, { destination: 'h' })).toThrow('buffer "h" lies on the host');
    h.memcpyAsync('deviceToHost', 64, 's0', { source: 'd', destination: 'h' });
  });

  it('names the cycle of a graph', () => {
    const p = small();
    const call = { launchKernel: { kernel: 'rms', stream: 's0' } };
    const nodes = ['a', 'b', 'c'].map((id) => ({ id, call }));
    p.graph('g', nodes, [
      ['a', 'b'],
      ['b', 'c', 'programmatic'],
      ['c', 'b'],
    ]);
    expect(() => p.build()).toThrow('graph "g" has a cycle: b -> c -> b');
  });

  it('accepts names of object properties', () => {
    const p = small();
    p.stream('constructor');
    p.hostThread().launchKernel('rms', 'constructor', undefined, { label: 'toString' });
    expect(p.build().streams.get('constructor')?.name).toBe('constructor');
  });

  it('refuses names that are no line of text', () => {
    const p = small();
    const h = p.hostThread();
    const node = { id: 'a\0', call: { launchKernel: { kernel: 'rms', stream: 's0' } } };
    const long = 'a'.repeat(1001);
    const control = 'must not hold control characters, this one has U+';
    expect(() => programBuilder('a\n')).toThrow(`program: a name ${control}000A`);
    expect(() => p.stream('a\u001b[31m')).toThrow(`stream: a name ${control}001B`);
    expect(() => p.hostThread(long)).toThrow('host thread: a name has at most 1000 characters, this one has 1001');
    expect(() => p.graph('g', [node])).toThrow(`node: a name ${control}0000`);
    expect(() => h.launchKernel('rms', 's0', undefined, { label: '\t' })).toThrow(`label: a name ${control}0009`);
    expect(() => h.rangePush(long)).toThrow('range: a name has at most 1000 characters');
  });

  it('stores a loop of equal calls once', () => {
    const p = small();
    const h = p.hostThread();
    for (let i = 0; i < 10_000; i++) h.launchKernel('rms', 's0');
    const calls = p.build().threads[0]?.calls;
    expect([calls?.length, calls?.distinct]).toEqual([10_000, 1]);
  });
});

describe('words and flags from code that is not type checked', () => {
  const wrong = (value: unknown) => value as never;
  it.each<[string, (p: ReturnType<typeof programBuilder>) => unknown, RegExp]>([
    ['stream kind', (p) => p.stream('s', { kind: wrong('nonblocking') }), /kind must be one of .*"nonblocking"/],
    ['event timing', (p) => p.event('e', { timing: wrong('no') }), /timing must be true or false, got "no"/],
    ['buffer space', (p) => p.buffer('b', { bytes: 1, space: wrong('hots') }), /space must be one of device, host/],
    ['host memory', (p) => p.buffer('b', { bytes: 1, hostMemory: wrong('pined') }), /hostMemory must be one of pinned/],
    [
      'fence scope',
      (p) => p.kernel('k', { grid: 1, block: 32, phases: [{ op: 'fence', scope: wrong('devise') }] }),
      /scope must be one of block, device, system/,
    ],
    [
      'capture mode',
      (p) => p.hostThread().streamBeginCapture(p.stream('s'), wrong('relxed')),
      /mode must be one of global, threadLocal, relaxed/,
    ],
  ])('%s', (_, act, message) => {
    expect(() => act(programBuilder('p'))).toThrow(message);
  });
});
