/** `features`: whether the project has organizations; the older list of names is taken too (definitions 2). */
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import type { At } from "../read/reader.ts";
import { oneOf, readBoolean, readTokens } from "../read/scalars.ts";

const NAMES = ["organizations"] as const;

/** True: several tenants. */
export function readFeatures(fields: Fields): boolean {
  return readField(fields, "features", readValue) ?? true;
}

function readValue(value: Value, at: At): boolean | undefined {
  if (value.kind === "array") return readList(value, at);
  const features = readFields(value, { keys: NAMES }, at);
  return features && (readField(features, "organizations", readBoolean) ?? true);
}

/** A list that leaves organizations out may mean either: nobody guesses whose rows are whose. */
function readList(value: Value & { readonly kind: "array" }, at: At): boolean | undefined {
  const tokens = readTokens(value, at) ?? [];
  for (const item of value.items) if (item.kind === "string") oneOf(NAMES)(item, at);
  if (tokens.some(({ text }) => text === "organizations")) return true;
  const isMisspelt = tokens.length > 0;
  if (!isMisspelt) at.report.add("FEATURES_UNCLEAR", value.place, {});
  return undefined;
}
