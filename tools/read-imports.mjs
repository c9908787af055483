import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {number} line counted from 1
 */

/**
 * Every module a source names: imports, re-exports, `import()` of a literal, and `import('x').T` types.
 * @param {string} file name, whose ending says the language @param {string} source
 * @returns {Import[]}
 */
export function readImports(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {Import[]} */
  const imports = [];
  /** @param {any} literal */
  const add = (literal) => {
    if (typeof literal?.value !== 'string') return;
    imports.push({ specifier: literal.value, line: source.slice(0, literal.start).split('\n').length });
  };
  const addSource = (/** @type {any} */ node) => add(node.source);
  new Visitor({
    ImportDeclaration: addSource,
    ExportNamedDeclaration: addSource,
    ExportAllDeclaration: addSource,
    ImportExpression: addSource,
    TSImportType: addSource,
  }).visit(program);
  return imports;
}
