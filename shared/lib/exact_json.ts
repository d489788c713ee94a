/**
 * Whole numbers of JSON that no double holds exactly (definitions 7): parsed, they are other numbers, and nobody is told. One
 * that is written with an exponent names its rounding itself.
 */

/** Most texts hold no number of so many digits, and are not looked at twice. */
const MANY_DIGITS = /[0-9]{16}/;
const WHOLE = /^-?[0-9]+$/;

/** The value with NaN for each such number; undefined where the text, which is JSON, holds none. */
export function markedJson(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return undefined;
  let isMarked = false;
  const value: unknown = JSON.parse(text, function (_key, member, token?: { source?: string }) {
    if (typeof member !== "number" || Number.isSafeInteger(member)) return member;
    if (!WHOLE.test(token?.source ?? String(member))) return member;
    isMarked = true;
    return NaN;
  });
  return isMarked ? value : undefined;
}

/** JSON text of a value that was read from such: what came with an exponent leaves with one. */
export function exactJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, member) => {
    const isWide = typeof member === "number" && Number.isInteger(member) &&
      !Number.isSafeInteger(member);
    return isWide ? rawJson(member.toExponential()) : member;
  });
}

/** `JSON.rawJSON`, which TypeScript does not know yet. */
function rawJson(text: string): unknown {
  const raw: unknown = Reflect.get(JSON, "rawJSON");
  return typeof raw === "function" ? Reflect.apply(raw, JSON, [text]) : Number(text);
}
