import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One file with everything in it: it can be served, opened from disk, and needs no other request.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  root: 'src/app',
  build: { outDir: '../../dist/page', emptyOutDir: true, target: 'es2022', modulePreload: false },
  worker: { format: 'iife' },
  logLevel: 'warn',
});
