/** `q.email()`: an address that HTML's `<input type="email">` accepts, of at most 254 characters. Its case is kept. */
import { EMAIL_PATTERN } from "../contract/mod.ts";
import type { ColumnTypeRecord, ValueType } from "./column_type.ts";
import * as texts from "./texts.ts";

const LENGTH_MAX = 254;
const WANTED = "Must be an email address";
const ADDRESS = new RegExp(EMAIL_PATTERN);

const EMAILS: ValueType = {
  ...texts.textValues(LENGTH_MAX),
  words: "an email address",
  body: () =>
    texts.textBody(LENGTH_MAX)
      .refine((text) => ADDRESS.test(text), { error: WANTED, abort: true })
      // There is no `format`, because JSON Schema's accepts fewer addresses.
      .meta({ pattern: EMAIL_PATTERN, maxLength: LENGTH_MAX }),
  mismatch: (value) => {
    if (typeof value !== "string") return "a string";
    return ADDRESS.test(value) ? texts.lengthMismatch(LENGTH_MAX, value) : "an email address";
  },
  example: () => "jane@example.com",
  sample: ({ number }) => `conformance${number}@example.com`,
  neighbours: () => [],
  twins: (at) => [`a${at}@example.com`, `z${90 - at}.longer@sub.example.org`],
};

export const email: ColumnTypeRecord<{ readonly kind: "email" }, string> = {
  plain: { kind: "email" },
  aliases: [],
  manager: "client",
  storage: () => texts.TEXT_STORAGE,
  fitsSql: () => null,
  rules: texts.TEXT_RULES,
  values: () => EMAILS,
};
