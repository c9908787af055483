import jsep, { type Expression } from 'jsep';
import { inside, ProgramError } from './errors.ts';
import { unknownName } from './names.ts';
import { quantityValue } from './quantity.ts';

export type Value = number | string | boolean;
/** Values of params and repeat indices. */
export type Environment = ReadonlyMap<string, Value>;

type Template = readonly (string | { readonly source: string; readonly tree: Expression })[];
const LONGEST_EXPRESSION = 1000;

const FUNCTIONS: ReadonlyMap<string, (...args: number[]) => number> = new Map([
  ['abs', Math.abs],
  ['ceil', Math.ceil],
  ['floor', Math.floor],
  ['max', Math.max],
  ['min', Math.min],
  ['round', Math.round],
]);

/** Whether a document's value holds `${` anywhere. */
export function hasExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasExpression);
}

/** Writes text so that it is read back as it stands. */
export function escapeExpression(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** Evaluates `${...}` in texts: arithmetic, comparison, `?:`, min, max, abs, floor, ceil, round. `$${` stands for `${`. */
export class Expressions {
  private readonly templates = new Map<string, Template>();

  /** The text with its expressions replaced; a text that is one expression gives its value as it is. */
  text(text: string, environment: Environment): Value {
    if (!text.includes('${')) return text;
    const template = this.template(text);
    const only = template[0];
    if (template.length === 1 && typeof only === 'object') return evaluateSource(only, environment);
    return template.map((p) => (typeof p === 'string' ? p : String(evaluateSource(p, environment)))).join('');
  }

  /** The names that the expressions of a text use, also where evaluation may not come to them. Throws as `text` does. */
  names(text: string): ReadonlySet<string> {
    const trees = this.template(text).flatMap((part) => (typeof part === 'string' ? [] : [part.tree as Node]));
    return new Set(trees.flatMap(namesOf));
  }

  private template(text: string): Template {
    let template = this.templates.get(text);
    if (template === undefined) {
      template = parseTemplate(text);
      this.templates.set(text, template);
    }
    return template;
  }

  /** A document's value with all its texts replaced. Errors carry the path within the value. */
  deep(value: unknown, environment: Environment): unknown {
    if (typeof value === 'string') return this.text(value, environment);
    if (typeof value !== 'object' || value === null) return value;
    const at = (key: string | number, item: unknown) => inside([key], () => this.deep(item, environment));
    if (Array.isArray(value)) return value.map((item, i) => at(i, item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, at(key, item)]));
  }
}

function parseTemplate(text: string): Template {
  const parts: (string | { source: string; tree: Expression })[] = [];
  let literal = '';
  let i = 0;
  while (i < text.length) {
    if (text.startsWith('$${', i)) {
      literal += '${';
      i += 3;
    } else if (text.startsWith('${', i)) {
      const end = text.indexOf('}', i);
      if (end < 0)
        throw new ProgramError('an expression that begins with "$" and "{" lacks its "}"', { offending: text });
      if (literal !== '') parts.push(literal);
      literal = '';
      parts.push(parseSource(text.slice(i + 2, end)));
      i = end + 1;
    } else {
      literal += text[i++];
    }
  }
  if (literal !== '') parts.push(literal);
  return parts;
}

function parseSource(source: string): { source: string; tree: Expression } {
  if (source.length > LONGEST_EXPRESSION) {
    throw new ProgramError(`expression of ${source.length} characters; at most ${LONGEST_EXPRESSION}`);
  }
  try {
    return { source, tree: jsep(source) };
  } catch (error) {
    throw new ProgramError(`bad expression: ${(error as Error).message}`, { offending: source });
  }
}

function evaluateSource({ source, tree }: { source: string; tree: Expression }, environment: Environment): Value {
  try {
    return evaluate(tree as Node, environment);
  } catch (error) {
    if (error instanceof ProgramError && error.offending === '') {
      throw new ProgramError(`${error.problem} in "\${${source}}"`, { offending: source });
    }
    throw error;
  }
}

type Node =
  | { type: 'Literal'; value: unknown }
  | { type: 'Identifier'; name: string }
  | { type: 'UnaryExpression'; operator: string; argument: Node }
  | { type: 'BinaryExpression'; operator: string; left: Node; right: Node }
  | { type: 'ConditionalExpression'; test: Node; consequent: Node; alternate: Node }
  | { type: 'CallExpression'; callee: Node; arguments: Node[] }
  | { type: 'Compound' | 'MemberExpression' | 'ArrayExpression' | 'ThisExpression' | 'SequenceExpression' };

function namesOf(node: Node): string[] {
  switch (node.type) {
    case 'Identifier':
      return [node.name];
    case 'UnaryExpression':
      return namesOf(node.argument);
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate].flatMap(namesOf);
    case 'BinaryExpression':
      return [node.left, node.right].flatMap(namesOf);
    case 'CallExpression':
      return node.arguments.flatMap(namesOf);
    default:
      return [];
  }
}

function evaluate(node: Node, environment: Environment): Value {
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'object') break;
      return node.value as Value;
    case 'Identifier': {
      const value = environment.get(node.name);
      if (value === undefined) throw unknownName('parameter', node.name, environment.keys());
      return value;
    }
    case 'UnaryExpression': {
      const value = evaluate(node.argument, environment);
      if (node.operator === '!') return !value;
      if (node.operator === '-') return -number(value);
      if (node.operator === '+') return number(value);
      break;
    }
    case 'ConditionalExpression':
      return evaluate(evaluate(node.test, environment) ? node.consequent : node.alternate, environment);
    case 'BinaryExpression':
      return binary(node.operator, evaluate(node.left, environment), () => evaluate(node.right, environment));
    case 'CallExpression': {
      const name = node.callee.type === 'Identifier' ? node.callee.name : '';
      const call = FUNCTIONS.get(name);
      if (call === undefined) throw unknownName('function', name, FUNCTIONS.keys());
      return call(...node.arguments.map((a) => number(evaluate(a, environment))));
    }
    case 'Compound':
      throw new ProgramError('an expression must be one value');
  }
  throw new ProgramError('expressions know arithmetic, comparison, ?: and min, max, abs, floor, ceil, round; not this');
}

function binary(operator: string, left: Value, rightOf: () => Value): Value {
  if (operator === '&&') return left ? rightOf() : left;
  if (operator === '||') return left ? left : rightOf();
  const right = rightOf();
  switch (operator) {
    case '==':
    case '===':
      return left === right;
    case '!=':
    case '!==':
      return left !== right;
    case '+':
      return isNumeric(left) && isNumeric(right) ? number(left) + number(right) : `${left}${right}`;
    case '-':
      return number(left) - number(right);
    case '*':
      return number(left) * number(right);
    case '/':
      return number(left) / number(right);
    case '%':
      return number(left) % number(right);
    case '<':
      return number(left) < number(right);
    case '<=':
      return number(left) <= number(right);
    case '>':
      return number(left) > number(right);
    case '>=':
      return number(left) >= number(right);
    default:
      throw new ProgramError(`operator ${operator} is not known`);
  }
}

/** Texts with a unit count as picoseconds or bytes, so that `${size * 2}` works with `size: 64KiB`. */
function isNumeric(value: Value): boolean {
  return typeof value === 'number' || (typeof value === 'string' && quantityValue(value) !== undefined);
}

function number(value: Value): number {
  if (typeof value === 'number') return value;
  const quantity = typeof value === 'string' ? quantityValue(value) : undefined;
  if (quantity === undefined) throw new ProgramError(`${JSON.stringify(value)} is no number`);
  return quantity;
}
