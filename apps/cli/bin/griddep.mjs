#!/usr/bin/env node
// The command, also before the first build: npm links it when it installs, and only then is there a dist.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(fileURLToPath(main))) {
  await import(main.href);
} else {
  process.stderr.write('griddep: not built yet; run `npm run build` in the repository, or `npm start`\n');
  process.exitCode = 2;
}
