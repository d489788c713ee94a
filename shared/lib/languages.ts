/** Languages: their tags (BCP 47), and the choice by `Accept-Language`. */
import { acceptedWeights } from "./http.ts";

/** Returns a tag in its usual spelling, such as `pt-BR`; null if a part is no known language, script or region. */
export function languageTag(name: string): string | null {
  const locale = localeOf(name);
  if (locale === null) return null;
  const { language, script, region } = locale;
  const isKnown = hasName("language", language) &&
    (script === undefined || hasName("script", script)) &&
    (region === undefined || hasName("region", region));
  return isKnown ? locale.toString() : null;
}

/** Scripts written from right to left, as codes of ISO 15924. */
const RIGHT_TO_LEFT = [
  "Adlm",
  "Arab",
  "Aran",
  "Hebr",
  "Mand",
  "Nkoo",
  "Rohg",
  "Samr",
  "Syrc",
  "Thaa",
];

/** True for a language whose usual script is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  return RIGHT_TO_LEFT.includes(localeOf(tag)?.maximize().script ?? "");
}

function localeOf(name: string): Intl.Locale | null {
  try {
    return new Intl.Locale(name);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function hasName(type: "language" | "script" | "region", code: string): boolean {
  return new Intl.DisplayNames("en", { type, fallback: "none" }).of(code) !== undefined;
}

/**
 * Returns the first of these languages in the order of `Accept-Language` (RFC 4647, 3.4): the tag itself, a longer one that
 * begins with it, or a shortened one. Null: none matches, or English, which needs no texts, comes first.
 */
export function chosenLanguage(
  header: string | null | undefined,
  languages: readonly string[],
): string | null {
  if (languages.length === 0) return null;
  const weights = acceptedWeights(header ?? null);
  const offered = languages.filter((tag) => weights.get(tag.toLowerCase()) !== 0);
  const asked = [...weights].filter(([, weight]) => weight > 0).sort(([, a], [, b]) => b - a);
  for (const [range] of asked) {
    if (range === "*") return null;
    const found = matching(range, offered);
    if (found !== null) return found;
    if (/^en(-|$)/.test(range)) return null;
  }
  return null;
}

function matching(range: string, offered: readonly string[]): string | null {
  const parts = range.split("-");
  const candidates = parts.map((_, at) => parts.slice(0, parts.length - at).join("-"));
  const exact = candidates.flatMap((candidate) =>
    offered.filter((tag) => tag.toLowerCase() === candidate)
  );
  return exact[0] ?? offered.find((tag) => tag.toLowerCase().startsWith(`${range}-`)) ?? null;
}
