import { workspaceConfig } from './vitest.shared.ts';

// The tests of the scripts in tools/; every workspace has a configuration of its own.
const config = workspaceConfig('tools');
if (config.test) config.test.include = ['tools/**/*.test.mjs'];

export default config;
