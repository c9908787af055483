import { H100 } from '@griddep/machine';
import { describe, expect, test } from 'vitest';
import { deviceRules } from './launch-rules.ts';
import { after, command, HOST, play, RULES } from './runtime.fixture.ts';

const MIB = 2 ** 20;

describe('copies between devices', () => {
  test('6.9 without access they are staged: a call that takes its time for every buffer, two operations more', () => {
    const played = play((host) => {
      host.memcpyPeerAsync(1, 0, 3 * MIB, 'a');
      host.launchKernel('k', 'a');
    });
    const [copy, next] = played.issued;
    expect(copy?.cost).toBe(HOST.memcpyPeerStaged + 2 * HOST.memcpyPeerStagedChunk);
    expect(copy?.handedOver).toBe(HOST.memcpyPeerStaged);
    expect(copy?.staged).toEqual({ source: 0, destination: 1 });
    expect(command(played, 0, 'copy').staging).toEqual({ chunk: MIB, buffers: 2 });
    expect(next?.op).toBe(3);
  });

  test('6.9, 6.10 access in either direction, while it lasts, makes them direct', () => {
    const played = play((host) => {
      host.deviceEnablePeerAccess(1);
      host.memcpyPeerAsync(0, 1, 64, 'a');
      host.deviceDisablePeerAccess(1);
      host.memcpyPeerAsync(0, 1, 64, 'a');
    });
    expect([1, 3].map((call) => command(played, call, 'copy').staging === undefined)).toEqual([true, false]);
  });

  test('6.10 devices of different nodes have no access (217), and network adapters copy between them directly', () => {
    const nodes = [RULES[0] as (typeof RULES)[number], deviceRules(H100, 12030, 1)];
    const played = play((host) => {
      host.deviceEnablePeerAccess(1);
      host.memcpyPeerAsync(1, 0, 64, 'a');
    }, nodes);
    expect(played.codes).toEqual([217, 0]);
    expect(command(played, 1, 'copy').staging).toBeUndefined();
  });

  test('6.8 the blocking form comes after all work of both devices, the asynchronous one after its stream only', () => {
    const played = play((host) => {
      host.launchKernel('k', 'a');
      host.launchKernel('k', 'n');
      host.setDevice(1);
      host.launchKernel('k', 'far');
      host.memcpyPeer(1, 0, 64, { stream: 'a' });
      host.memcpyPeerAsync(1, 0, 64, 'b');
    });
    expect([after(played, 4), after(played, 5)]).toEqual([[1, 3], []]);
    expect(played.issued[4]?.block).toEqual({ on: 'streams', until: [[0, 4]] });
  });

  test('of a device that is not there: error 101', () => {
    expect(play((host) => host.memcpyPeerAsync(2, 0, 64, 'a')).codes).toEqual([101]);
  });
});
