/** Text of somebody else, as a page shows it. */
import { firstCodePoints, htmlText, printable } from "../../../lib/texts.ts";

/** HTML of a text, cut where it is too long for a page. */
export function shown(text: string, max = 100): string {
  return htmlText(printable(firstCodePoints(text, max)));
}
