/** The known name that a misspelt one most likely meant (definitions 2: an unknown key suggests the nearest). */
import { distance } from "fastest-levenshtein";

/** Null when nothing is close. Ties go to the first of `known`, so the answer depends on its arguments only. */
export function nearest(name: string, known: Iterable<string>): string | null {
  const wanted = normal(name);
  let best: string | null = null;
  let bestDistance = allowedDistance(name) + 1;
  for (const candidate of known) {
    if (candidate === name || Math.abs(candidate.length - name.length) > bestDistance) continue;
    const candidateDistance = distance(wanted, normal(candidate));
    if (candidateDistance < bestDistance) [best, bestDistance] = [candidate, candidateDistance];
  }
  return best;
}

/** A third of the letters may be wrong, at least one and at most four; nobody misspells a name of 100 letters. */
function allowedDistance(name: string): number {
  return name.length > 100 ? -1 : Math.min(4, Math.max(1, Math.floor(name.length / 3)));
}

/** Case and word separators are no difference: `created_at` is `createdAt`. */
function normal(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
