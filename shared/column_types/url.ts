/** `q.url()`: an absolute http or https address. */
import { HTTP_URL_PATTERN } from "../contract/fields.ts";
import { isHttpUrl } from "../lib/http.ts";
import type { ColumnTypeRecord, ValueType } from "./column_type.ts";
import {
  fitting,
  lengthMismatch,
  lengthOf,
  TEXT_RULES,
  TEXT_STORAGE,
  textBody,
  textTwins,
  textValues,
} from "./texts.ts";

interface UrlType {
  readonly kind: "url";
  readonly maxLength: number | null;
}

export const url: ColumnTypeRecord<UrlType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => TEXT_STORAGE,
  rules: TEXT_RULES,
  values: ({ maxLength }) => urlValues(maxLength),
};

const EXAMPLE = "https://www.example.com/";

function urlValues(maxLength: number | null): ValueType {
  return {
    ...textValues(maxLength),
    schema: { type: "string", format: "uri", ...lengthOf(maxLength) },
    words: "an http or https URL",
    body: () =>
      textBody(maxLength)
        .refine(isHttpUrl, {
          error: "Must be an http or https URL without credentials",
          abort: true,
        })
        .meta({ pattern: HTTP_URL_PATTERN, format: "uri", ...lengthOf(maxLength) }),
    mismatch: (value) => {
      if (typeof value !== "string") return "a string";
      return isWebAddress(value) ? lengthMismatch(maxLength, value) : "an http or https URL";
    },
    example: () => maxLength === null || EXAMPLE.length <= maxLength ? EXAMPLE : "http://a.b",
    sample: ({ number }) => fitting(`https://conformance.example/${number}`, { maxLength, number }),
    neighbours: () => [],
    twins: (at) =>
      textTwins(
        [`https://a.example/${at}`, `https://z.example.org/longer/${90 - at}`],
        maxLength,
      ),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}
