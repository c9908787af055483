// Runs before `npm pack` in a workspace's folder: a tarball carries the licence, the repository holds it once.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './workspaces.mjs';

copyFileSync(join(repositoryRoot, 'LICENSE'), 'LICENSE');
