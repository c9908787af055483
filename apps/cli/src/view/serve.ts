import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileError } from '../input/input-error.ts';
import { EventStream } from './event-stream.ts';
import { PAGE_POLICY, viewerPage } from './page.ts';

export interface ServedPage {
  readonly url: string;
  /** Ends the server and all its connections. */
  readonly close: () => void;
}

/**
 * Serves the viewer and its data on 127.0.0.1. The address holds a secret, and the name it is asked by must be its own,
 * so that neither other users of this machine nor pages of other sites can read what is shown.
 *
 * @param data what the page shows, once it asks
 * @param welcome takes the stream of events of each page that looks on while that is made
 * @throws InputError if the port cannot be had
 */
export async function servePage(
  port: number,
  data: () => Promise<Uint8Array>,
  welcome?: (stream: EventStream) => void,
): Promise<ServedPage> {
  const secret = randomBytes(18).toString('base64url');
  const page = await viewerPage(welcome === undefined ? { data: 'data' } : { data: 'data', live: 'live' });
  let host = '';
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(error instanceof Error ? error.message : String(error));
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const isOurs = request.headers.host === host && request.method === 'GET';
    const path = isOurs ? request.url : undefined;
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    };
    if (path === `/${secret}/`) {
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
      });
      response.end(page);
    } else if (path === `/${secret}/data`) {
      const bytes = await data();
      response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream' });
      response.end(bytes);
    } else if (path === `/${secret}/live` && welcome !== undefined) {
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
      response.flushHeaders();
      welcome(new EventStream(response));
    } else {
      response.writeHead(404, headers).end();
    }
  };
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    throw fileError(`--port ${port}`, error as NodeJS.ErrnoException);
  }
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/${secret}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Settles when the process is asked to end, which until then does not end it. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
