/** Process and thread of a serialised id: 24 bits each at the bottom, below those of the machine. */
export function processOf(globalId: number | bigint | undefined | null | string | Uint8Array): string {
  return String((bits(globalId) >> 24n) & 0xffffffn);
}

export function threadOf(globalId: number | bigint | undefined | null | string | Uint8Array): string {
  return String(bits(globalId) & 0xffffffn);
}

function bits(id: number | bigint | undefined | null | string | Uint8Array): bigint {
  return typeof id === 'number' || typeof id === 'bigint' ? BigInt(id) : 0n;
}
