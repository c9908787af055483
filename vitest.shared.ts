import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';

/**
 * The vitest configuration of a workspace: its tests stand beside its sources, and other workspaces are read from source.
 *
 * With GRIDDEP_TEST_REPORTS set to a folder, a JSON report named after the workspace is written there too.
 * @param name the workspace's short name, such as `engine`
 * @param extra what this workspace needs beside
 */
export function workspaceConfig(name: string, extra: ViteUserConfig = {}): ViteUserConfig {
  const reports = process.env.GRIDDEP_TEST_REPORTS;
  const shared = defineConfig({
    ssr: { resolve: { conditions: ['@griddep/source', 'module', 'node', 'development|production'] } },
    test: {
      include: ['src/**/*.test.ts'],
      setupFiles: [fileURLToPath(new URL('./vitest.setup.ts', import.meta.url))],
      reporters:
        reports === undefined ? ['default'] : ['default', ['json', { outputFile: join(reports, `${name}.json`) }]],
    },
  });
  return mergeConfig(shared, extra);
}
