import { BUFFER_KEYS, EVENT_KEYS, STREAM_KEYS } from './builder.ts';
import { CALL_ARGUMENTS } from './call-arguments.ts';
import { ATTRIBUTE_KEYS } from './make-attributes.ts';
import { KERNEL_KEYS } from './make-kernel.ts';

/** The builder's methods with their arguments as tables of Markdown: what docs/programs.md shows. */
export function builderMarkdown(): string {
  const declared = [
    ['kernel(name, input)', KERNEL_KEYS],
    ['stream(name, input?)', STREAM_KEYS],
    ['event(name, input?)', EVENT_KEYS],
    ['buffer(name, input)', BUFFER_KEYS],
    ['graph(name, nodes, edges?)', ['id', 'call', 'from', 'to', 'fromPort', 'type']],
    ['hostThread(name?, input?)', ['device', 'callGap']],
    ['build()', []],
  ] as const;
  const calls = Object.entries(CALL_ARGUMENTS).map(([name, { arguments: given, options }]) => {
    return [`${name}(${[...given, 'options?'].join(', ')})`, ['label', ...options]] as const;
  });
  return [
    table('method of a program', 'keys of its objects', declared),
    `Launch attributes: ${ATTRIBUTE_KEYS.map(code).join(', ')}.`,
    table('method of a host thread', 'keys of `options`', [
      ...calls,
      ['range(name, body)', []],
      ['add(name, arguments, options?)', ['label']],
    ]),
  ].join('\n\n');
}

type Row = readonly [string, readonly string[]];

function table(left: string, right: string, rows: readonly Row[]): string {
  return [
    `| ${left} | ${right} |`,
    '|---|---|',
    ...rows.map(([method, keys]) => `| ${code(method)} | ${keys.map(code).join(', ')} |`),
  ].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
