import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from 'yaml';
import { type Path, ProgramError } from './errors.ts';
import { DEEPEST, type Place, snippet } from './json-scan.ts';
import type { Source } from './source.ts';

/** Uses of anchors, counted as the `yaml` package does: nested aliases multiply. */
const MOST_ALIASES = 1000;

/** Parses YAML 1.2. Throws ProgramError with the place. */
export function readYaml(text: string, file: string): Source {
  return new YamlSource(text, file);
}

class YamlSource implements Source {
  readonly value: unknown;
  private readonly text: string;
  private readonly file: string;
  private readonly lines = new LineCounter();
  private readonly document: Document;
  private readonly anchors = new Map<string, Node>();
  /** Collections around the place that `check` has come to. */
  private readonly open = new Set<unknown>();
  private readonly aliased = new Map<Alias, Node | undefined>();

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
    this.document = this.parse();
    const [error] = this.document.errors;
    if (error?.code === 'MULTIPLE_DOCS') throw this.error('several YAML documents; a file holds one', error.pos[0]);
    if (error !== undefined) throw this.error(syntaxProblem(error.message), error.pos[0]);
    this.check(this.document.contents, 0);
    try {
      this.value = this.document.toJS({ maxAliasCount: MOST_ALIASES });
    } catch (thrown) {
      throw this.error(`not usable YAML: ${firstLine((thrown as Error).message)}`, 0);
    }
  }

  locate(path: Path, atKey: boolean): Place {
    let node: unknown = this.document.contents;
    let offset = offsetOf(node);
    for (const [i, key] of path.entries()) {
      const collection = this.follow(node);
      const pair = isMap(collection) ? collection.items.find((p) => keyText(p) === String(key)) : undefined;
      node = isSeq(collection) ? collection.items[key as number] : pair?.value;
      if (atKey && i === path.length - 1 && pair !== undefined) node = pair.key;
      const next = offsetOf(node) ?? offsetOf(pair?.key);
      if (next === undefined) break;
      offset = next;
    }
    return { ...this.place(offset ?? 0), text: snippet(this.text, offset ?? 0) };
  }

  callPlace(path: Path): { line: number; column: number } {
    const { line, column } = this.locate(path, false);
    return { line, column };
  }

  private parse(): Document {
    try {
      // Duplicate keys are found below: the package's own check takes quadratic time.
      return parseDocument(this.text, {
        lineCounter: this.lines,
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'error',
      });
    } catch (thrown) {
      throw this.error(syntaxProblem((thrown as Error).message), 0);
    }
  }

  private check(node: unknown, depth: number): void {
    if (depth > DEEPEST) throw this.error(`nested more than ${DEEPEST} levels deep`, offsetOf(node) ?? 0);
    if (isAlias(node)) {
      const target = this.anchors.get(node.source);
      if (target !== undefined && this.open.has(target)) {
        throw this.error(`*${node.source} stands within &${node.source}, which would have no end`, offsetOf(node) ?? 0);
      }
      this.aliased.set(node, target);
      return;
    }
    const anchor = (node as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined) this.anchors.set(anchor, node as Node);
    this.open.add(node);
    if (isMap(node)) this.checkMap(node.items, depth);
    else if (isSeq(node)) for (const item of node.items) this.check(item, depth + 1);
    this.open.delete(node);
  }

  private checkMap(items: readonly Pair[], depth: number): void {
    const keys = new Set<string>();
    for (const pair of items) {
      const offset = offsetOf(pair.key) ?? 0;
      if (!isScalar(pair.key)) throw this.error('a key must be plain text', offset);
      const key = keyText(pair);
      if (keys.has(key)) throw this.error(`duplicate key ${JSON.stringify(key)}`, offset, key);
      keys.add(key);
      this.check(pair.value, depth + 1);
    }
  }

  private follow(node: unknown): unknown {
    return isAlias(node) ? this.aliased.get(node) : node;
  }

  private place(offset: number): { line: number; column: number } {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  private error(problem: string, offset: number, offending = snippet(this.text, offset)): ProgramError {
    return new ProgramError(problem, { file: this.file, ...this.place(offset), offending });
  }
}

function keyText(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}

/** The parser is recursive, and reports a full stack as an error of the text. */
function syntaxProblem(message: string): string {
  return message.includes('call stack') ? 'nested too deeply' : `not valid YAML: ${firstLine(message)}`;
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}
