/** `q.url()`: an absolute http or https URL. */
import { HTTP_URL_PATTERN } from "../contract/mod.ts";
import { isHttpUrl } from "../lib/http.ts";
import type { ColumnTypeRecord } from "./column_type.ts";
import * as texts from "./texts.ts";

interface UrlType {
  readonly kind: "url";
  readonly maxLength: number | null;
}

export const url: ColumnTypeRecord<UrlType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => texts.TEXT_STORAGE,
  fitsSql: () => null,
  rules: texts.TEXT_RULES,
  values: ({ maxLength }) => ({
    ...texts.textValues(maxLength),
    schema: { type: "string", format: "uri", ...texts.lengthOf(maxLength) },
    words: "an http or https URL",
    body: () =>
      texts.textBody(maxLength)
        .refine(isHttpUrl, {
          error: "Must be an http or https URL without credentials",
          abort: true,
        })
        .meta({ pattern: HTTP_URL_PATTERN, format: "uri", ...texts.lengthOf(maxLength) }),
    mismatch: (value) => {
      if (typeof value !== "string") return "a string";
      return URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol)
        ? texts.lengthMismatch(maxLength, value)
        : "an http or https URL";
    },
    example: () => maxLength === null || EXAMPLE.length <= maxLength ? EXAMPLE : "http://a.b",
    sample: ({ number }) =>
      texts.fitting(`https://conformance.example/${number}`, { maxLength, number }),
    neighbours: () => [],
    twins: (at) =>
      texts.textTwins(
        [`https://a.example/${at}`, `https://z.example.org/longer/${90 - at}`],
        maxLength,
      ),
  }),
};

const EXAMPLE = "https://www.example.com/";
