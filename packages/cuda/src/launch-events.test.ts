import { A100 } from '@griddep/machine';
import { expect, test } from 'vitest';
import { deviceRules } from './launch-rules.ts';
import { command, play } from './runtime.fixture.ts';

const node = (attributes: object) => [{ id: 'n', call: { launchKernel: { kernel: 'k', stream: 'a', attributes } } }];

test.each([
  ['programmaticStreamSerialization', { programmaticStreamSerialization: true }],
  ['programmaticEvent', { programmaticEvent: 'u' }],
  ['launchCompletionEvent', { launchCompletionEvent: 'u' }],
])('3.5 a node made by hand does not take attribute %s', (attribute, attributes) => {
  expect(() => play((_, program) => program.graph('g', node(attributes)))).toThrow(
    `attribute ${attribute} is valid for launches only (rule 3.5)`,
  );
});

test('3.5 a node that a device may change is made in a capture only (1)', () => {
  const played = play((host) => {
    host.launchKernel('k', 'a', { deviceUpdatable: true });
    host.streamBeginCapture('a');
    host.launchKernel('k', 'a', { deviceUpdatable: true });
    host.streamEndCapture('a', 'g');
    host.graphInstantiate('g', 'x');
    host.graphLaunch('x', 'a');
  });
  expect(played.codes).toEqual([1, 0, 0, 0, 0, 0]);
  expect(command(played, -1, 'graph').graph.nodes[0]?.work).toMatchObject({ deviceUpdatable: true });
});

test('3.3 a programmatic event does not take the flag of an external record (1)', () => {
  const { codes } = play((host) => {
    host.launchKernel('k', 'a', { programmaticEvent: { event: 'u', external: true } });
    host.launchKernel('k', 'a', { programmaticEvent: { event: 'u' } });
  });
  expect(codes).toEqual([1, 0]);
});

test('3.4 a launch-completion event works below compute capability 9.0', () => {
  const played = play(
    (host) => {
      host.launchKernel('k', 'a', { launchCompletionEvent: 'u' });
      host.streamWaitEvent('b', 'u');
    },
    [deviceRules(A100, 12030), deviceRules(A100, 12030)],
  );
  expect(played.codes).toEqual([0, 0]);
  expect(command(played, 1, 'wait')).toMatchObject({ on: { op: 0 }, milestone: 'started' });
});

test('5.12 what a host function calls of CUDA is not permitted (800); the call that enqueued it succeeds', () => {
  const { codes, issued } = play((host) => {
    host.launchHostFunc('a', '1us', { calls: 'cudaMalloc' });
    host.launchHostFunc('a', '1us');
  });
  expect(codes).toEqual([0, 0]);
  expect(issued[0]?.laterErrors).toMatchObject([{ op: 0, error: { code: 800 } }]);
  expect(issued[1]?.laterErrors).toBeUndefined();
});

test('5.12 so it is in each launch of a graph', () => {
  const { issued } = play((host, program) => {
    const call = { launchHostFunc: { stream: 'a', duration: '1us', calls: 'cudaMalloc' } };
    program.graph('g', [{ id: 'n', call }]);
    host.graphInstantiate('g', 'x');
    for (let i = 0; i < 2; i++) host.graphLaunch('x', 'a');
  });
  expect(issued.map(({ laterErrors }) => laterErrors?.map(({ op, error }) => [op, error.code]))).toEqual([
    undefined,
    [[2, 800]],
    [[4, 800]],
  ]);
});

test('5.8 an interprocess event has timing disabled, or the program is refused', () => {
  expect(() => play((_, program) => program.event('shared', { interprocess: true }))).toThrow(/rule 5\.8/);
  expect(play((_, program) => program.event('shared', { interprocess: true, timing: false })).codes).toEqual([]);
});
