/**
 * What a masked value looks like (definitions 4.4). Total: odd input becomes all mask. The number of stars never
 * depends on the value, and nothing of it is left but what its type shows.
 */
import { REDACTED } from "../../../contract/sensitive_keys.ts";
import type { MaskType } from "../../../model/mask.ts";

/** What each type becomes when nothing may be kept. */
const ALL_MASK: Readonly<Record<MaskType, string>> = {
  email: "***@***.***",
  phone: "***-***-****",
  ssn: "***-**-****",
  creditCard: "**** **** **** ****",
  name: "***",
  redact: REDACTED,
};

/** Digits that a value must have before its last four may show: fewer would show most of it. */
const DIGITS_MIN = { phone: 7, ssn: 9, creditCard: 12 } as const;

/** Parts of an address whose end is a plain top-level domain; anything else could be any text. */
const EMAIL = /^([^@\s\p{C}]+)@([^@\s\p{C}]+)\.([A-Za-z]{2,24})$/u;

/** What may stand as an initial. */
const LETTER = /^[\p{L}\p{N}]$/u;

/** The mask of a value in its text form. */
export function maskValue(type: MaskType, text: string): string {
  switch (type) {
    case "email":
      return maskedEmail(text);
    case "phone":
      return maskedDigits(text, { min: DIGITS_MIN.phone, prefix: "***-***-" }) ?? ALL_MASK.phone;
    case "ssn":
      return maskedDigits(text, { min: DIGITS_MIN.ssn, prefix: "***-**-" }) ?? ALL_MASK.ssn;
    case "creditCard":
      return maskedDigits(text, { min: DIGITS_MIN.creditCard, prefix: "**** **** **** " }) ??
        ALL_MASK.creditCard;
    case "name":
      return maskedName(text);
    case "redact":
      return ALL_MASK.redact;
  }
}

function maskedEmail(text: string): string {
  const [, local = "", domain = "", top = ""] = EMAIL.exec(text) ?? [];
  const localStart = initialOf(local);
  const domainStart = initialOf(domain);
  if (localStart === null || domainStart === null) return ALL_MASK.email;
  return `${localStart}***@${domainStart}***.${top}`;
}

function maskedDigits(
  text: string,
  { min, prefix }: { readonly min: number; readonly prefix: string },
): string | null {
  const digits = text.replace(/[^0-9]/g, "");
  return digits.length < min ? null : `${prefix}${digits.slice(-4)}`;
}

/** First and last word only: the number of words between them tells something too. */
function maskedName(text: string): string {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = ends.map((word) => initialOf(word ?? ""));
  if (initials.length === 0 || initials.includes(null)) return ALL_MASK.name;
  return initials.map((initial) => `${initial}***`).join(" ");
}

/** The first letter, when there is more that stays hidden. */
function initialOf(text: string): string | null {
  const [first = "", second] = text;
  return second !== undefined && LETTER.test(first) ? first : null;
}
