/** Shows foreign texts on a page. */
import { firstCodePoints, htmlText, printable } from "../../../lib/texts.ts";

/** Returns a text as HTML, shortened where it is too long for a page. */
export function shown(text: string, max = 100): string {
  return htmlText(printable(firstCodePoints(text, max)));
}
