import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { MachineError, type Place } from '../machine-error.ts';
import { nearestName } from '../nearest-name.ts';

type Path = readonly PropertyKey[];

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
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    const error = this.document.errors[0];
    if (error !== undefined) {
      const [from, to] = error.pos;
      throw new MachineError(error.message, text.slice(from, to), { file, place: this.placeOf(from) });
    }
  }

  /** The text as plain data. */
  data(): unknown {
    return this.document.toJS();
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
