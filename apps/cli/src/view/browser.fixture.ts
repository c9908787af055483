import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { MAIN } from '../griddep.fixture.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Pictures of the pages, for people to look at; not part of the repository. */
const PICTURES = fileURLToPath(new URL('../../../../out/screenshots/', import.meta.url));

export interface OpenedPage {
  readonly page: Page;
  /** Addresses that were asked for and are not the page's own. */
  readonly strangers: string[];
  /** Errors of the page, and what its policy refused. */
  readonly problems: string[];
}

/** A browser for the tests of a file, and pages in it that notice every request and error. */
export function browserFixture() {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = BROWSERS.find((path) => existsSync(path));
    if (executablePath === undefined) throw new Error('these tests need chromium: apt-get install chromium');
    browser = await chromium.launch({ executablePath, args: FLAGS });
    mkdirSync(PICTURES, { recursive: true });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    for (const kill of started) kill('SIGKILL');
  });
  const open = async (url: string, options: { readonly scripts?: boolean } = {}): Promise<OpenedPage> => {
    if (browser === undefined) throw new Error('no browser');
    const context = await browser.newContext({
      viewport: { width: 1400, height: 850 },
      javaScriptEnabled: options.scripts ?? true,
    });
    const page = await context.newPage();
    const strangers: string[] = [];
    const problems: string[] = [];
    const own = url.startsWith('file:') ? url.replace(/#.*/, '') : new URL(url).origin;
    page.on('request', (request) => {
      const asked = request.url();
      if (!asked.startsWith(own) && !/^(blob|data):/.test(asked)) strangers.push(asked);
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(url);
    return { page, strangers, problems };
  };
  return { open, picture: (page: Page, name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) }) };
}

/** A command that serves a page. */
export interface Serving {
  readonly url: string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** How it ended: its exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** What a file's tests have started: it is no time to register an end of its own when a test runs. */
const started = new Set<Serving['kill']>();

/** Starts a command that serves a page, and gives the address that it prints; it ends with `browserFixture`'s browser. */
export async function serving(args: readonly string[]): Promise<Serving> {
  const child = spawn(process.execPath, [MAIN, ...args, '--no-open'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  started.add(kill);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  let printed = '';
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    const seek = () => {
      const found = /http:\/\/127\S+\/(?=\s)/.exec(printed + complaints)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      seek();
    });
    child.stderr.on('data', seek);
    child.on('exit', (code) => reject(new Error(`griddep view ended with ${code}: ${complaints}`)));
  });
  return { url, kill, ended };
}

/** The address alone. */
export async function served(args: readonly string[]): Promise<string> {
  return (await serving(args)).url;
}

/** Waits until the page has opened its data. */
export async function ready(page: Page): Promise<void> {
  await page.waitForSelector('html[data-ready]', { timeout: 30_000 });
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Fails with what axe finds. Its script comes by the debugger's way, which the page's policy does not stop. */
export async function expectAccessible(page: Page): Promise<void> {
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const result = (await page.evaluate('axe.run()')) as AxeResult;
  expect(
    result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`),
  ).toEqual([]);
}
