/** An event of Chrome's trace format as Kineto writes it; anything may be missing or of another type. */
export interface KinetoEvent {
  readonly ph?: unknown;
  readonly cat?: unknown;
  readonly name?: unknown;
  readonly pid?: unknown;
  readonly tid?: unknown;
  readonly ts?: unknown;
  readonly dur?: unknown;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** What an event is about, whichever schema names it. */
export type KinetoCategory = 'kernel' | 'copy' | 'memset' | 'call' | 'operator' | 'annotation' | 'sync';

/** Older schemas wrote the categories with capital letters, and others. */
const CATEGORIES: ReadonlyMap<string, KinetoCategory> = new Map([
  ['kernel', 'kernel'],
  ['gpu_memcpy', 'copy'],
  ['memcpy', 'copy'],
  ['gpu_memset', 'memset'],
  ['memset', 'memset'],
  ['cuda_runtime', 'call'],
  ['cuda_driver', 'call'],
  ['runtime', 'call'],
  ['driver', 'call'],
  ['cpu_op', 'operator'],
  ['operator', 'operator'],
  ['user_annotation', 'annotation'],
  ['cuda_sync', 'sync'],
]);

export function categoryOf(category: unknown): KinetoCategory | undefined {
  if (typeof category !== 'string') return undefined;
  return CATEGORIES.get(category) ?? CATEGORIES.get(category.toLowerCase());
}

/** A number that may stand as text, such as a `tid` of `"stream 7"`; otherwise `absent`. */
export function numberOf(value: unknown, absent: number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return absent;
  const found = /-?\d+(\.\d+)?$/.exec(value.trim());
  return found === null ? absent : Number(found[0]);
}

export function dimensions(value: unknown): [number, number, number] {
  const list = typeof value === 'string' ? value.match(/\d+/g)?.map(Number) : value;
  const [x, y, z] = Array.isArray(list) ? list : [];
  const one = (n: unknown) => (typeof n === 'number' && n >= 1 ? n : 1);
  return [one(x), one(y), one(z)];
}
