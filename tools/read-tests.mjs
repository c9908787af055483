import { parseSync, Visitor } from 'oxc-parser';

const TEST = new Set(['it', 'test']);
/** Modifiers of tests that do not run. */
const NOT_RUN = new Set(['skip', 'todo']);

/**
 * The names of the tests that a file of Vitest holds, in order, without those that never run. Of a name that is put
 * together, what is written out.
 * @param {string} file name, whose ending says the language @param {string} source
 * @returns {string[]}
 */
export function readTests(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {string[]} */
  const names = [];
  new Visitor({
    CallExpression: (/** @type {any} */ { callee, arguments: [title] }) => {
      const [base, ...modifiers] = calledNames(callee);
      if (base === undefined || !TEST.has(base) || modifiers.some((m) => NOT_RUN.has(m))) return;
      const name = textOf(title);
      if (name !== undefined) names.push(name);
    },
  }).visit(program);
  return names;
}

/**
 * `it`, `it.each(...)`, `it.skipIf(...)`, `it.concurrent.each`...``: the names along the way.
 * @param {any} callee @returns {string[]}
 */
function calledNames(callee) {
  switch (callee.type) {
    case 'Identifier':
      return [callee.name];
    case 'MemberExpression':
      return [...calledNames(callee.object), callee.property.name];
    case 'CallExpression':
      return calledNames(callee.callee);
    case 'TaggedTemplateExpression':
      return calledNames(callee.tag);
    default:
      return [];
  }
}

/** @param {any} node @returns {string | undefined} */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map((/** @type {any} */ part) => part.value.cooked).join('…');
}
