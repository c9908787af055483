const PREFIX = '"griddep/';
/** Longest distance from the key `schema` to its value. */
const REACH = 64;

/**
 * The schema that a file of JSON or YAML names, such as `griddep/timeline@1`, without parsing it; undefined if it names
 * none of griddep's.
 */
export function schemaName(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf(PREFIX); at >= 0; at = buffer.indexOf(PREFIX, at + 1)) {
    const text = buffer.toString('latin1', Math.max(0, at - REACH), at + REACH);
    const found = /"?schema"?\s*:\s*"(griddep\/[a-z]+@\d+)"/.exec(text);
    if (found?.[1] !== undefined) return found[1];
  }
  return /^\s*schema:\s*'?(griddep\/[a-z]+@\d+)/m.exec(buffer.toString('latin1', 0, 4096))?.[1];
}
