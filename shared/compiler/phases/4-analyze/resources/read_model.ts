/** `read`: who may read, what may be included, and the views (definitions 4, contract 4.2 and 4.3). */
import type { MaskRule } from "../../../../model/access.ts";
import type { ReadModel, SortKey } from "../../../../model/resource.ts";
import { READING } from "../../../../definition_language/resource.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { below } from "../read/reader.ts";
import { read } from "../read/read_member.ts";
import { accessOf, foreignKeyTokens, type ResourceScope, textsOf } from "./resource_scope.ts";
import { readViews } from "./views.ts";

/** Null: the resource cannot be read over HTTP. */
export function readReadModel(
  scope: ResourceScope,
  { defaultSort, masks }: {
    readonly defaultSort: readonly SortKey[];
    readonly masks: Readonly<Record<string, MaskRule>>;
  },
): ReadModel | null {
  const entry = scope.options.entries.get("read");
  const at = below(scope.options.at, "read");
  const fields = entry && readFields(entry.value, READING, at);
  if (!fields) return null;
  const { report } = fields.at;
  const before = report.errorCount;
  const access = accessOf(fields, scope);
  const knowsParent = report.errorCount === before;
  const views = readViews(fields, { scope, parent: access, knowsParent, defaultSort, masks });
  // Accepted; the page size is the contract's (contract 4.3 rule 3).
  for (const key of ["pageSize", "maxPageSize"] as const) read(fields, key);
  const include = readField(fields, "include", foreignKeyTokens(scope)) ?? [];
  const defaultView = readDefaultView(fields);
  return { access, include: textsOf(include), defaultView, views };
}

function readDefaultView(fields: Fields<(typeof READING)["members"]>): string | null {
  const word = read(fields, "defaultView");
  if (!word) return null;
  const views = fields.entries.get("views")?.value;
  const names = views?.kind === "object" ? views.entries.map((entry) => entry.key) : [];
  if (names.includes(word.text)) return word.text;
  if (views === undefined || views.kind === "object") {
    const meant = nearest(word.text, names);
    fields.at.report.add("VIEW_UNKNOWN", word.place, { view: word.text, nearest: meant });
  }
  return null;
}
