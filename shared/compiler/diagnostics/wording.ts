/** Phrases that many hints share. */
import { quote } from "./quote.ts";

/** The suggestion for a near miss, or no hint. */
export function didYouMean({ nearest }: { readonly nearest: string | null }): string | null {
  return nearest === null ? null : `Did you mean ${quote(nearest)}?`;
}
