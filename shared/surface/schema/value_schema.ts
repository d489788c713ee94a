/** One column's value in a write body (contract 4.1 rules 1 and 2, definitions 3). The messages become `details.fields`. */
import { z } from "zod";
import { isAtMostCodePoints } from "../../lib/code_points.ts";
import { isHttpUrl } from "../../lib/http_urls.ts";
import { normalizedDateTime } from "../../lib/timestamps.ts";
import type { ValueKind } from "../column_kinds.ts";
import { HTTP_URL_PATTERN, TEXT_PATTERN } from "../text_patterns.ts";

/** Accepts a value that is there and not null. What zod cannot say in JSON Schema is in `meta`, beside its check. */
export function valueSchema(kind: Exclude<ValueKind, { kind: "id" }>): z.ZodType {
  switch (kind.kind) {
    case "string":
      return textSchema(kind.maxLength);
    case "enum":
      return z.enum([...kind.values], { error: typed(`Must be one of ${kind.values.join(", ")}`) });
    case "url":
      return textSchema(kind.maxLength)
        .refine(isHttpUrl, {
          error: "Must be an http or https URL without credentials",
          abort: true,
        })
        .meta(lengthMeta(kind.maxLength, { format: "uri", pattern: HTTP_URL_PATTERN }));
    case "integer":
      return z.int({ error: typed("Must be a whole number within 53 bits") });
    case "number":
      return z.number({ error: typed("Must be a number") });
    case "boolean":
      return z.boolean({ error: typed("Must be true or false") });
    case "timestamp":
      return z.string({ error: typed("Must be an ISO 8601 date-time") })
        .refine((text) => normalizedDateTime(text) !== null, {
          error: "Must be an ISO 8601 date-time with Z or an offset",
        })
        .meta({ format: "date-time" });
    case "json":
      return z.unknown().superRefine(requireJson);
  }
}

/** The same for a column that may be null; any JSON is null already. */
export function nullableValueSchema(kind: Exclude<ValueKind, { kind: "id" }>): z.ZodType {
  return kind.kind === "json" ? z.unknown() : valueSchema(kind).nullable();
}

/** A client's id, by the pattern of its strategy. */
export function clientIdSchema(pattern: string): z.ZodType {
  return z.string({ error: typed("Must be text") })
    .regex(new RegExp(pattern), { error: "Must have the form of this table's ids" });
}

function textSchema(maxLength: number | null) {
  return z.string({ error: typed("Must be text") })
    .refine((text) => !text.includes("\0") && text.isWellFormed(), {
      error: "Must be well-formed text without NUL characters",
      abort: true,
    })
    .refine((text) => maxLength === null || isAtMostCodePoints(text, maxLength), {
      error: `Must be at most ${maxLength} characters`,
      abort: true,
    })
    .meta(lengthMeta(maxLength, {}));
}

function lengthMeta(maxLength: number | null, more: Record<string, string>) {
  const meta = { pattern: TEXT_PATTERN, ...more };
  return maxLength === null ? meta : { ...meta, maxLength };
}

function requireJson(value: unknown, context: z.RefinementCtx): void {
  if (value === undefined) context.addIssue({ code: "custom", message: "Required" });
  if (value === null) context.addIssue({ code: "custom", message: "Must not be null" });
}

/** Missing and null are said before the type is. */
function typed(message: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => {
    if (input === undefined) return "Required";
    return input === null ? "Must not be null" : message;
  };
}
