import type { ProgramBuilder } from '../../builder.ts';
import type { PhaseInput } from '../../inputs.ts';
import { await_, fence, fma, load, signal, spin, store, trigger, wait } from '../../phases.ts';
import { pdlParameter } from '../support/common-parameters.ts';
import { LaunchChain } from '../support/launch-chain.ts';
import { count, flag } from '../support/parameters.ts';
import { defineScenario } from '../support/scenario.ts';

const TILE = 32 * 1024;

export const hostFlags = defineScenario({
  name: 'unfit-host-flags',
  summary: 'PDL does not fit: kernels spin on flags of a peer and of the host, so timing decides what an overlap gains',
  description:
    'Two host threads exchange tiles, one stream each: compute, send, and a handshake that signals its own flag and ' +
    "spins on the other side's. Send first awaits the other host's flag, and one side is late by `delay`: launched early, " +
    'send holds its SMs and spins. With `relyOnOverlap` compute spins until send is resident: correct only if they ' +
    'overlap, which nothing promises (docs/RULES.md 1.2); without PDL it never ends.',
  params: {
    rounds: count(6, 'exchanges', 1, 64),
    blocks: count(32, 'blocks of compute and of send', 1, 132),
    delay: count(20, 'microseconds by which the second side is late in each round', 0, 1000),
    relyOnOverlap: flag(false, 'compute waits for a flag of the send that follows it'),
    pdl: pdlParameter,
  },
  declare(program, { rounds, blocks, delay, relyOnOverlap, pdl }) {
    const bytes = blocks * TILE;
    for (const side of [0, 1]) {
      program.buffer(`work${side}`, { bytes });
      for (const slot of [0, 1]) program.buffer(mailbox(side, slot), { bytes });
    }
    for (const side of [0, 1]) {
      const stream = program.stream(`side${side}`, { kind: 'nonBlocking' });
      const thread = program.hostThread(`rank${side}`);
      const chain = new LaunchChain(thread, stream, pdl, `side${side}/`);
      for (let round = 1; round <= rounds; round++) {
        for (const kernel of declareRound(program, side, round, blocks, relyOnOverlap)) chain.launch(kernel);
        if (side === 1) thread.hostCompute(delay * 1_000_000);
        thread.hostSignal(`host${side}`, round);
      }
      thread.streamSynchronize(stream);
    }
  },
});

/** Rounds alternate between two slots, so that a tile is not overwritten while the other side still reads it. */
function mailbox(side: number, round: number): string {
  return `mailbox${side}_${round % 2}`;
}

/** A flag only grows, so the rounds count it up; the value is part of the code, hence kernels of each round. */
function declareRound(
  program: ProgramBuilder,
  side: number,
  round: number,
  blocks: number,
  relyOnOverlap: boolean,
): string[] {
  const other = 1 - side;
  const tile = (buffer: string) => ({ buffer, blockStride: TILE });
  const kernel = (name: string, grid: number, phases: PhaseInput[]) =>
    program.kernel(`${name}${side}_${round}`, { grid, block: 256, phases }).name;
  return [
    kernel('compute', blocks, [
      spin('200ns'),
      wait(),
      load(TILE, tile(mailbox(other, round - 1))),
      trigger(),
      ...(relyOnOverlap ? [await_(`resident${side}`, round)] : []),
      fma(300),
      store(TILE, tile(`work${side}`)),
    ]),
    kernel('send', blocks, [
      ...(relyOnOverlap ? [signal(`resident${side}`, round)] : []),
      await_(`host${other}`, round),
      wait(),
      load(TILE, tile(`work${side}`)),
      trigger(),
      store(TILE, tile(mailbox(side, round))),
    ]),
    kernel('handshake', 1, [wait(), fence('system'), signal(`sent${side}`, round), await_(`sent${other}`, round)]),
  ];
}
