import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { MachineError, type Place } from '../machine-error.ts';
import { nearestName } from '../nearest-name.ts';

type Path = readonly PropertyKey[];

/** A thousand devices written out, each with all constants, have fewer. */
const MOST_CHARACTERS = 2 ** 23;

/** A YAML or JSON text (JSON is read as YAML) that finds the place of a path in itself. */
export class SourceText {
  private readonly document: Document;
  private readonly lines = new LineCounter();
  private readonly file: string;
  private readonly text: string;

  /** Throws MachineError if the text is not well formed. */
  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
    if (text.length > MOST_CHARACTERS) {
      const at = { file, place: { line: 1, column: 1 } };
      throw new MachineError(`the file has more than ${MOST_CHARACTERS} characters`, '', at);
    }
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    const error = this.document.errors[0];
    if (error !== undefined) {
      const [from, to] = error.pos;
      const message = error.code === 'MULTIPLE_DOCS' ? 'several YAML documents; a file holds one' : error.message;
      throw new MachineError(message, text.slice(from, to), { file, place: this.placeOf(from) });
    }
  }

  /** The text as plain data. Throws MachineError for aliases that have no end, or none in sight. */
  data(): unknown {
    this.refuseEndlessAliases();
    try {
      return this.document.toJS();
    } catch (error) {
      const at = { file: this.file, place: { line: 1, column: 1 } };
      throw new MachineError(error instanceof Error ? error.message : String(error), '', at);
    }
  }

  private refuseEndlessAliases(): void {
    visit(this.document, {
      Alias: (_, alias, path) => {
        const target = alias.resolve(this.document);
        if (target === undefined || !path.includes(target)) return;
        const from = alias.range?.[0] ?? 0;
        const message = `*${alias.source} stands within &${alias.source}, which would have no end`;
        throw new MachineError(message, `*${alias.source}`, { file: this.file, place: this.placeOf(from) });
      },
    });
  }

  /** The plain value at a path, undefined where the text has none. */
  valueAt(path: Path): unknown {
    const node = path.length === 0 ? this.document.contents : this.document.getIn(path, true);
    return isNode(node) ? node.toJS(this.document) : undefined;
  }

  /** An error at the value of a path, or at the nearest of its ancestors that the text has. */
  errorAt(path: Path, message: string, nearest?: string): MachineError {
    const node = this.nodeAt(path);
    const [from, to] = this.rangeOf(node);
    const text = this.text.slice(from, to);
    const shown = isScalar(node) ? String(node.value) : text;
    return new MachineError(message, shown, { file: this.file, place: this.placeOf(from) }, nearest);
  }

  /** An error at a key of the map at a path, with the nearest of the names that may stand there. */
  errorAtKey(path: Path, key: string, names: readonly string[]): MachineError {
    const map = this.nodeAt(path);
    const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    const [from] = this.rangeOf(isNode(pair?.key) ? pair.key : map);
    const at = { file: this.file, place: this.placeOf(from) };
    return new MachineError(`unknown name '${key}'${describe(path)}`, key, at, nearestName(key, names));
  }

  private nodeAt(path: Path): Node | null {
    for (let length = path.length; length > 0; length--) {
      const node = this.document.getIn(path.slice(0, length), true);
      if (isNode(node)) return node;
    }
    return this.document.contents as Node | null;
  }

  private rangeOf(node: Node | null): readonly [from: number, to: number] {
    const range = node?.range;
    return range === null || range === undefined ? [0, 0] : [range[0], range[1]];
  }

  private placeOf(offset: number): Place {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function describe(path: Path): string {
  return path.length === 0 ? '' : ` in ${path.map(String).join('.')}`;
}
