/**
 * Reads `features`: whether the project has organizations. The older form, a list of names, is accepted too (definitions 2).
 */
import { oneOf, read } from "../read/mod.ts";
import type { ConfigFields } from "./config_fields.ts";

/**
 * Returns true for several tenants. A list without organizations may mean either, so it is reported and the owners of rows are
 * not guessed.
 */
export function readFeatures(config: ConfigFields): boolean {
  const said = read(config, "features") ?? [];
  if ("members" in said) return read(said, "organizations");
  const list = config.entries.get("features")?.value;
  if (list?.kind !== "array") return true;
  const at = { ...config.at, path: "features" };
  for (const item of list.items) if (item.kind === "string") oneOf(["organizations"])(item, at);
  if (said.length === 0) at.report.add("FEATURES_UNCLEAR", list.place, {});
  return true;
}
