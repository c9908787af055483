import { expect, it } from 'vitest';
import { listScenarios, scenariosMarkdown } from '../index.ts';

it('lists every scenario with its parameters, and nothing else', () => {
  const [head, rule, ...rows] = scenariosMarkdown().trimEnd().split('\n');
  expect(head).toBe('| scenario | what it shows | parameters |');
  expect(rule).toBe('|---|---|---|');
  expect(rows).toHaveLength(listScenarios().length);
  listScenarios().forEach((scenario, i) => {
    const row = rows[i] ?? '';
    expect(row.startsWith(`| \`${scenario.name}\` | ${scenario.summary} | `)).toBe(true);
    expect(row.split(/(?<!\\)\|/)).toHaveLength(5);
    for (const p of scenario.params) expect(row).toContain(`\`${p.name}=`);
  });
});

it('shows defaults, ranges and choices as a person writes them', () => {
  const row = scenariosMarkdown()
    .split('\n')
    .find((line) => line.startsWith('| `chunked-pipeline`'));
  expect(row).toContain('`bytes=4MiB` bytes of a chunk, rounded down to whole tiles of 16 KiB (16KiB to 256MiB)');
  expect(row).toContain('`memory=pinned` kind of host memory (pinned, pageable)');
});
