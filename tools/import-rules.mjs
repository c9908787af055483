import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { findCycles } from './find-cycles.mjs';
import { readImports } from './read-imports.mjs';
import { listWorkspaces, readJson } from './workspaces.mjs';

/** @import { Workspace } from './workspaces.mjs' */
/** @typedef {{ path: string, isTest: boolean, specifier: string, line: number }} UsedImport `path` is the importing file */

const scope = '@griddep/';

/** The floor of each package: imports point to a lower floor only (docs/DESIGN.md). */
const floors = new Map([
  ['program', 0],
  ['machine', 0],
  ['timeline', 0],
  ['engine', 0],
  ['cuda', 1],
  ['ptx', 1],
  ['simulator', 2],
  ['insight', 3],
  ['importers', 3],
  ['hardware', 3],
  ['sweep', 4],
  ['vitest-matchers', 4],
  ['viewer', 5],
  ['cli', 6],
  ['bench', Number.POSITIVE_INFINITY],
]);

/** Up to this floor packages also run in a browser, so they import nothing of Node's. */
const highestBrowserFloor = 3;

/** Folders of those floors that need Node. */
const nodeFolders = new Map([
  ['engine', 'src/parallel/'],
  ['hardware', 'src/'],
  ['importers', 'src/sqlite/'],
]);

/**
 * Checks the imports of every workspace below `root` against the rules of docs/DESIGN.md.
 * @param {string} root
 * @returns {{ breaches: string[], files: number, packages: number }} a breach is `file:line: what is wrong`
 */
export function checkImports(root) {
  const workspaces = listWorkspaces(root);
  const shared = Object.keys(readJson(join(root, 'package.json')).devDependencies ?? {});
  const results = workspaces.map((workspace) => checkWorkspace(root, workspace, workspaces, shared));
  return {
    breaches: results.flatMap(({ breaches }) => breaches),
    files: results.reduce((sum, { files }) => sum + files, 0),
    packages: workspaces.length,
  };
}

/** @param {string} root @param {Workspace} workspace @param {Workspace[]} workspaces @param {string[]} sharedTools */
function checkWorkspace(root, workspace, workspaces, sharedTools) {
  const files = listSources(join(workspace.dir, 'src'));
  /** @type {Map<string, string[]>} */
  const fileGraph = new Map();
  /** @type {UsedImport[]} */
  const used = [];
  for (const file of files) {
    const imports = readImports(file, readFileSync(file, 'utf8'));
    // A fixture serves tests and is not built.
    const isTest = /\.(test|fixture)\.tsx?$/.test(file);
    const path = posix(relative(root, file));
    used.push(...imports.map((found) => ({ ...found, path, isTest })));
    const ownFiles = imports.filter(({ specifier }) => specifier.startsWith('.'));
    fileGraph.set(
      path,
      ownFiles.map(({ specifier }) => posix(relative(root, resolve(dirname(file), specifier)))),
    );
  }
  const breaches = [
    ...checkFloors(workspace, used),
    ...checkDeclared(workspace, used, sharedTools),
    ...checkUnused(workspace, used),
    ...checkReferences(root, workspace, used, workspaces),
    ...checkBrowser(workspace, used),
    ...checkInside(workspace, used),
    ...findCycles(fileGraph).map((cycle) => `${cycle[0]}: the files import each other: ${cycle.join(' -> ')}`),
  ];
  return { breaches, files: files.length };
}

/** @param {Workspace} workspace @param {UsedImport[]} used */
function checkFloors(workspace, used) {
  const own = floors.get(shortName(workspace.name));
  if (own === undefined)
    return [`${workspace.path}/package.json: ${workspace.name} has no floor in tools/import-rules.mjs`];
  return used.flatMap(({ path, line, specifier }) => {
    const target = packageOf(specifier);
    if (!target?.startsWith(scope) || target === workspace.name) return [];
    const floor = floors.get(shortName(target));
    return floor !== undefined && floor < own
      ? []
      : [`${path}:${line}: ${target} (floor ${floor}) is not below ${workspace.name} (floor ${own})`];
  });
}

