/** Builds phrases that many hints share, and quotes an author's text in a message: on one line, of bounded length. */
import { printable } from "../../lib/texts.ts";

/** Returns the suggestion for a near miss; null without one. */
export function didYouMean({ nearest }: { readonly nearest: string | null }): string | null {
  return nearest === null ? null : `Did you mean ${quote(nearest)}?`;
}

/** Suggestions for an unknown word. */
export interface WayOut {
  /** The form to write in place of another library's word. */
  readonly form: string | null;
  /** The known word that the author probably meant. */
  readonly nearest: string | null;
  /** All known words, as an author writes them. */
  readonly known: readonly string[];
}

const LISTED_MAX = 25;

/** Puts the words in quotes, as keys and values are written in messages. */
export function quotedWords({ form, nearest, known }: WayOut): WayOut {
  return { form, nearest: nearest === null ? null : quote(nearest), known: known.map(quote) };
}

/** Suggests the form to write, else the nearest word, else all known words. */
export function wayOut({ form, nearest, known }: WayOut): string | null {
  if (form !== null) return form;
  if (nearest !== null) return `Did you mean ${nearest}?`;
  if (known.length === 0) return null;
  return `There are ${listed(known)}`;
}

/** Lists words with commas. Of very many it lists the first ones and counts the rest. */
export function listed(words: readonly string[]): string {
  const more = words.length > LISTED_MAX ? ` and ${words.length - LISTED_MAX} more` : "";
  return `${words.slice(0, LISTED_MAX).join(", ")}${more}`;
}

const QUOTED_MAX = 80;

/** Works as `JSON.stringify` with a length limit, so that no message grows with the author's text. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text, QUOTED_MAX));
}

/** Returns one line of at most `max` characters. A cut is marked by `…`, and terminal control characters are replaced. */
export function shorten(text: string, max: number): string {
  const line = printable(text.slice(0, 4 * max).replace(/\s+/g, " ").trim());
  return line.length <= max ? line : line.slice(0, max - 1) + "…";
}
