/** The known word that a mistyped one was probably meant to be: the suggestion in a hint (definitions 2). */
import { distance } from "fastest-levenshtein";

const FARTHEST = 3;

/** The nearest of `known`, or null when none is near; the first one wins a tie. */
export function nearestOf(word: string, known: Iterable<string>): string | null {
  const lower = word.toLowerCase();
  let nearest: { readonly name: string; readonly steps: number } | null = null;
  for (const name of known) {
    const steps = distance(lower, name.toLowerCase());
    if (steps <= allowed(word, name) && (nearest === null || steps < nearest.steps)) {
      nearest = { name, steps };
    }
  }
  return nearest?.name ?? null;
}

/** Short words differ by little from everything, so they may differ by less. */
function allowed(word: string, name: string): number {
  const shorter = Math.min(word.length, name.length);
  return Math.max(1, Math.min(FARTHEST, Math.floor(shorter / 2)));
}
