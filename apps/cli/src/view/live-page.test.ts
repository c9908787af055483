import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INSTANTS, makeOperation } from '@griddep/timeline';
import { IntervalRows, IntervalTable } from '@griddep/viewer';
import { afterAll, expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';
import { LivePage } from './live-page.ts';

const server = createServer();
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Both ends of a stream of events. */
async function stream(): Promise<{ readonly response: ServerResponse; readonly client: IncomingMessage }> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answered = new Promise<ServerResponse>((resolve) => {
    server.once('request', (_, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      resolve(response);
    });
  });
  const client = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve));
  return { response: await answered, client };
}

/** Puts together what comes; `parts` counts the events. */
function reading(client: IncomingMessage) {
  const rows = new IntervalRows();
  const state = { rows, parts: 0 };
  let text = '';
  client.setEncoding('utf8');
  client.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event !== 'intervals') continue;
      rows.append(Buffer.from(data, 'base64'));
      state.parts++;
    }
  });
  return state;
}

const BATCHES = 200;
const ROWS = 1000;

function add(table: IntervalTable, batch: number): void {
  for (let i = 0; i < ROWS; i++) table.add(makeOperation({ id: `k#${batch * ROWS + i}`, start: batch * ROWS + i }));
}

it('a page that does not read holds nobody up, gets larger parts later, and misses nothing', async () => {
  const table = new IntervalTable();
  const { response, client } = await stream();
  const page = new LivePage(new EventStream(response), table);
  let most = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    add(table, batch);
    page.update();
    most = Math.max(most, response.writableLength);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // At most the part that filled the connection waits in memory, not the 40 MB of all.
  expect(most).toBeLessThan(8e6);
  const read = reading(client);
  await expect.poll(() => read.rows.rows, { timeout: 20_000 }).toBe(BATCHES * ROWS);
  expect(read.parts).toBeLessThan(BATCHES / 2);
  const { instants } = read.rows.columns({ title: '', program: '', machine: '', devices: [] });
  const starts = Array.from({ length: BATCHES * ROWS }, (_, i) => instants[i * INSTANTS.length + START]);
  expect(starts).toEqual(Array.from(starts, (_, i) => i));
  client.destroy();
});

it('a page that comes late gets everything from the start', async () => {
  const table = new IntervalTable();
  add(table, 0);
  const { response, client } = await stream();
  const read = reading(client);
  const page = new LivePage(new EventStream(response), table);
  page.update();
  await expect.poll(() => read.rows.rows).toBe(ROWS);
  add(table, 1);
  page.update();
  await expect.poll(() => read.rows.rows).toBe(2 * ROWS);
  client.destroy();
});

const START = INSTANTS.indexOf('start');
