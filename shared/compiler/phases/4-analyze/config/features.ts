/** `features`: whether the project has organizations; the older list of names is taken too (definitions 2). */
import { oneOf, read } from "../read/mod.ts";
import type { ConfigFields } from "./config_fields.ts";

/** True: several tenants. A list that leaves organizations out may mean either: nobody guesses whose rows are whose. */
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
