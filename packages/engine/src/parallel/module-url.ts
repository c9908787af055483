import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** URL of a module of a package by its name in the package's exports: the built one, also where sources run. */
export function moduleUrl(name: string): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
}
