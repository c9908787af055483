#!/usr/bin/env node
/** Writes programs that are measured to judge the simulator, as CUDA C++: `node tools/measured-set/write.mjs FOLDER`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { exportPrograms, plannedInputs } from '@griddep/hardware';
import { carriedFile } from '@griddep/hardware/cases';
import { buildScenario, listScenarios, readProgram } from '@griddep/program';
import { randomProgram } from './random-programs.mjs';
import * as small from './small-programs.mjs';

const [folder = 'scratch/measured-set'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const oneDevice = listScenarios()
  .filter((s) => s.aliasOf === undefined)
  .map((s) => s.build());
const isSingle = (p) => [...p.streams.values(), ...p.buffers.values()].every(({ device }) => device === 0);
const named = (name, program) => ({ ...program, name });
const examples = ['buffers', 'roles', 'overlap', 'captured-graph', 'made-graph', 'pair', 'two-threads'].map((name) => {
  const file = fileURLToPath(new URL(`../../docs/examples/${name}.yaml`, import.meta.url));
  return named(`example-${name}`, readProgram(readFileSync(file, 'utf8'), { file }));
});

const sets = {
  scenarios: [
    ...oneDevice.filter(isSingle),
    named('decode-chain-plain', buildScenario('decode-chain', { pdl: 'false' })),
    named('fit-graph-inference', buildScenario('fit-graph-inference')),
    ...examples,
  ],
  small: [
    ...[false, true].flatMap((graph) => [
      small.pdlChain(6, 1, { graph }),
      small.pdlChain(6, 132, { graph }),
      small.pdlChain(6, 132, { graph, early: false }),
      small.pdlChain(20, 264, { graph }),
    ]),
    ...['full', 'programmatic', 'launchCompletion'].flatMap((port) => [
      small.graphFan(port, 1),
      small.graphFan(port, 4),
    ]),
    ...['trigger', 'blockStart', 'completion'].flatMap((kind) => [
      small.launchEvent(kind, false),
      small.launchEvent(kind, true),
    ]),
    small.roles(),
    small.barriers(),
    small.flags(),
    small.copies(65536),
    small.copies(4194304),
    small.copies(33554432),
  ],
  data: [
    ...['none', 'no-wait', 'stored-after-trigger-read-before-wait', 'no-event', 'event'].map(small.handOver),
    ...Array.from({ length: 12 }, (_, i) => randomProgram(100 + i)),
    ...Array.from({ length: 6 }, (_, i) => randomProgram(200 + i, { graph: true })),
    ...Array.from({ length: 12 }, (_, i) => randomProgram(300 + i, { care: 0.6 })),
    ...Array.from({ length: 6 }, (_, i) => randomProgram(400 + i, { graph: true, care: 0.6 })),
  ],
  accesses: [128, 256, 512, 1024].flatMap((threads) => [1, 132].map((blocks) => small.accesses(threads, blocks))),
  copies: ['hostToDevice', 'deviceToHost'].flatMap((copy) =>
    [4096, 131072, 1048576].flatMap((bytes) => ['5us', '13us'].map((time) => small.copyChain(copy, bytes, time))),
  ),
  devices: [
    ...[65536, 4194304, 67108864].flatMap((bytes) => [small.peerCopy(bytes, true), small.peerCopy(bytes, false)]),
    ...oneDevice.filter((p) => !isSingle(p)).map(({ name }) => buildScenario(name, { devices: '2' })),
  ],
};
for (const [name, programs] of Object.entries(sets)) {
  writeFileSync(join(folder, `${name}.cu`), exportPrograms(programs.map((program) => ({ program }))));
  console.log(`${name}.cu: ${programs.length} programs`);
}
const carried = new Map(
  ['calib1', 'calib1b', 'calib1c'].map((n) => [n, gunzipSync(readFileSync(carriedFile(n))).toString()]),
);
const plan = plannedInputs(carried);
const half = Math.ceil(plan.length / 2);
for (const [i, part] of [plan.slice(0, half), plan.slice(half)].entries()) {
  writeFileSync(join(folder, `plan${i}.cu`), exportPrograms(part));
  console.log(`plan${i}.cu: ${part.length} programs`);
}
