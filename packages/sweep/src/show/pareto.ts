/** The entries that no other beats in both of two values, both the smaller the better, by the first. */
export function paretoFront<T extends Readonly<Record<string, unknown>>>(
  entries: readonly T[],
  a: string,
  b: string,
): T[] {
  const sorted = [...entries].sort((p, q) => Number(p[a]) - Number(q[a]) || Number(p[b]) - Number(q[b]));
  const front: T[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const entry of sorted) {
    if (!(Number(entry[b]) < least)) continue;
    least = Number(entry[b]);
    front.push(entry);
  }
  return front;
}
