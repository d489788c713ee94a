/** `trustedOrigins`: exact origins, because they may send cookies (definitions 2). */
import { listOf } from "../read/scalars.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField } from "../read/fields.ts";
import { type At, invalidValue } from "../read/reader.ts";
import { readString } from "../read/scalars.ts";

export function readTrustedOrigins(fields: Fields): readonly string[] {
  return readField(fields, "trustedOrigins", listOf(readOrigin)) ?? [];
}

function readOrigin(value: Value, at: At): string | undefined {
  const text = readString(value, at);
  if (text === undefined) return undefined;
  if (/^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text) {
    return text;
  }
  return invalidValue(value, "an origin such as https://app.example.com, without path or *", at);
}
