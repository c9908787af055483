const TYPES = { Float64Array, Int32Array, Uint32Array, Uint16Array, Uint8Array };
type TypeName = keyof typeof TYPES;
export type Column = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

interface Entry {
  readonly name: string;
  readonly type: TypeName;
  readonly length: number;
}

const MAGIC = 0x47444631;

/** A plain value and named columns as one array of bytes: magic, length of the header, header (JSON), columns at multiples of 8. */
export function packFrame(head: unknown, columns: Readonly<Record<string, Column>>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(columns).map(([name, column]): Entry => {
    return { name, type: typeOf(column), length: column.length };
  });
  const header = new TextEncoder().encode(JSON.stringify({ head, entries }));
  let size = aligned(8 + header.length);
  for (const column of Object.values(columns)) size = aligned(size + column.byteLength);
  const frame = new Uint8Array(size);
  new DataView(frame.buffer).setUint32(0, MAGIC);
  new DataView(frame.buffer).setUint32(4, header.length);
  frame.set(header, 8);
  let at = aligned(8 + header.length);
  for (const column of Object.values(columns)) {
    frame.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at = aligned(at + column.byteLength);
  }
  return frame;
}

/** Whether the bytes begin as a frame does. */
export function isFrame(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === MAGIC;
}

/** What `packFrame` packed; the columns are views of `bytes` where its place allows it. Throws RangeError if it is cut off. */
export function unpackFrame(bytes: Uint8Array): { readonly head: unknown; readonly columns: Record<string, Column> } {
  const buffer = (bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()).buffer as ArrayBuffer;
  const start = buffer === bytes.buffer ? bytes.byteOffset : 0;
  const length = new DataView(buffer, start).getUint32(4);
  const header = new TextDecoder().decode(new Uint8Array(buffer, start + 8, length));
  const { head, entries } = JSON.parse(header) as { head: unknown; entries: Entry[] };
  const columns: Record<string, Column> = {};
  let at = aligned(8 + length);
  for (const { name, type, length } of entries) {
    const column = new TYPES[type](buffer, start + at, length);
    columns[name] = column;
    at = aligned(at + column.byteLength);
  }
  return { head, columns };
}

/** By test, not by the constructor's name, which a minifier may change. */
function typeOf(column: Column): TypeName {
  const [name] = Object.entries(TYPES).find(([, type]) => column instanceof type) ?? ['Uint8Array'];
  return name as TypeName;
}

function aligned(size: number): number {
  return Math.ceil(size / 8) * 8;
}
