/** `trustedOrigins`: exact origins, because they may send cookies (definitions 2). */
import { listOf } from "../read/scalars.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField } from "../read/fields.ts";
import { type At, invalidValue } from "../read/reader.ts";
import { readString } from "../read/scalars.ts";

/** The application that messages lead to is one of them. */
export function readTrustedOrigins(fields: Fields, appUrl: string | undefined): readonly string[] {
  const said = readField(fields, "trustedOrigins", listOf(readOrigin)) ?? [];
  const origin = appUrl === undefined ? null : new URL(appUrl).origin;
  return origin === null || said.includes(origin) ? said : [...said, origin];
}

function readOrigin(value: Value, at: At): string | undefined {
  const text = readString(value, at);
  if (text === undefined) return undefined;
  if (/^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text) {
    return text;
  }
  return invalidValue(value, "an origin such as https://app.example.com, without path or *", at);
}
