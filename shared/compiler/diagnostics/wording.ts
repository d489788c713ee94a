/** Phrases that many messages share. */

/** Any text of an author as one quoted line. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The suggestion for a near miss, or no hint. */
export function didYouMean({ nearest }: { readonly nearest: string | null }): string | null {
  return nearest === null ? null : `Did you mean ${quoted(nearest)}?`;
}
