import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { MAIN, workFolder } from './griddep.fixture.ts';

const { griddep } = workFolder();

const RING = ['run', '--scenario', 'ring-allreduce', '--set', 'devices=4', '--machine', 'h200x4'];

describe('griddep run --workers', () => {
  it('gives one hash whatever runs the devices', { timeout: 60_000 }, () => {
    const hash = (how: string) => JSON.parse(griddep([...RING, '--workers', how, '--json']).stdout).hash;
    const expected = hash('sequential');
    expect(['auto', '2', '3', 'per-device'].map(hash)).toEqual([expected, expected, expected, expected]);
  });

  it('tells how each shard did', { timeout: 30_000 }, () => {
    const { stdout } = griddep([...RING, '--workers', '2', '--stats']);
    expect(stdout).toMatch(/shard +devices +events +sent +received +promises +lookahead us +blocked/);
    expect(stdout).toMatch(/\n1 +\d-3 +\d+ +\d+ +\d+ +\d+ +\d+\.\d\d +\d+ %/);
    expect(griddep([...RING, '--workers', 'sequential', '--stats']).stdout).toContain('one thread: no shards');
  });

  it('refuses words it does not know, and more threads than the machine can start', { timeout: 30_000 }, () => {
    for (const how of ['some', '0', '-1', '1.5']) {
      const { code, stderr } = griddep([...RING, '--workers', how]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('sequential, auto, per-device, or a number from 1 on'),
      ]);
    }
    const { code, stderr } = griddep([...RING, '--workers', '999999']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/--workers 999999: 999999 threads; this machine can start \d+/),
    ]);
  });

  it('stops within a second at an interrupt', async () => {
    const long = ['--set', 'bytes=1GiB', '--set', 'chunkBytes=64KiB', '--workers', '2'];
    const child = spawn(process.execPath, [MAIN, ...RING, ...long], { stdio: ['ignore', 'ignore', 'pipe'] });
    // It has begun when it shows how far it is.
    await new Promise((resolve) => child.stderr.once('data', resolve));
    const sent = performance.now();
    child.kill('SIGINT');
    const signal = await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)));
    expect(signal).toBe('SIGINT');
    expect(performance.now() - sent).toBeLessThan(1000);
  }, 60_000);
});
