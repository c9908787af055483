import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MAIN, PROGRAM, workFolder } from './griddep.fixture.ts';

const { folder, path, write, griddep } = workFolder();

it('griddep run --watch runs again when the file changed, tells what is wrong with it, and ends when interrupted', async () => {
  write('p.yaml', PROGRAM);
  const child = spawn(process.execPath, [MAIN, 'run', '--watch', 'p.yaml', '--width', '60'], { cwd: folder });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const runs = () => stdout.match(/^hash /gm)?.length ?? 0;
  await expect.poll(() => stderr, { timeout: 20_000 }).toContain('watching p.yaml');
  expect(runs()).toBe(1);
  writeFileSync(path('p.yaml'), PROGRAM.replace('1us', '9us'));
  await expect.poll(runs, { timeout: 20_000 }).toBe(2);
  expect(stdout).toMatch(/makespan 1\.\d us.*makespan 9\.\d us/s);
  writeFileSync(path('p.yaml'), PROGRAM.replace('stream: s0 }', 'stream: nothing }'));
  await expect.poll(() => stderr, { timeout: 20_000 }).toMatch(/p\.yaml:\d+:\d+: .*nothing/);
  writeFileSync(path('p.yaml'), PROGRAM);
  await expect.poll(runs, { timeout: 20_000 }).toBe(3);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
}, 90_000);

it('griddep run --watch refuses what is no file', () => {
  expect(griddep(['run', '--watch', '--scenario', 'fork-join'])).toMatchObject({
    code: 2,
    stderr: 'griddep: --watch needs a file\n',
  });
});

it('griddep run --watch --view is refused at once', () => {
  const p = write('both.yaml', PROGRAM);
  expect(griddep(['run', p, '--watch', '--view', '--no-open'])).toMatchObject({
    code: 2,
    stderr: 'griddep: --view and --watch exclude each other\n',
  });
});
