/** Quotes text for a command that a user copies into a shell. */

/** Returns the text as exactly one shell word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
