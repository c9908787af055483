// `node tools/check-imports.mjs [root]` prints each breach of the rules in import-rules.mjs and exits 1 if there is one.
import { resolve } from 'node:path';
import { checkImports } from './import-rules.mjs';
import { repositoryRoot } from './workspaces.mjs';

const { breaches, files, packages } = checkImports(resolve(process.argv[2] ?? repositoryRoot));
for (const breach of breaches) process.stdout.write(`${breach}\n`);
process.stdout.write(`imports: ${packages} packages, ${files} files, ${breaches.length} breaches\n`);
process.exitCode = breaches.length === 0 ? 0 : 1;
