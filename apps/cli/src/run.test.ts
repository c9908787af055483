import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAIN, MODULE, PROGRAM, workFolder } from './griddep.fixture.ts';

const { folder, path, write, griddep } = workFolder();
write('program.yaml', PROGRAM);
write('module.ts', MODULE);

describe('griddep run', () => {
  it('prints picture, table and headline with what it rests on', () => {
    const { code, stdout, stderr } = griddep(['run', 'program.yaml', '--stats']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/makespan 1\.\d us {2}\(rests on \d+ measured.* constants\)/);
    expect(stdout).toMatch(/^rms#0 .* 32 x 1 {2}host call \(\+\d\.\d\d us after the call returned\)$/m);
    expect(stdout).toMatch(/^started after: /m);
    expect(stdout).toMatch(/^hash [0-9a-f]{64}$/m);
  });

  it('draws with ASCII only, in the width asked for', () => {
    const { stdout } = griddep(['run', 'program.yaml', '--ascii', '--width', '60']);
    expect(stdout).toMatch(/^[\x20-\x7e\n]*$/);
    expect(
      Math.max(
        ...(stdout
          .split('\n\n')[0]
          ?.split('\n')
          .map((line) => line.length) ?? []),
      ),
    ).toBeLessThanOrEqual(60);
  });

  it('prints nothing but JSON with --json, also when a module prints', () => {
    const { code, stdout, stderr } = griddep(['run', 'module.ts', '--json', '--set', 'layers=3']);
    const result = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(stderr).toBe('printed by the module\n');
    expect(result.hash).toMatch(/^[0-9a-f]{64}$/);
    const kernels = result.ops.filter((op: { kind: string }) => op.kind === 'kernel');
    expect(kernels).toHaveLength(3);
    expect(kernels[1]).toMatchObject({ id: 'k#1', device: 0, stream: 's', firstTriggerNs: null });
    expect(kernels[1].cause).toMatchObject({ kind: 'stream', operation: 'k#0' });
    expect(kernels[1].startNs).toBeGreaterThan(kernels[0].endNs);
    expect(result.makespanNs).toBe(kernels[2].endNs - kernels[0].startNs);
    expect(result.basis[0]).toHaveProperty('status');
  });

  it('takes the same program as file, from standard input, and as saved timeline', () => {
    const hash = (args: string[], input?: string | Uint8Array) => JSON.parse(griddep(args, input).stdout).hash;
    const outputs = [
      '--save',
      't.json',
      '--svg',
      't.svg',
      '--chrome',
      't.trace',
      '--perfetto',
      't.pftrace',
      '--blocks',
    ];
    const first = hash(['run', 'program.yaml', '--json', ...outputs]);
    const saved = readFileSync(path('t.json'));
    expect(hash(['run', 't.json', '--json'])).toBe(first);
    expect(hash(['run', '-', '--json'], saved)).toBe(first);
    expect(JSON.parse(saved.toString()).blocks).toBeDefined();
    expect(readFileSync(path('t.svg'), 'utf8')).toMatch(/<\/svg>\n$/);
    expect(JSON.parse(readFileSync(path('t.trace'), 'utf8')).traceEvents.length).toBeGreaterThan(3);
    expect(statSync(path('t.pftrace')).size).toBeGreaterThan(100);
    const one = griddep(['run', 'program.yaml', '--set', 'grid=1']).stdout;
    expect(griddep(['run', '-', '--set', 'grid=1'], PROGRAM).stdout).toBe(one);
    expect(hash(['run', 'program.yaml', '--json', '--block-by-block'])).toBe(first);
  });

  it('leaves an old output whole when the run fails, and no temporary files', () => {
    mkdirSync(path('outputs'));
    write('outputs/t.json', 'old');
    expect(griddep(['run', 'program.yaml', '--max-events', '1', '--save', 'outputs/t.json']).code).toBe(2);
    expect(readFileSync(path('outputs/t.json'), 'utf8')).toBe('old');
    expect(griddep(['run', 'program.yaml', '--save', 'outputs/t.json']).code).toBe(0);
    expect(readdirSync(path('outputs'))).toEqual(['t.json']);
    expect(griddep(['run', 'program.yaml', '--save', 'outputs/t.json.gz']).code).toBe(0);
    expect(gunzipSync(readFileSync(path('outputs/t.json.gz'))).equals(readFileSync(path('outputs/t.json')))).toBe(true);
    expect(griddep(['run', 'outputs/t.json.gz']).code).toBe(0);
  });

  it.runIf(process.platform === 'linux')('reports a full disk', () => {
    const { code, stderr } = griddep(['run', 'program.yaml', '--save', '/dev/full']);
    expect(stderr).toMatch(/^griddep: --save \/dev\/full: cannot be written: no space left on device\n$/);
    expect(code).toBe(2);
  });

  it('restricts pictures to a window and to streams, and says what a picture is of', () => {
    const args = ['run', 'program.yaml', '--set', 'grid=7', '--svg', 'part.svg'];
    const { code, stdout } = griddep([...args, '--from', '6', '--to', '8us', '--streams', 's0']);
    expect(code).toBe(0);
    const picture = stdout.split('\n\n')[0] ?? '';
    expect(picture).not.toMatch(/^host$/m);
    expect(picture).toMatch(/^ +us 6\.0 .* 7\.5/m);
    const svg = readFileSync(path('part.svg'), 'utf8');
    expect(svg).toContain('>program.yaml, grid=7<');
    expect(svg).not.toContain('>streamSynchronize<');
  });

  it('takes the width of a piped picture from COLUMNS, where that is set', () => {
    const width = (columns: string | undefined) => {
      const env = { ...process.env, COLUMNS: columns };
      const args = [MAIN, 'run', 'program.yaml'];
      const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
      return stdout.split('\n').find((line) => line.includes('┬'))?.length;
    };
    expect([width('70'), width(undefined), width('wide')]).toEqual([70, 100, 100]);
  });

  it('warns of what is legal but rarely meant, with rule and place, and exits 0', () => {
    write(
      'warned.yaml',
      PROGRAM.replace(
        'calls:',
        'events: [e]\ncalls:\n  - streamWaitEvent: { stream: s0, event: e }\n  - memcpyAsync: { copy: hostToDevice, bytes: 1, stream: s0 }',
      ),
    );
    const { code, stdout, stderr } = griddep(['run', 'warned.yaml', '--json']);
    const [first, second] = stderr.split('\n');
    expect(first).toMatch(/^griddep: warning: warned\.yaml:8:5: stream "s0" waits for event "e", .*\(rule 5\.5\)$/);
    expect(second).toMatch(/^griddep: warning: warned\.yaml:9:5: .*\(rule 6\.4\)$/);
    expect(JSON.parse(stdout).warnings).toMatchObject([
      { rule: '5.5', place: 'warned.yaml:8:5' },
      { rule: '6.4', place: 'warned.yaml:9:5' },
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(griddep(['run', 'program.yaml', '--json']).stdout).warnings).toEqual([]);
  });

  it('warns of CUDA errors that calls returned, and exits 0', () => {
    write(
      'error.yaml',
      PROGRAM.replace(
        'calls:',
        'events: [{ name: e, timing: false }]\ncalls:\n  - eventElapsedTime: { start: e, end: e }',
      ),
    );
    const { code, stderr } = griddep(['run', 'error.yaml', '--json']);
    expect(stderr).toMatch(/^griddep: warning: error\.yaml:8:5: .* returned cudaError\w+ \(\d+\): /);
    expect(code).toBe(0);
  });
});

describe('the process', () => {
  const shell = (line: string) => spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' });

  it.runIf(process.platform !== 'win32')('is quiet when its reader goes away', () => {
    const run = shell(
      `"${process.execPath}" "${MAIN}" run --scenario decode-chain --json | head -c 10; echo " \${PIPESTATUS[0]}"`,
    );
    expect(run.stdout).toBe('{"program" 0\n');
    expect(run.stderr).toBe('');
  });

  it.runIf(process.platform !== 'win32')('ends at SIGINT without output', async () => {
    write(
      'slow.ts',
      MODULE.replace('grid: 10,', 'grid: 100000,').replace(
        "spin('1us')",
        "{ op: 'ramp', duration: '1us', modulus: 97 }",
      ),
    );
    const args = [MAIN, 'run', 'slow.ts', '--set', 'layers=9', '--block-by-block', '--save', 'slow.json'];
    const child = spawn(process.execPath, args, { cwd: folder });
    await new Promise((done) => child.stderr.once('data', done));
    child.kill('SIGINT');
    const [code, signal] = await new Promise<[number | null, string | null]>((done) => {
      child.on('exit', (...status) => done(status));
    });
    expect(code ?? signal).toBe('SIGINT');
    expect(readdirSync(folder).filter((name) => name.startsWith('slow.json'))).toEqual([]);
  });

  it('answers --version and --help, and loads nothing heavy for them', () => {
    expect(griddep(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const env = { ...process.env, NODE_V8_COVERAGE: path('coverage') };
    const help = spawnSync(process.execPath, [MAIN, 'run', '--help'], { encoding: 'utf8', env });
    expect(help.stdout).toMatch(/--scenario/);
    const [report = ''] = readdirSync(path('coverage'));
    const { result } = JSON.parse(readFileSync(path(`coverage/${report}`), 'utf8')) as { result: { url: string }[] };
    const loaded = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    expect(loaded.some((url) => url.endsWith('/command-line.js'))).toBe(true);
    expect(loaded.filter((url) => /\/(packages|zod|jiti|cli-progress|write-file-atomic)\//.test(url))).toEqual([]);
  });
});
