import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** A redis-server of a test's own, on this machine alone, that keeps its data over restarts. */
export class RedisServer {
  readonly port: number;
  readonly password: string | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'griddep-redis-'));
  #process: ChildProcess | undefined;

  private constructor(port: number, password: string | undefined) {
    this.port = port;
    this.password = password;
  }

  static async start(password?: string): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), password);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const secret = this.password === undefined ? [] : ['--requirepass', this.password];
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    const keep = ['--appendonly', 'yes', '--appendfsync', 'always'];
    this.#process = spawn('redis-server', [...options, ...keep, ...secret], { stdio: 'ignore' });
    await this.#answers();
  }

  /** As if the machine lost power: nothing is said to anybody. */
  async kill(): Promise<void> {
    const process = this.#process as ChildProcess;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  async stop(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    for (let i = 0; i < 100; i++) {
      const redis = new Redis({
        port: this.port,
        ...(this.password === undefined ? {} : { password: this.password }),
        lazyConnect: true,
        retryStrategy: () => null,
      });
      redis.on('error', () => {});
      try {
        await redis.connect();
        await redis.ping();
        return;
      } catch {
        await sleep(100);
      } finally {
        redis.disconnect();
      }
    }
    throw new Error('redis-server does not answer');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
