import { machineByName } from '@griddep/machine';
import {
  await_,
  fence,
  gridBarrier,
  load,
  type PhaseInput,
  type Program,
  type ProgramBuilder,
  programBuilder,
  signal,
  store,
  trigger,
  wait,
} from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { explore, replay } from './explore.ts';

const machine = machineByName('h200x2');
const PDL = { programmaticStreamSerialization: true };
const R = (buffer: string): PhaseInput => load('64KiB', buffer);
const W = (buffer: string): PhaseInput => store('64KiB', buffer);

function made(make: (p: ProgramBuilder, kernel: (name: string, ...phases: PhaseInput[]) => void) => void): Program {
  const p = programBuilder('made');
  for (const name of ['s', 't']) p.stream(name, { kind: 'nonBlocking' });
  for (const name of ['x', 'y']) p.buffer(name, { bytes: '64KiB' });
  make(p, (name, ...phases) => {
    p.kernel(name, { grid: 16, block: 256, phases });
  });
  return p.build();
}

/** `kind: text` of all findings. */
function texts(program: Program): string[] {
  return explore(program, machine).findings.map(({ kind, text }) => `${kind}: ${text}`);
}

/** Two kernels, the second launched early. */
function pair(first: readonly PhaseInput[], second: readonly PhaseInput[]): Program {
  return made((p, kernel) => {
    const host = p.hostThread('main');
    kernel('first', ...first);
    kernel('second', ...second);
    host.launchKernel('first', 's');
    host.launchKernel('second', 's', PDL);
  });
}

describe('wrong values', () => {
  it('1.5, 2.2 a dependent without wait reads before its primary writes, trigger or not', () => {
    for (const first of [[W('x')], [trigger(), W('x')], [W('x'), trigger()]]) {
      const [found, ...more] = explore(pair(first, [R('x')]), machine).findings;
      expect(more).toEqual([]);
      expect(found?.kind).toBe('wrong value');
      expect(found?.text).toMatch(/"second" finds nothing of what "first" wrote$/);
      expect(found?.schedule.map((line) => line.split('"')[1])).toEqual(['second', 'first']);
    }
    expect(texts(pair([trigger(), W('x')], [wait(), R('x')]))).toEqual([]);
  });

  it('2.6 a dependent without wait overwrites what its primary still reads', () => {
    const [found] = explore(pair([R('x')], [W('x')]), machine).findings;
    expect(found?.text).toMatch(/"first" finds what "second" wrote$/);
  });

  it('1.6 a flag without a fence says nothing of what was written before it', () => {
    const flagged = (...published: PhaseInput[]) =>
      made((p, kernel) => {
        const host = p.hostThread('main');
        kernel('makes', W('x'), ...published, signal('f'));
        kernel('uses', await_('f'), R('x'));
        host.launchKernel('makes', 's');
        host.launchKernel('uses', 't');
      });
    expect(texts(flagged())[0]).toMatch(/^wrong value: .*"uses" finds nothing of what "makes" wrote$/);
    expect(texts(flagged(fence('device')))).toEqual([]);
  });

  it('2.4 tells what is left at the end where two writes change places', () => {
    const program = made((p, kernel) => {
      const host = p.hostThread('main');
      kernel('old', W('x'));
      kernel('new', W('x'));
      host.launchKernel('old', 's');
      host.launchKernel('new', 't');
    });
    expect(texts(program)[0]).toMatch(/: "x" ends with what "old" wrote, not what "new" wrote$/);
  });

  it('2.1 two writes that a third covers before anybody looks show no other value', () => {
    const program = made((p, kernel) => {
      const host = p.hostThread('main');
      for (const name of ['one', 'two', 'three']) kernel(name, W('x'));
      p.event('e', { timing: false });
      host.launchKernel('one', 's');
      host.launchKernel('two', 't');
      host.eventRecord('e', 't');
      host.streamWaitEvent('s', 'e');
      host.launchKernel('three', 's');
      host.memcpyAsync('deviceToHost', '64KiB', 's', { source: 'x' });
    });
    const { findings } = explore(program, machine);
    expect(findings.map(({ kind, accesses }) => [kind, accesses.map(({ place }) => place.name)])).toEqual([
      ['other order', ['one', 'two']],
    ]);
  });

  it('6.7 memory that is freed while it is used', () => {
    const program = made((p, kernel) => {
      const host = p.hostThread('main');
      kernel('uses', W('x'));
      host.launchKernel('uses', 's');
      host.free('x');
    });
    expect(explore(program, machine).findings.map(({ kind }) => kind)).toEqual(['freed memory']);
  });
});

