import { expect, test } from 'vitest';
import { HOST, play } from './runtime.fixture.ts';

test('6.10 peer access is per direction, enabled once (704), disabled where enabled (705), and of other devices (101)', () => {
  const { codes, issued } = play((host) => {
    host.deviceDisablePeerAccess(1);
    host.deviceEnablePeerAccess(1);
    host.deviceEnablePeerAccess(1);
    host.deviceEnablePeerAccess(0);
    host.deviceEnablePeerAccess(2);
    host.deviceDisablePeerAccess(2);
    host.setDevice(1);
    host.deviceDisablePeerAccess(0);
    host.deviceEnablePeerAccess(0);
    host.setDevice(0);
    host.deviceDisablePeerAccess(1);
    host.deviceEnablePeerAccess(1);
  });
  expect(codes).toEqual([705, 0, 704, 101, 101, 101, 0, 705, 0, 0, 0, 0]);
  expect(issued[1]?.cost).toBe(HOST.peerAccess);
  expect(issued[2]?.error?.message).toBe('access from device 0 to device 1 is enabled already (rule 6.10)');
});
