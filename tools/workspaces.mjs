import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {string} path @returns {any} the parsed JSON file */
export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * @typedef {object} Workspace
 * @property {string} dir absolute folder
 * @property {string} path folder relative to the root, with `/`
 * @property {string} name package name
 * @property {any} manifest parsed package.json
 */

/**
 * The npm workspaces below `root`, sorted by path. Reads the patterns `folder` and `folder/*`, which are all that is used here.
 * @param {string} [root] @returns {Workspace[]}
 */
export function listWorkspaces(root = repositoryRoot) {
  /** @type {string[]} */
  const patterns = readJson(join(root, 'package.json')).workspaces ?? [];
  const paths = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [];
  });
  return paths
    .filter((path) => existsSync(join(root, path, 'package.json')))
    .sort()
    .map((path) => {
      const manifest = readJson(join(root, path, 'package.json'));
      return { dir: join(root, path), path, name: manifest.name, manifest };
    });
}
