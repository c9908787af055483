import { type HostThreadBuilder, type Program, type ProgramBuilder, programBuilder } from '@griddep/program';
import fc from 'fast-check';
import { callArbitrary, DATA, kernelArbitrary, perform, type RandomCall } from './random-program.fixture.ts';

/** The draw that is a collective of all devices. */
const COLLECTIVE = 4;
/** Fits every device of the catalogue. */
const MOST_SHARED = 96 << 10;

/**
 * Random programs over several devices: per device, streams with everything that one device does; events that streams of
 * other devices wait for, copies between devices with and without access, graphs, collectives of all, and one host thread
 * for all devices or one for each.
 */
export function severalDevices(devices: number): fc.Arbitrary<Program> {
  return fc
    .record({
      kernels: fc.array(kernelArbitrary, { minLength: 1, maxLength: 4 }),
      streams: fc.array(fc.constantFrom('blocking' as const, 'nonBlocking' as const), { minLength: 1, maxLength: 3 }),
      access: fc.array(fc.boolean(), { minLength: devices * devices, maxLength: devices * devices }),
      calls: fc.array(
        fc.record({ call: callArbitrary, device: fc.nat(devices - 1), across: fc.integer({ min: 0, max: 9 }) }),
        { minLength: 1, maxLength: 40 },
      ),
      threads: fc.boolean(),
    })
    .map(({ kernels, streams, access, calls, threads }) => {
      const p = programBuilder('random, several devices');
      p.buffer('data', { bytes: 3000 << 14 });
      for (const [i, k] of kernels.entries()) {
        const dynamicSharedMemory = Math.min(k.dynamicSharedMemory, MOST_SHARED);
        p.kernel(`k${i}`, { ...k, parameters: DATA, dynamicSharedMemory });
      }
      for (let d = 0; d < devices; d++) {
        if (d > 0) p.buffer(`data${d}`, { bytes: 3000 << 14, device: d });
        for (const [i, kind] of streams.entries()) p.stream(`d${d}s${i}`, { device: d, kind });
        p.stream(`legacy${d}`, { device: d, kind: 'legacy' });
      }
      const hosts = threads
        ? Array.from({ length: devices }, (_, device) => p.hostThread(`rank${device}`, { device }))
        : [p.hostThread('main')];
      // One that waits for all work of both devices would hold up the thread that is to call their part of a collective.
      const blockingPeerCopies = !threads || calls.every(({ across }) => across !== COLLECTIVE);
      const writer = new Writer(p, hosts, devices, streams.length, kernels.length, blockingPeerCopies);
      writer.enableAccess(access);
      for (const [i, { call, device, across }] of calls.entries()) writer.perform(call, device, across, i);
      for (let d = 0; d < devices; d++) writer.on(d).deviceSynchronize();
      return p.build();
    });
}

class Writer {
  private readonly p: ProgramBuilder;
  private readonly hosts: readonly HostThreadBuilder[];
  private readonly devices: number;
  private readonly streams: number;
  private readonly kernels: number;
  private readonly blockingPeerCopies: boolean;
  private current = 0;

  constructor(
    p: ProgramBuilder,
    hosts: readonly HostThreadBuilder[],
    devices: number,
    streams: number,
    kernels: number,
    blockingPeerCopies: boolean,
  ) {
    this.p = p;
    this.hosts = hosts;
    this.devices = devices;
    this.streams = streams;
    this.kernels = kernels;
    this.blockingPeerCopies = blockingPeerCopies;
  }

  /** The host thread of a device, or the only one with the device current. */
  on(device: number): HostThreadBuilder {
    const [only] = this.hosts as readonly [HostThreadBuilder];
    if (this.hosts.length > 1) return this.hosts[device] as HostThreadBuilder;
    if (this.current !== device) only.setDevice(device);
    this.current = device;
    return only;
  }

  enableAccess(access: readonly boolean[]): void {
    for (let d = 0; d < this.devices; d++) {
      for (let peer = 0; peer < this.devices; peer++) {
        if (peer !== d && access[d * this.devices + peer]) this.on(d).deviceEnablePeerAccess(peer);
      }
    }
  }

  perform(call: RandomCall, device: number, across: number, i: number): void {
    const host = this.on(device);
    const stream = `d${device}s${call.stream % this.streams}`;
    const other = (device + 1 + (call.other % (this.devices - 1))) % this.devices;
    if (across < 2) {
      const event = this.p.event(`x${i}`, { device, timing: call.pdl });
      host.eventRecord(event, stream);
      this.on(other).streamWaitEvent(`d${other}s${call.other % this.streams}`, event);
    } else if (across < 4) {
      const [from, to] = call.pdl ? [device, other] : [other, device];
      const third = `d${other}s0`;
      if (call.what % 7 === 0 && this.blockingPeerCopies) host.memcpyPeer(to, from, call.bytes, { stream });
      else host.memcpyPeerAsync(to, from, call.bytes, call.what % 5 === 0 ? third : stream);
    } else if (across === COLLECTIVE) {
      for (let d = 0; d < this.devices; d++) {
        const kind = (['allReduce', 'allGather', 'broadcast', 'allToAll'] as const)[call.other % 4] ?? 'allReduce';
        this.on(d).collective(kind, 'all', call.bytes, `d${d}s0`);
      }
    } else {
      const names = (n: number): string => `d${device}s${n % this.streams}`;
      const legacy = `legacy${device}`;
      perform(this.p, host, call, i, this.kernels, { names, legacy, device });
    }
  }
}
