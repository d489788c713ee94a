/**
 * Reads `pages.json`: the texts of the API's own pages in one language (definitions 6). Every key and placeholder in it is
 * checked.
 */
import { nearest } from "../../../../lib/nearest.ts";
import { isJsonObject, type JsonObject, parsedJson } from "../../../../lib/json.ts";
import { isAtMostCodePoints } from "../../../../lib/texts.ts";
import { isPageText, MAIL_PLACEHOLDER, PAGE_TEXT_MAX, PAGE_TEXTS } from "../../../../model/mod.ts";
import type { PageText } from "../../../../model/mod.ts";
import { positionAt } from "../../../diagnostics/lines.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { checkPlaceholders } from "./placeholders.ts";

/** Returns the texts that are right; the others are reported. */
export function readPageTexts(
  file: string,
  text: string,
  report: Report,
): Readonly<Partial<Record<PageText, string>>> {
  const content = parsedJson(text);
  if (!isJsonObject(content)) {
    report.add("PAGE_TEXTS_INVALID", { file, line: 1, column: 1, length: 1 }, { file });
    return {};
  }
  return Object.fromEntries(
    Object.keys(content).flatMap((key) => readText({ file, text, content, report }, key)),
  );
}

function readText({ file, text, content, report }: {
  readonly file: string;
  readonly text: string;
  readonly content: JsonObject;
  readonly report: Report;
}, key: string) {
  // Inside a text the key's quotation marks would be escaped.
  const pattern = new RegExp(`${RegExp.escape(JSON.stringify(key))}\\s*:`, "g");
  const [first, ...others] = [...text.matchAll(pattern)].map(({ index }) => index);
  const at = first ?? 0;
  const place = { file, ...positionAt(text, at), length: JSON.stringify(key).length };
  if (!isPageText(key)) {
    const known = Object.keys(PAGE_TEXTS);
    const details = { file, name: key, form: null, nearest: nearest(key, known), known };
    report.add("PAGE_TEXT_UNKNOWN", place, details);
    return [];
  }
  if (others.length > 0) report.add("PAGE_TEXT_TWICE", place, { file, name: key });
  const value = content[key];
  const isText = typeof value === "string" && value.trim() !== "" &&
    isAtMostCodePoints(value, PAGE_TEXT_MAX);
  if (!isText) {
    report.add("PAGE_TEXT_INVALID", place, { file, name: key });
    return [];
  }
  checkPlaceholders(
    { file, text: value, known: placeholdersOf(key), placeOf: () => place },
    report,
  );
  return [[key, value] as const];
}

/**
 * Returns the placeholders that a text of the pages may contain: those of the built-in text, and the name of the application.
 */
export function placeholdersOf(key: PageText): readonly string[] {
  const own = [...PAGE_TEXTS[key].matchAll(MAIL_PLACEHOLDER)].map(([, name = ""]) => name);
  return [...new Set([...own, "app"])];
}
