import { expect, it } from 'vitest';
import { builderMarkdown, CALL_ARGUMENTS, CALL_NAMES, HostThreadBuilder, ProgramBuilder } from './index.ts';
import { callSchemas } from './schema/calls.ts';

/** Names of a method's parameters as its code has them, without defaults. */
function parametersOf(method: unknown): string[] {
  const [, list = ''] = /^\w+\(([^)]*)\)/.exec(String(method)) ?? [];
  return list
    .split(',')
    .map((parameter) => parameter.replace(/=.*/s, '').trim())
    .filter((parameter) => parameter !== '');
}

it('lists every call with the arguments of its method, in order', () => {
  expect(Object.keys(CALL_ARGUMENTS).sort()).toEqual([...CALL_NAMES].sort());
  for (const name of CALL_NAMES) {
    const names = CALL_ARGUMENTS[name].arguments.map((argument) => argument.replace('?', ''));
    expect(parametersOf(HostThreadBuilder.prototype[name]), name).toEqual([...names, 'options']);
  }
});

it('takes the keys that files take', () => {
  for (const name of CALL_NAMES) {
    const { shape } = callSchemas[name] as unknown as { shape: object };
    const { arguments: given, options } = CALL_ARGUMENTS[name];
    const keys = [...given.map((argument) => argument.replace('?', '')), ...options, 'label'];
    expect(keys.sort(), name).toEqual(Object.keys(shape).sort());
  }
});

it('shows every method of the builder', () => {
  const page = builderMarkdown();
  const methods = Object.getOwnPropertyNames(ProgramBuilder.prototype).filter((name) => name !== 'constructor');
  for (const name of [...methods, ...CALL_NAMES]) expect(page).toContain(`| \`${name}(`);
});
