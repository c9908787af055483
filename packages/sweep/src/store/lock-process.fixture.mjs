// Takes results files in a process of its own. Lines of its input are `take PATH AT` (at this time, ms since 1970) and
// `release`; each is answered with a line: taken, released, or why not.
import { createInterface } from 'node:readline';
import { lockFile } from '../../dist/store/lock.js';

const held = [];

function answer(line) {
  const [what, path, at] = line.split(' ');
  if (what === 'release') {
    for (const release of held.splice(0)) release();
    return 'released';
  }
  while (performance.timeOrigin + performance.now() < Number(at)) {
    // Processes that are to meet begin within microseconds of each other.
  }
  try {
    held.push(lockFile(path));
    return 'taken';
  } catch (error) {
    return error.message;
  }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${answer(line)}\n`);
