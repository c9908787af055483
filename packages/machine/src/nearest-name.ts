import { distance } from 'fastest-levenshtein';

const MOST_CANDIDATES = 20_000;
const LONGEST = 200;

/**
 * The valid name that a wrong one was probably meant to be: the closest by edit distance, whatever the case of letters,
 * if at most two edits or half of the text separate them and something is left. Of equally close ones the first.
 * @griddep/program has the same rule; neither package knows the other.
 */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const wrong = text.slice(0, LONGEST).toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wrong.length / 2)) + 1;
  let seen = 0;
  for (const name of names) {
    if (++seen > MOST_CANDIDATES) break;
    const edits = distance(wrong, name.toLowerCase());
    if (edits < least && edits < Math.max(wrong.length, name.length)) {
      least = edits;
      best = name;
    }
  }
  return best;
}
