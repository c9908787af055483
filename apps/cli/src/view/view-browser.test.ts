import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { makeOperation, makeTimeline, writeTimeline } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { workFolder } from '../griddep.fixture.ts';
import { browserFixture, expectAccessible, ready, served } from './browser.fixture.ts';

const { open, picture } = browserFixture();
const { path, write, griddep } = workFolder();
const CHAIN = ['view', '--scenario', 'decode-chain', '--set', 'layers=4'];
const MINUTE = 60_000;

describe('griddep view', () => {
  it(
    'opens the decode chain: selects, tells the cause, zooms, measures, searches',
    async () => {
      const { page, strangers, problems } = await open(await served(CHAIN));
      await ready(page);
      await picture(page, 'decode-chain');
      await expectAccessible(page);
      await page.locator('#scroll').focus();
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      expect(await page.locator('#selection h2').textContent()).toBe('act');
      const why = (await page.locator('#why').textContent()) ?? '';
      const [, cause] = /^It started at \d+\.\d+ us: (?:trigger|resources \([^)]*\)) of (\w+)#\d+ at/.exec(why) ?? [];
      expect(cause).toMatch(/^(up|rms|proj)$/);
      await page.keyboard.press('f');
      await page.keyboard.press('m');
      await picture(page, 'selected');
      await expectAccessible(page);
      const span = () => page.evaluate('griddepView.viewport.to - griddepView.viewport.from') as Promise<number>;
      const before = await span();
      await page.keyboard.press('w');
      expect(await span()).toBeCloseTo(before / 1.3, -3);
      await page.keyboard.press('[');
      expect(await page.locator('#selection h2').textContent()).toBe(cause);
      await page.keyboard.press('/');
      await page.keyboard.type('ATTN');
      await expect.poll(() => page.locator('#found summary').textContent()).toBe('Found (4)');
      await picture(page, 'search');
      await page.locator('#search').fill('');
      await page.locator('#critical-path').click();
      await expect.poll(() => page.locator('#critical li').count()).toBeGreaterThan(3);
      await page.locator('#arrows').click();
      await page.locator('#fit').click();
      await picture(page, 'critical-path');
      await page.locator('#help-open').click();
      await picture(page, 'help');
      await expectAccessible(page);
      expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
    },
    MINUTE,
  );

  it(
    '1.1 shows another makespan when the PDL attribute is taken from a kernel, and axe finds nothing in the dark',
    async () => {
      const { page, strangers, problems } = await open(await served(CHAIN));
      await ready(page);
      await page.locator('#edit summary').click();
      await page.selectOption('#edit-kernel', 'qkv');
      await page.selectOption('#edit-pdl', 'off');
      await page.waitForSelector('#makespan-change');
      const text = (await page.locator('#makespan-change').textContent()) ?? '';
      const [, before, after] = /makespan ([\d.]+) us, then ([\d.]+) us/.exec(text) ?? [];
      expect(Number(after)).toBeGreaterThan(Number(before));
      await page.locator('#theme').click();
      await picture(page, 'edited-dark');
      await expectAccessible(page);
      await page.locator('#edit-machine').selectOption('a100');
      await expect.poll(() => page.locator('#runs').textContent()).toContain('a100');
      await page.locator('#edit-reset').click();
      await expect.poll(() => page.locator('#makespan-change').count()).toBe(0);
      expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
    },
    MINUTE,
  );

  it(
    'opens a run on eight devices and compares two runs, each operation with its partner',
    async () => {
      const decode = ['--scenario', 'tensor-parallel-decode', '--set', 'devices=8', '--machine', 'h200x8'];
      const { stderr } = griddep(['run', ...decode, '--save', 'a.json']);
      expect(stderr).toBe('');
      griddep(['run', ...decode, '--set', 'pdl=false', '--save', 'b.json']);
      const { page, strangers, problems } = await open(await served(['view', path('a.json'), path('b.json')]));
      await ready(page);
      await picture(page, 'two-runs');
      await expectAccessible(page);
      expect(await page.locator('#makespan-change').textContent()).toMatch(/makespan [\d.]+ us, then [\d.]+ us: \+/);
      await page.locator('#changes button').first().click();
      const partner = await page.evaluate('griddepView.changes.partner(griddepView.selection)');
      expect(partner).toMatchObject({ run: 1 });
      await picture(page, 'changed-operation');
      expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
    },
    MINUTE,
  );

  it(
    'expands to SMs and blocks',
    async () => {
      const { page, problems } = await open(await served([...CHAIN, '--blocks']));
      await ready(page);
      await page.getByRole('button', { name: 'SMs and blocks' }).click();
      await page.getByRole('button', { name: 'hardware queues' }).click();
      expect(
        await page.evaluate("griddepView.rows.filter((row) => row.title.startsWith('SM ')).length"),
      ).toBeGreaterThan(131);
      await page.evaluate(
        "document.getElementById('scroll').scrollTo(0, griddepView.rows.find((row) => row.title === 'SM 0').top - 100)",
      );
      await page.locator('#canvas').click({ position: { x: 186, y: 108 } });
      expect(await page.locator('#selection').textContent()).toContain('block');
      await picture(page, 'blocks');
      await expectAccessible(page);
      expect(problems).toEqual([]);
    },
    MINUTE,
  );

  it(
    'shows hostile names as text, one of them a megabyte long',
    async () => {
      const name = `<img src=x onerror=alert(1)></script><script>alert(2)</script>`;
      const long = name + 'x'.repeat(2 ** 20);
      const program = {
        schema: 'griddep/program@1',
        name,
        kernels: { [name]: { grid: 1, block: 32, phases: [{ spin: '1us' }] } },
        streams: { [`s"'${name}`]: { kind: 'nonBlocking' } },
        calls: [{ launchKernel: { kernel: name, stream: `s"'${name}`, label: `a${name}` } }, { deviceSynchronize: {} }],
      };
      write('hostile.json', JSON.stringify(program));
      griddep(['run', 'hostile.json', '--save', 'timeline.json']);
      write(
        'long.json',
        readFileSync(path('timeline.json'), 'utf8').replaceAll(JSON.stringify(`a${name}`), JSON.stringify(long)),
      );
      for (const file of ['hostile.json', 'long.json']) {
        const { page, strangers, problems } = await open(await served(['view', path(file)]));
        await ready(page);
        await page.locator('#scroll').focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        expect(await page.locator('#selection h2').textContent()).toBe(name);
        expect(await page.locator('#selection img, #selection script').count()).toBe(0);
        await picture(page, file.replace('.json', ''));
        await expectAccessible(page);
        expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
      }
    },
    2 * MINUTE,
  );

  it(
    'holds a program in the fragment of a link, and opens files that are dropped',
    async () => {
      griddep([...CHAIN, '-o', 'page.html']);
      const page = `file://${path('page.html')}`;
      const first = await open(page);
      await ready(first.page);
      expect(await first.page.locator('#runs').textContent()).toContain('decode-chain');
      const link = (await first.page.evaluate('griddepView.link()')) as string;
      const html = readFileSync(path('page.html'), 'utf8');
      write('empty.html', html.replace(/\{"base64":"[^"]*"\}/, 'null'));
      const empty = await open(`file://${path('empty.html')}${link.slice(link.indexOf('#'))}`);
      await ready(empty.page);
      expect(await empty.page.locator('#runs').textContent()).toContain('makespan');
      const plain = await open(`file://${path('empty.html')}`);
      await ready(plain.page);
      await expectAccessible(plain.page);
      griddep(['run', '--scenario', 'fork-join', '--save', 'fork.json']);
      await plain.page.locator('#file').setInputFiles([path('fork.json')]);
      await expect.poll(() => plain.page.locator('#runs').textContent()).toContain('fork-join');
      await plain.page.locator('#file').setInputFiles({ name: 'x.json', mimeType: '', buffer: Buffer.from('{"a": }') });
      await expect.poll(() => plain.page.locator('#status').textContent()).toContain('x.json');
      for (const { strangers, problems } of [first, empty, plain]) {
        expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
      }
    },
    MINUTE,
  );

  it(
    'shows a kernel of one block among thousands that are narrower than a pixel',
    async () => {
      const operations = (blocks: number) =>
        Array.from({ length: 40_000 }, (_, i) => {
          const isOdd = i === 23_456;
          const start = i * 1e6;
          return makeOperation({ id: `k#${i}`, start, end: start + (isOdd ? 1 : 9e5), blocks: isOdd ? blocks : 132 });
        });
      write('one.json', writeTimeline(makeTimeline(operations(1))));
      write('none.json', writeTimeline(makeTimeline(operations(132))));
      const darkPixels = async (file: string) => {
        const { page } = await open(await served(['view', path(file)]));
        await ready(page);
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        // The upper edge of the lane, which only the notch reaches.
        return (await page.evaluate(`(() => {
        const row = griddepView.rows.find((each) => each.lane !== undefined);
        const canvas = document.getElementById('canvas');
        const { data } = canvas.getContext('2d').getImageData(151, row.top + 2, canvas.width - 151, 1);
        return data.filter((value, i) => i % 4 === 0 && value < 64).length;
      })()`)) as number;
      };
      expect(await darkPixels('one.json')).toBeGreaterThanOrEqual(1);
      expect(await darkPixels('none.json')).toBe(0);
    },
    MINUTE,
  );

  it(
    'answers nobody who does not know its address, or calls it by another name',
    async () => {
      const url = new URL(await served(CHAIN));
      const status = (target: string, host = url.host) =>
        new Promise((resolve) =>
          get({ port: url.port, host: '127.0.0.1', path: target, headers: { host } }, (response) => {
            response.resume();
            resolve(response.statusCode);
          }),
        );
      expect(await status(`${url.pathname}data`)).toBe(200);
      expect(await status('/')).toBe(404);
      expect(await status('/data')).toBe(404);
      expect(await status(`${url.pathname}data`, 'evil.example')).toBe(404);
    },
    MINUTE,
  );
});

describe('griddep run --view', () => {
  it(
    'shows where the run is while it simulates, then its timeline, and ends when interrupted',
    async () => {
      const decode = ['--scenario', 'tensor-parallel-decode', '--set', 'devices=2', '--machine', 'h200x2'];
      const { page, strangers, problems } = await open(await served(['run', ...decode, '--workers', '2', '--view']));
      await ready(page);
      await expect.poll(() => page.locator('#runs').textContent()).toContain('h200x2');
      expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
    },
    MINUTE,
  );
});

describe('griddep report', () => {
  it(
    'is a page with pictures, tables and the program, with scripts off',
    async () => {
      const { code, stderr } = griddep([
        'report',
        '--scenario',
        'decode-chain',
        '-o',
        'report.html',
        '--pair',
        'rms#0,qkv#1',
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { page, strangers, problems } = await open(`file://${path('report.html')}`, { scripts: false });
      expect(await page.locator('.picture > svg').count()).toBe(3);
      expect(await page.locator('table').count()).toBeGreaterThan(2);
      expect(await page.locator('pre').textContent()).toContain('griddep/program@1');
      await picture(page, 'report');
      await page.locator('#pair').scrollIntoViewIfNeeded();
      await picture(page, 'report-pair');
      expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
      const scripted = await open(`file://${path('report.html')}`);
      await expectAccessible(scripted.page);
    },
    MINUTE,
  );

  it('names the pair that it cannot draw', () => {
    const { code, stderr } = griddep([
      'report',
      '--scenario',
      'decode-chain',
      '-o',
      'x.html',
      '--pair',
      'rms#0,nothing',
    ]);
    expect(code).toBe(2);
    expect(stderr).toBe('griddep: --pair: there is no operation "nothing"\n');
  });
});
