import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { griddep, write } = workFolder();
const own = (name: string) =>
  fileURLToPath(new URL(`../../../packages/importers/src/fixtures/${name}.json.gz`, import.meta.url));
const NOTHING = 'schema: griddep/program@1\nkernels: {}\nstreams: [s]\ncalls: [deviceSynchronize]\n';
const packed = readFileSync(own('decode-small-graph'));

describe('a trace as input', () => {
  it('is simulated on what it was taken on, and set beside itself', () => {
    const { code, stdout } = griddep(['run', own('decode-small-graph'), '--json']);
    expect(code).toBe(0);
    const { machine, replay } = JSON.parse(stdout) as { machine: string; replay: { difference: number }[] };
    expect(machine).toBe('h200');
    expect(replay).toHaveLength(1);
    expect(Math.abs(replay[0]?.difference as number)).toBeLessThan(0.02);
  });

  it('--explain lists what it does not tell', () => {
    const { stdout } = griddep(['run', own('pipeline-pinned-4streams'), '--explain']);
    expect(stdout).toMatch(/^replay .*: traced 1325\.\d+ us, simulated .* \(observer: profiler\)$/m);
    expect(stdout).toMatch(/^unknown +\d+ x records of events in a stream that is not told/m);
  });

  it('--step takes one of its steps, and says which there are', () => {
    const args = ['run', own('decode-small-graph'), '--step'];
    expect(griddep([...args, '2']).code).toBe(0);
    const { code, stderr } = griddep([...args, '7']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/has no step 7: it has 1 to 2\n$/);
  });

  it('may be several ranks, and may come through a pipe', () => {
    const ranks = [0, 1].map((rank) => own(`tp-decode-2-graph-rank${rank}`)).join();
    const { code, stdout } = griddep(['run', ranks]);
    expect(code).toBe(0);
    expect(stdout.match(/^replay /gm)).toHaveLength(2);
    expect(griddep(['run', '-'], gunzipSync(packed)).stdout).toMatch(/^replay <stdin>/m);
  });

  it('--traced shows what the profiler saw', () => {
    const { stdout } = griddep(['run', own('triton-chain-1024-pdl-graph'), '--traced']);
    expect(stdout).toMatch(/overlapping pairs 46/);
  });
});

describe('a trace that is wrong', () => {
  it.each([
    ['cut.json.gz', packed.subarray(0, 4000), /the gzip is cut off, after event \d+; --partial takes what can be read/],
    [
      'cut.json',
      gunzipSync(packed).subarray(0, 60_000),
      /the JSON is cut off at byte 60000, after event \d+; --partial/,
    ],
    ['none.json', '{"schemaVersion":1,"traceEvents":[]}', /has no kernel, copy or memset among its 0 events/],
    ['bad.sqlite', 'SQLite format 3\0 and nothing', /bad\.sqlite: (is damaged|cannot be opened as SQLite)/],
    ['run.nsys-rep', 'anything', /is a report of Nsight Systems; export it with `nsys export --type sqlite`/],
  ])('%s: one message, exit status 2', (name, content, message) => {
    const { code, stdout, stderr } = griddep(['run', write(name, content)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('--partial takes what can be read of it', () => {
    const { code, stdout } = griddep([
      'run',
      write('part.json.gz', packed.subarray(0, 4000)),
      '--partial',
      '--explain',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^unknown +1 x what followed where the file is cut: the gzip is cut off/m);
  });

  it('options for traces are refused for others', () => {
    write('p.yaml', NOTHING);
    for (const option of ['--explain', '--partial', '--traced']) {
      expect(griddep(['run', 'p.yaml', option])).toMatchObject({ code: 2 });
    }
  });
});

it('2.2 check calls no trace safe: it does not tell what kernels read and write', () => {
  const { code, stdout } = griddep(['check', own('pipeline-pinned-4streams')]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('unknown by the contract')]);
  expect(griddep(['check', own('pipeline-pinned-4streams'), '--fail-on', 'any']).code).toBe(1);
});

describe('every command that takes a trace', () => {
  const trace = own('decode-small-eager');
  const whole = readFileSync(trace);
  const cut = 'cut-for-all.json.gz';
  const other = 'other.yaml';
  it.each([
    ['check', []],
    ['explore', ['--bound', '2', '--random', '0']],
    ['why', ['elementwise_kernel#2']],
    ['advise', ['--max-events', '1000000']],
    ['export', ['-o', 'out.cu']],
    ['view', ['-o', 'view.html']],
    ['report', ['-o', 'report.html']],
  ])('%s: takes one of its steps, or what can be read, and refuses that of a program', (command, more) => {
    write(cut, whole.subarray(0, 0.9 * whole.length));
    write(other, NOTHING);
    const said = (path: string, ...options: string[]) => {
      const { code, stderr } = griddep([command, path, ...more, ...options]);
      return `${code} ${stderr}`;
    };
    expect(said(trace, '--step', '7')).toMatch(/^2 .*has no step 7: it has 1 to 2\n$/);
    expect(said(cut)).toMatch(/^2 .*the gzip is cut off/);
    expect(said(cut, '--partial')).toMatch(/^[01] /);
    expect(said(trace, '--step', '2', '--no-assumed-waits')).toMatch(/^[01] /);
    expect(said(other, '--step', '1')).toMatch(/^2 .*is no trace of a profiler, --step needs one\n$/);
    expect(said(other, '--no-assumed-waits')).toMatch(/, --no-assumed-waits needs one\n$/);
  });

  it('several inputs: one of them has to be a trace', () => {
    const [a, b] = [write('a.yaml', NOTHING), write('b.yaml', NOTHING)];
    const both = (...inputs: string[]) => griddep(['view', ...inputs, '--step', '1', '-o', 'two.html']);
    expect(both(a, b).stderr).toMatch(/--step: neither input is a trace of a profiler/);
    expect(both(a, trace).code).toBe(0);
    expect(griddep(['export', a, b, '--partial']).stderr).toMatch(/--partial: neither input is a trace/);
  });
});
