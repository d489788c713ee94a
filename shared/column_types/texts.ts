/** Facts that all text types share. */
import { z } from "zod";
import { type JsonSchema, TEXT_PATTERN } from "../contract/mod.ts";
import { firstCodePoints, isAtMostCodePoints } from "../lib/texts.ts";
import type { Storage, TypeRules, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";

export const TEXT_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "text",
  store: textOnly,
  operand: textOnly,
};

export const TEXT_RULES: TypeRules = { ...SCALAR_RULES, isText: true };

export const TEXT_QUERY: JsonSchema = { type: "string", pattern: TEXT_PATTERN };

export function textValues(maxLength: number | null): ValueType {
  return {
    ...PLAIN_VALUES,
    schema: { type: "string", ...lengthOf(maxLength) },
    words: maxLength === null ? "text" : `text of at most ${maxLength} characters`,
    maxLength,
    body: () => textBody(maxLength),
    querySchema: TEXT_QUERY,
    hasText: true,
    hasCase: true,
    read: textOnly,
    expected: "text",
    mismatch: (value) => typeof value === "string" ? lengthMismatch(maxLength, value) : "a string",
    example: (words) => firstCodePoints(words, maxLength ?? 100),
    sample: ({ text, number }) => fitting(text, { maxLength, number }),
    neighbours: (value) => typeof value === "string" ? [`${value}!`, "!"] : [],
    twins: (at) => textTwins([`a${at}`, `z${90 - at} a longer secret`], maxLength),
  };
}

export function textBody(maxLength: number | null) {
  return z.string({ error: typed("Must be text") })
    .refine((text) => !text.includes("\0") && text.isWellFormed(), {
      error: "Must be well-formed text without NUL characters",
      abort: true,
    })
    .refine((text) => maxLength === null || isAtMostCodePoints(text, maxLength), {
      error: `Must be at most ${maxLength} characters`,
      abort: true,
    })
    .meta({ pattern: TEXT_PATTERN, ...lengthOf(maxLength) });
}

export function lengthOf(maxLength: number | null): { readonly maxLength?: number } {
  return maxLength === null ? {} : { maxLength };
}

export function textOnly(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Judges the length in code points, as JSON Schema counts (definitions 7). */
export function lengthMismatch(maxLength: number | null, text: string): string | null {
  if (maxLength === null || isAtMostCodePoints(text, maxLength)) return null;
  return `at most ${maxLength} characters`;
}

/** Shortens a text to its column and keeps the number that makes it unique. */
export function fitting(
  text: string,
  { maxLength, number }: { readonly maxLength: number | null; readonly number: number },
): string {
  if (maxLength === null || text.length <= maxLength) return text;
  const short = number.toString(36);
  return `${text.slice(0, Math.max(0, maxLength - short.length))}${short}`.slice(-maxLength);
}

/** Shortens two texts to a column; null: they would no longer differ. */
export function textTwins(
  [one, other]: readonly [string, string],
  maxLength: number | null,
): readonly [string, string] | null {
  if (maxLength === null) return [one, other];
  const cut = [one.slice(0, maxLength), other.slice(0, maxLength)] as const;
  return cut[0] === cut[1] || one.length > maxLength ? null : cut;
}
