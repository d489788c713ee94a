/** `trustedOrigins`: exact origins, because they may send cookies (definitions 2). */
import type { Value } from "../../values.ts";
import { readField } from "../read/fields.ts";
import { type At, invalidValue } from "../read/reader.ts";
import { listOf, readString } from "../read/scalars.ts";
import type { ConfigFields } from "./config_fields.ts";

/** The application that messages lead to is one of them. */
export function readTrustedOrigins(
  config: ConfigFields,
  appUrl: string | undefined,
): readonly string[] {
  const said = readField(config, "trustedOrigins", listOf(readOrigin)) ?? [];
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
