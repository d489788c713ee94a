/** JSON Merge Patch (RFC 7396, 2). */
import { isJsonObject } from "./json_object.ts";

/** The target with the patch's members set, merged where both are objects, and without those that the patch has as null. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}