/** @param {Workspace} workspace @param {UsedImport[]} used @param {string[]} sharedTools */
function checkDeclared({ name, manifest }, used, sharedTools) {
  const runtime = runtimeDependencies(manifest);
  // A package that is types alone is imported by the name of what it types.
  const types = runtime.flatMap((each) => (each.startsWith('@types/') ? [each.slice('@types/'.length)] : []));
  const forSource = new Set([...runtime, ...types]);
  const forTests = new Set([...forSource, ...Object.keys(manifest.devDependencies ?? {}), ...sharedTools]);
  return used.flatMap(({ path, line, specifier, isTest }) => {
    const target = packageOf(specifier);
    if (target === undefined || target === name || (isTest ? forTests : forSource).has(target)) return [];
    return [
      `${path}:${line}: ${target} is not declared in package.json ${isTest ? 'devDependencies' : 'dependencies'}`,
    ];
  });
}

/** @param {Workspace} workspace @param {UsedImport[]} used */
function checkUnused({ path, manifest }, used) {
  const inSource = new Set(used.filter(({ isTest }) => !isTest).map(({ specifier }) => packageOf(specifier)));
  return runtimeDependencies(manifest)
    .filter((name) => !inSource.has(name.replace('@types/', '')))
    .map((name) => `${path}/package.json: the dependency ${name} is not imported in src`);
}

/** @param {string} root @param {Workspace} workspace @param {UsedImport[]} used @param {Workspace[]} workspaces */
function checkReferences(root, workspace, used, workspaces) {
  const config = `${workspace.path}/tsconfig.json`;
  if (!existsSync(join(root, config))) return used.length > 0 ? [`${config}: is missing`] : [];
  /** @type {{ path: string }[]} */
  const references = readJson(join(root, config)).references ?? [];
  const referenced = new Set(references.map(({ path }) => resolve(workspace.dir, path)));
  const imported = new Set(used.filter(({ isTest }) => !isTest).map(({ specifier }) => packageOf(specifier)));
  return workspaces
    .filter(({ name }) => name !== workspace.name)
    .flatMap(({ name, dir }) => {
      if (imported.has(name) === referenced.has(dir)) return [];
      return imported.has(name)
        ? [`${config}: no reference to ${name}, which src imports`]
        : [`${config}: a reference to ${name}, which src does not import`];
    });
}

/** @param {Workspace} workspace @param {UsedImport[]} used */
function checkBrowser({ name, path: folder }, used) {
  const short = shortName(name);
  if ((floors.get(short) ?? 0) > highestBrowserFloor) return [];
  const allowed = nodeFolders.get(short);
  return used
    .filter(({ isTest, specifier }) => !isTest && isBuiltin(specifier))
    .filter(({ path }) => allowed === undefined || !path.startsWith(`${folder}/${allowed}`))
    .map(({ path, line, specifier }) => `${path}:${line}: ${specifier} is Node's, and ${name} also runs in a browser`);
}

/** @param {Workspace} workspace @param {UsedImport[]} used */
function checkInside({ path: folder, name }, used) {
  return used
    .filter(({ specifier }) => specifier.startsWith('.') || specifier.startsWith('/'))
    .filter(
      ({ path, specifier }) => !posix(relative('/', resolve('/', dirname(path), specifier))).startsWith(`${folder}/`),
    )
    .map(
      ({ path, line, specifier }) => `${path}:${line}: ${specifier} leaves ${name}; import the other package by name`,
    );
}

/** @param {any} manifest @returns {string[]} what an installed package can count on */
function runtimeDependencies({ dependencies = {}, peerDependencies = {}, optionalDependencies = {} }) {
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
}

/** @param {string} specifier @returns {string | undefined} the package named, if it is one */
function packageOf(specifier) {
  if (/^[./#]/.test(specifier) || isBuiltin(specifier)) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** @param {string} name */
const shortName = (name) => (name.startsWith(scope) ? name.slice(scope.length) : name);

/** @param {string} path */
const posix = (path) => path.split(sep).join('/');

/** @param {string} folder @returns {string[]} absolute paths of the TypeScript files below */
function listSources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
