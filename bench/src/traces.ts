import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readKineto } from '@griddep/importers';
import { traceText } from './trace-text.ts';

/** Reads a generated trace of `--megabytes` (1000), and prints how fast and with how much memory. */
const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '1000' } } });
const folder = mkdtempSync(join(tmpdir(), 'griddep-bench-'));
const path = join(folder, 'trace.json');
try {
  await pipeline(Readable.from(traceText(Number(values.megabytes) * 1e6)), createWriteStream(path));
  const begin = process.cpuUsage();
  const pieces: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: 1 << 20 });
  const trace = await readKineto(pieces, { file: path });
  // Time of the processor: what others run at the time does not count.
  const { user, system } = process.cpuUsage(begin);
  const seconds = (user + system) / 1e6;
  const megabytes = statSync(path).size / 1e6;
  const peak = process.resourceUsage().maxRSS / 1024;
  const rate = (megabytes / seconds).toFixed(1);
  console.log(
    `${megabytes.toFixed(0)} MB, ${trace.operations.length} kernels: ${rate} MB/s of one core, at most ${peak.toFixed(0)} MiB`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
