/** Finds the known name that a mistyped one most probably means. It has no dependencies, because generated APIs include it. */

const LONGEST_COMPARED = 64;

/**
 * Returns the closest candidate if at most a third of the word, and at most four letters, differ. Of equal ones the first is
 * returned.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > LONGEST_COMPARED) return null;
  const wanted = normal(word);
  let best: string | null = null;
  let bestDistance = Math.min(4, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > bestDistance) continue;
    const distance = editDistance(wanted, normal(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Removes differences of case and separators: `created_at` equals `createdAt`. */
function normal(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Counts insertions, deletions, substitutions and swaps of neighbours. */
export function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      let distance = Math.min(
        at(previous, j) + 1,
        at(current, j - 1) + 1,
        at(previous, j - 1) + cost,
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        distance = Math.min(distance, at(beforePrevious, j - 2) + 1);
      }
      current.push(distance);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
