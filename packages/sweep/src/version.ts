import { createRequire } from 'node:module';

/** The version that results are of; workers of another are refused. */
export const VERSION: string = (createRequire(import.meta.url)('@griddep/sweep/package.json') as { version: string })
  .version;
