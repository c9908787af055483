import { expect, test } from 'vitest';
import { commandsOf, emptyBlocks, fillBlocks } from './doc-blocks.mjs';

const makers = {
  file: (/** @type {string} */ path) => `content of ${path}\n`,
  output: (/** @type {string} */ command) => `output of ${command}  \n\n`,
  part: (/** @type {string} */ name) => `text of ${name}`,
};

test('blocks are replaced, and the text around them stays', () => {
  const page = [
    'a',
    '<!-- file x.yaml -->',
    '```yaml',
    'old',
    '```',
    'b',
    '<!-- output griddep run x -->',
    '```text',
    '```',
    '<!-- part table -->',
    'old',
    '<!-- end -->',
    '```sh',
    'echo',
    '```',
    '',
  ].join('\n');
  const filled = fillBlocks(page, makers);
  expect(filled).toBe(
    page
      .replace('```yaml\nold\n', '```yaml\ncontent of x.yaml\n')
      .replace('```text\n', '```text\noutput of griddep run x\n')
      .replace('part table -->\nold\n', 'part table -->\n\ntext of table\n\n'),
  );
  expect(fillBlocks(filled, makers)).toBe(filled);
});

test('commands are the lines that call griddep', () => {
  const page =
    '```sh\nnpm start\ngriddep run a \\\n  --json # prints JSON\ncat a | griddep run -\n```\n```text\ngriddep no\n```\n';
  expect(commandsOf(page)).toEqual(['griddep run a --json', 'cat a | griddep run -']);
});

test('made blocks that hold nothing are named', () => {
  const page = [
    '<!-- output griddep run x | sed -n /nothing/p -->',
    '```text',
    '',
    '```',
    '<!-- output griddep run y -->',
    '```text',
    'text',
    '',
    'more',
    '```',
    '<!-- part none -->',
    '',
    '<!-- end -->',
    '<!-- part some -->',
    'text',
    '<!-- end -->',
    '```text',
    '```',
  ].join('\n');
  expect(emptyBlocks(page)).toEqual(['output griddep run x | sed -n /nothing/p', 'part none']);
});
