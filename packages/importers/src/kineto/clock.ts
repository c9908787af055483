const TIME = /"(ts|dur)"\s*:\s*"?(-?\d+)(?:\.(\d+))?"?(?=[\s,}])/g;

/** A decimal number of microseconds as its whole part and picoseconds. */
interface ExactTime {
  readonly microseconds: bigint;
  readonly picoseconds: number;
}

/**
 * Turns the times of a file into picoseconds since its first one, from their digits: as numbers in microseconds since
 * 1970 they would have lost their nanoseconds.
 */
export class TraceClock {
  #base: bigint | undefined;
  /** Finest step seen, ps. */
  resolution = 1_000_000;

  /** Nanoseconds of the file's clock at instant 0. */
  get epoch(): bigint {
    return (this.#base ?? 0n) * 1000n;
  }

  /**
   * Start and duration of an event, ps; undefined where it has none that is a number.
   * @param text of the event, whose own `ts` and `dur` come before any in its arguments, or are `ts` and `dur`
   */
  read(text: string, ts: number, dur: number): { start: number; duration: number } | undefined {
    if (!Number.isFinite(ts)) return undefined;
    let start: ExactTime | undefined;
    let duration = Number.isFinite(dur) ? Math.round(dur * 1e6) : 0;
    TIME.lastIndex = 0;
    let isDurationExact = false;
    for (let match = TIME.exec(text); match !== null; match = TIME.exec(text)) {
      const [, key, whole = '', fraction = ''] = match;
      const value = Number(`${whole}.${fraction}`);
      if (key === 'ts' && start === undefined && value === ts) start = exact(whole, fraction);
      if (key === 'dur' && !isDurationExact && value === dur) {
        const { microseconds, picoseconds } = exact(whole, fraction);
        duration = Number(microseconds) * 1e6 + picoseconds;
        isDurationExact = true;
      }
      if (fraction !== '') this.resolution = Math.min(this.resolution, Math.max(1, 10 ** (6 - fraction.length)));
      if (start !== undefined && isDurationExact) break;
    }
    start ??= exact(String(Math.trunc(ts)), (ts - Math.trunc(ts)).toFixed(6).slice(2));
    this.#base ??= start.microseconds;
    return { start: Number(start.microseconds - this.#base) * 1e6 + start.picoseconds, duration };
  }
}

function exact(whole: string, fraction: string): ExactTime {
  const sign = whole.startsWith('-') ? -1 : 1;
  return { microseconds: BigInt(whole), picoseconds: sign * Number(fraction.slice(0, 6).padEnd(6, '0')) };
}
