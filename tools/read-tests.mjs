import { parseSync, Visitor } from 'oxc-parser';

const TEST = new Set(['it', 'test']);
/** Modifiers of tests that do not run. */
const NOT_RUN = new Set(['skip', 'todo']);

/**
 * @typedef {object} TestName
 * @property {string} name @property {readonly string[]} within titles of the groups that it stands in, from the outside
 */

/**
 * The names of the tests that a file of Vitest holds, in order, without those that never run. Of a name that is put
 * together, what is written out.
 * @param {string} file name, whose ending says the language @param {string} source
 * @returns {TestName[]}
 */
export function readTests(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {TestName[]} */
  const tests = [];
  /** @type {string[]} */
  const within = [];
  const groupOf = (/** @type {any} */ call) => (calledNames(call.callee)[0] === 'describe' ? titleOf(call) : undefined);
  new Visitor({
    CallExpression: (/** @type {any} */ call) => {
      const group = groupOf(call);
      if (group !== undefined) within.push(group);
      const [base, ...modifiers] = calledNames(call.callee);
      if (base === undefined || !TEST.has(base) || modifiers.some((m) => NOT_RUN.has(m))) return;
      const name = titleOf(call);
      if (name !== undefined) tests.push({ name, within: [...within] });
    },
    'CallExpression:exit': (/** @type {any} */ call) => {
      if (groupOf(call) !== undefined) within.pop();
    },
  }).visit(program);
  return tests;
}

/** @param {any} call @returns {string | undefined} */
function titleOf(call) {
  return textOf(call.arguments[0]);
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
