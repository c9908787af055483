import { expect, it } from 'vitest';
import { DEVICE_TIMING, HOST_TIMING, listMachines, machinesMarkdown } from './index.ts';

const page = machinesMarkdown();
const rows = page.split('\n').filter((line) => line.startsWith('| `'));
const row = (name: string) => rows.find((line) => line.startsWith(`| \`${name}\` |`));

it('shows every constant with its meaning, and every machine', () => {
  for (const [name, { meaning }] of [...Object.entries(DEVICE_TIMING), ...Object.entries(HOST_TIMING)]) {
    expect(row(name)).toContain(meaning);
  }
  for (const { name } of listMachines()) expect(page).toContain(`\`${name}\`: `);
});

it('shows values in their unit', () => {
  for (const [name, { unit }] of Object.entries(DEVICE_TIMING)) {
    const shown = { ns: / \S+ [num]?s \|/, us: / \S+ [num]?s \|/, 'B/s': / \S+ [KMGT]?B\/s \|/, '1': / \S+ \|/ }[unit];
    expect(row(name), name).toMatch(shown);
  }
  expect(row('sms')).toMatch(/^\| `sms` \| 108 \| 132 \| 132 \| /);
});

it('has a cell for every column', () => {
  for (const line of rows) expect(line.split(/(?<!\\)\|/)).toHaveLength(8);
});
