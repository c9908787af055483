/** The column itself, or a copy of twice its length or more when it has no room for `length` items. */
export function grown<T extends Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(column: T, length: number): T {
  if (length <= column.length) return column;
  const larger = new (column.constructor as new (length: number) => T)(Math.max(length, 2 * column.length));
  larger.set(column);
  return larger;
}
