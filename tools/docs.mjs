// Makes what is generated in README.md and docs/: tables, examples, the output of commands, pictures; and tries every
// griddep command and script of the pages. `npm run docs` writes, with `-- --check` it only says what is out of date, and fails.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { commandsOf, emptyBlocks, fillBlocks, scriptsOf } from './doc-blocks.mjs';
import { readTests } from './read-tests.mjs';
import { readRules, ruleProblems, rulesPage } from './rules-and-tests.mjs';
import { listWorkspaces, readJson, repositoryRoot } from './workspaces.mjs';

const RULES = 'docs/RULES.md';
const RULES_AND_TESTS = 'docs/rules-and-tests.md';
const PICTURES = 'docs/pictures';
/** Folders of inputs that the pages' commands name. */
const INPUTS = ['docs/examples', 'packages/hardware/cases', 'packages/importers/src/fixtures'];
/** Pages that a command prints whole. */
const PRINTED = { 'docs/trust.md': 'griddep trust --markdown', 'docs/ablation.md': 'griddep ablate --markdown' };
const check = process.argv.includes('--check');
const scratch = mkdtempSync(join(tmpdir(), 'griddep-docs-'));
/** @type {string[]} */
const problems = [];

/** Commands run in a copy of the examples, so that a check leaves the repository alone. */
function prepareScratch() {
  for (const folder of INPUTS) cpSync(join(repositoryRoot, folder), join(scratch, folder), { recursive: true });
  mkdirSync(join(scratch, PICTURES));
  symlinkSync(join(repositoryRoot, 'node_modules'), join(scratch, 'node_modules'), 'junction');
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  const main = join(repositoryRoot, 'apps/cli/dist/main.js');
  writeFileSync(join(bin, 'griddep'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(join(bin, 'griddep'), 0o755);
}

/** @param {string} page @param {string} command @returns {string} what it prints */
function execute(page, command) {
  const env = { ...process.env, PATH: `${join(scratch, 'bin')}${delimiter}${process.env.PATH}` };
  // A command that fails before a pipe must not pass for one that prints nothing.
  const run = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
    cwd: scratch,
    env,
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (run.status !== 0) problems.push(`${page}: \`${command}\` ends with ${run.status}: ${run.stderr.trim()}`);
  return run.stdout;
}

/** @param {string} path relative to the root @param {string} content */
function settle(path, content) {
  const target = join(repositoryRoot, path);
  if (existsSync(target) && readFileSync(target, 'utf8') === content) return;
  if (check) {
    problems.push(`${path} is not current: run npm run docs`);
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  process.stdout.write(`${path} written\n`);
}

/** @returns {import('./rules-and-tests.mjs').NamedTest[]} every test, in order of files */
function listTests() {
  const folders = ['tools', ...listWorkspaces().map(({ path }) => `${path}/src`)];
  const files = folders.flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.(ts|mjs)$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  return files.sort().flatMap((file) => {
    const tests = readTests(file, readFileSync(join(repositoryRoot, file), 'utf8'));
    return tests.map((test) => ({ file, ...test }));
  });
}

/** The page from rules to tests. */
function settleRules() {
  const rules = readRules(readFileSync(join(repositoryRoot, RULES), 'utf8'));
  const tests = listTests();
  const elsewhere = readJson(join(repositoryRoot, 'tools/rules-elsewhere.json'));
  problems.push(...ruleProblems(rules, tests, elsewhere));
  settle(RULES_AND_TESTS, rulesPage(rules, tests, elsewhere));
}

/** @returns {string[]} every page, relative to the root */
function listPages() {
  const docs = readdirSync(join(repositoryRoot, 'docs')).filter((name) => name.endsWith('.md'));
  const packages = listWorkspaces().map(({ path }) => `${path}/README.md`);
  return ['README.md', ...docs.sort().map((name) => `docs/${name}`), ...packages].filter((path) =>
    existsSync(join(repositoryRoot, path)),
  );
}

try {
  prepareScratch();
  const { builderMarkdown, scenariosMarkdown } = await import('@griddep/program');
  const { machinesMarkdown } = await import('@griddep/machine');
  /** @type {Record<string, () => string>} */
  const parts = { builder: builderMarkdown, scenarios: scenariosMarkdown, machines: machinesMarkdown };
  settleRules();
  for (const [page, command] of Object.entries(PRINTED)) settle(page, execute(page, command));
  for (const page of listPages()) {
    const text = readFileSync(join(repositoryRoot, page), 'utf8');
    for (const command of commandsOf(text)) execute(page, command);
    scriptsOf(text).forEach((script, i) => {
      const name = `${page.replaceAll(/\W/g, '-')}-${i}.mjs`;
      writeFileSync(join(scratch, name), script);
      execute(page, `node ${name}`);
    });
    const filled = fillBlocks(text, {
      file: (path) => readFileSync(join(repositoryRoot, path), 'utf8'),
      output: (command) => execute(page, command),
      part: (name) => parts[name]?.() ?? '',
    });
    const empty = emptyBlocks(filled);
    for (const block of empty) problems.push(`${page}: the block \`${block}\` comes out empty`);
    if (empty.length === 0) settle(page, filled);
  }
  for (const name of readdirSync(join(scratch, PICTURES)).sort()) {
    settle(`${PICTURES}/${name}`, readFileSync(join(scratch, PICTURES, name), 'utf8'));
  }
} finally {
  rmSync(scratch, { recursive: true });
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`docs: ${problems.length === 0 ? 'current' : `${problems.length} problems`}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
