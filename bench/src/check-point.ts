// One point of `checks` in a process of its own: `node --expose-gc dist/check-point.js KIND OPERATIONS` prints a JSON object.
import { checkPoint } from './checked-point.ts';
import type { Checked } from './checked-program.ts';

const [kind = 'ordered', operations = '12500'] = process.argv.slice(2);
console.log(JSON.stringify(checkPoint(kind as Checked, Number(operations))));
