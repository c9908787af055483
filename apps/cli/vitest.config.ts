import { workspaceConfig } from '../../vitest.shared.ts';

// Tests start the command several times over, each of which takes a second on a loaded machine.
export default workspaceConfig('cli', { test: { testTimeout: 30_000 } });
