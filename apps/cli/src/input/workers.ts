import type { Workers } from '@griddep/simulator/parallel';
import { InvalidArgumentError } from 'commander';

const WORDS: readonly Workers[] = ['sequential', 'auto', 'per-device'];

/** `--workers`: a word, or a number of threads. */
export function workers(text: string): Workers {
  const word = WORDS.find((each) => each === text);
  if (word !== undefined) return word;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError(`${WORDS.join(', ')}, or a number from 1 on, at most 999999.`);
  return Number(text);
}
