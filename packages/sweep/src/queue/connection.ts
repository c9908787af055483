import { Redis } from 'ioredis';
import { SweepError } from '../sweep-error.ts';
import { VERSION } from '../version.ts';

/** Only simulators of one version take from a queue. */
export const QUEUE = `griddep-${VERSION}`;

/** Keys beside those of the queue. */
export const KEYS = {
  text: (key: string) => `griddep:text:${key}`,
  coordinator: (id: string) => `griddep:coordinator:${id}`,
  coordinators: 'griddep:coordinator:*',
} as const;

const CONNECT_MS = 5000;
const MOST_RETRY_MS = 2000;

/** What ioredis and BullMQ are to connect with. */
export interface ConnectionSettings {
  host: string;
  port: number;
  username?: string;
  password?: string;
  db?: number;
  tls?: { servername: string };
  maxRetriesPerRequest: null;
  retryStrategy: (times: number) => number;
}

export interface Address {
  readonly options: ConnectionSettings;
  /** Without user and password, for messages. */
  readonly shown: string;
}

/**
 * Reads redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE], or rediss:// for TLS. `password` counts where the address has none.
 *
 * @throws SweepError that does not repeat a password
 */
export function readAddress(text: string, password?: string): Address {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new SweepError('--queue: is no address; expected redis://HOST:PORT or rediss://HOST:PORT');
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    throw new SweepError(`--queue ${url.protocol}//…: expected redis:// or rediss://`);
  const database = url.pathname.replace(/^\//, '');
  if (!/^\d{0,5}$/.test(database)) throw new SweepError(`--queue: "${database}" is no number of a database`);
  const host = url.hostname === '' ? '127.0.0.1' : url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? 6379 : Number(url.port);
  const secret = url.password === '' ? password : decoded(url.password);
  return {
    shown: `${url.protocol}//${host}:${port}${database === '' ? '' : `/${database}`}`,
    options: {
      host,
      port,
      ...(url.username === '' ? {} : { username: decoded(url.username) }),
      ...(secret === undefined || secret === '' ? {} : { password: secret }),
      ...(database === '' ? {} : { db: Number(database) }),
      ...(url.protocol === 'rediss:' ? { tls: { servername: host } } : {}),
      // Commands wait for a server that restarts.
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * 100, MOST_RETRY_MS),
    },
  };
}

/** A connection that has been tried. Throws SweepError that says what is wrong with it. */
export async function connect({ options, shown }: Address): Promise<Redis> {
  const redis = new Redis({ ...options, lazyConnect: true, connectTimeout: CONNECT_MS });
  let last: Error | undefined;
  redis.on('error', (error: Error) => {
    last = error;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(last ?? new Error('no answer')), CONNECT_MS);
  });
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), late]);
    return redis;
  } catch (error) {
    redis.disconnect();
    throw new SweepError(`${shown}: cannot be used: ${problem(last ?? (error as Error))}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Servers do not repeat passwords, but commands in errors may. */
export function problem(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return (error.message || code || error.name).replace(/\b(auth|hello)\b.*/i, '$1 …');
}

/** @throws SweepError for a % that begins no code; the text itself may be secret */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SweepError('--queue: a % in user or password has to be written %25');
  }
}
