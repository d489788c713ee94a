/**
 * Counts the members and items of a JSON text without parsing it, at least: a text that is refused for its count costs
 * nothing.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** True for a text with more commas outside of its strings than `membersMax`. Of no more use for what is no JSON. */
export function hasMoreMembers(json: string, membersMax: number): boolean {
  // Each takes a comma and a character at least.
  if (json.length <= 2 * membersMax) return false;
  let commas = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (code === COMMA) {
      commas += 1;
      if (commas >= membersMax) return true;
    }
  }
  return false;
}

/** The end of the string that begins here. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return json.length;
}
