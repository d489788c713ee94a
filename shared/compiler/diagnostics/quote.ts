/** Author's text inside a message: quoted, on one line, of bounded length. */
import { printable } from "../../lib/texts.ts";

const QUOTED_MAX = 80;

/** `JSON.stringify` with an end: a message never grows with what the author wrote. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text, QUOTED_MAX));
}

/** One line of at most `max` characters; what is cut off becomes `…`, what could rewrite a terminal a stand-in. */
export function shorten(text: string, max: number): string {
  const line = printable(text.slice(0, 4 * max).replace(/\s+/g, " ").trim());
  return line.length <= max ? line : line.slice(0, max - 1) + "…";
}
