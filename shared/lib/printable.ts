/** A text that somebody else wrote, as a terminal may show it. */

/**
 * One line, every control and bidirectional character a visible stand-in: nothing in it moves the cursor, changes colours
 * or hides what stands beside it.
 */
export function printable(text: string): string {
  return text.replace(/\t/g, " ").replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
}