describe('deadlocks', () => {
  const spinning = (streams: readonly string[], attributes: object, ...behind: string[]) =>
    made((p, kernel) => {
      const host = p.hostThread('main');
      kernel('spins', trigger(), await_('f'));
      kernel('other', W('y'));
      kernel('signals', signal('f'));
      const order = ['spins', ...behind, 'signals'];
      order.forEach((name, i) => {
        host.launchKernel(name, streams[i] as string, i === 0 ? {} : attributes);
      });
    });

  it('1.2 needs an early launch that need not come early, and names this choice alone', () => {
    const [found, ...more] = explore(spinning(['s', 's'], PDL), machine).findings;
    expect(more).toEqual([]);
    expect([found?.kind, found?.schedule]).toEqual([
      'deadlock',
      ['"signals" begins no earlier than after the end of what it comes after'],
    ]);
  });

  it('5.11 needs grids of two streams to overlap, and names the one that need not', () => {
    const [found] = explore(spinning(['s', 't', 't'], {}, 'other'), machine).findings;
    expect(found?.schedule).toEqual(['"other" begins only when the grid launched before it has ended']);
    expect(found?.smallest?.calls.map(({ name }) => name)).toEqual(['spins', 'signals']);
  });

  it('1.14 is in every schedule where nothing may come early', () => {
    const [found] = explore(spinning(['s', 's'], {}), machine).findings;
    expect(found?.seed).toBe('any');
    expect(found?.text).toMatch(/for ever, in every schedule$/);
    expect(replay(spinning(['s', 's'], {}), machine, 'any').findings).toMatchObject([{ text: found?.text }]);
  });

  it('5.14 blocks that meet in their grid have to be resident at once', () => {
    const meeting = (grid: number, cooperative: boolean) =>
      made((p) => {
        const host = p.hostThread('main');
        p.kernel('meets', { grid, block: 1024, phases: [gridBarrier()] });
        host.launchKernel('meets', 's', { cooperative });
      });
    expect(explore(meeting(264, true), machine).findings).toEqual([]);
    expect(explore(meeting(264, false), machine).findings.map(({ seed }) => seed)).toEqual(['split:0']);
    expect(explore(meeting(265, false), machine).findings.map(({ seed }) => seed)).toEqual(['any']);
  });
});

describe('bounds', () => {
  const racing = pair([W('x'), W('y')], [R('x'), R('y')]);

  it('2.2 says where not all was tried, and draws by chance what is left', () => {
    const none = explore(racing, machine, { bound: 0, random: 0 });
    expect([none.isComplete, none.findings.length]).toEqual([false, 0]);
    const drawn = explore(racing, machine, { bound: 0, random: 50 });
    expect(drawn.findings.map(({ kind }) => kind)).toEqual(['wrong value', 'wrong value']);
    expect(explore(racing, machine).isComplete).toBe(true);
  });

  it('2.2 gives the same for the same seed', () => {
    const once = explore(racing, machine, { bound: 0, random: 3, seed: 5 });
    expect(explore(racing, machine, { bound: 0, random: 3, seed: 5 })).toEqual(once);
  });

  it('2.2 refuses what is no seed', () => {
    for (const seed of ['', 'delay', 'delay:x', 'late:1/delay:2', 'random:1/late:2', 'hope:3', 'any/late:1']) {
      expect(() => replay(racing, machine, seed)).toThrow(/no seed/);
    }
  });
});
