// `node dist/viewer.js [--count N]` opens N intervals (1,000,000) in a headless chromium and prints how long that took, how
// many frames a second panning and zooming make, and what the page's process held in memory.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { packView, VIEWER_PAGE } from '@griddep/viewer';
import { type Browser, chromium } from 'playwright-core';
import { manyIntervals } from './many-intervals.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    browser: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** Pans and zooms through the whole, a step a frame, and gives the frames a second. */
const PAN_AND_ZOOM = `new Promise((resolve) => {
  const view = griddepView, frames = 150, slowest = [];
  let left = frames, before = performance.now(), last = before;
  const step = () => {
    const now = performance.now();
    slowest.push(now - last);
    last = now;
    if (left-- === 0) return resolve({ fps: frames * 1000 / (now - before), slowest: Math.max(...slowest), draw: view.drawTime });
    const phase = frames - left;
    if (phase % 3 === 0) view.panBy(phase < frames / 2 ? 0.03 : -0.03); else view.zoomBy(phase < frames / 2 ? 1 / 1.12 : 1.12);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

const bytes = packView([{ title: 'many intervals', findings: [], columns: manyIntervals(Number(values.count)) }]);
const page = readFileSync(VIEWER_PAGE, 'utf8').replace('>null</script>', '>{"data":"data"}</script>');
const server = createServer((request, response) => response.end(request.url === '/data' ? bytes : page));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const browser = await chromium.launch({ executablePath: values.browser, args: FLAGS });
try {
  const tab = await browser.newPage({ viewport: { width: 1400, height: 850 } });
  const before = performance.now();
  await tab.goto(url);
  await tab.waitForSelector('html[data-ready]', { timeout: 120_000 });
  await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const opened = performance.now() - before;
  const { fps, slowest } = (await tab.evaluate(PAN_AND_ZOOM)) as { fps: number; slowest: number };
  const memory = await memoryOf(browser);
  console.table([
    {
      intervals: values.count,
      'MB of data': Math.round(bytes.length / 2 ** 20),
      'opens in s': (opened / 1000).toFixed(2),
      'frames a second': fps.toFixed(1),
      'slowest frame ms': slowest.toFixed(0),
      'MB now': memory.now,
      'MB at most': memory.most,
    },
  ]);
} finally {
  await browser.close();
  server.close();
}

/** Resident memory of the largest renderer process, MB. */
async function memoryOf(of: Browser): Promise<{ readonly now: number; readonly most: number }> {
  const session = await of.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: readonly { readonly type: string; readonly id: number }[];
  };
  const megabytes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
      return { now: read('VmRSS'), most: read('VmHWM') };
    });
  return megabytes.sort((a, b) => b.now - a.now)[0] ?? { now: 0, most: 0 };
}
