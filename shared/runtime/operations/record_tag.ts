/**
 * The entity tag of a record under its revision (definitions 7 "revision"): `"<n>"` for whoever sees it as it is, and
 * `"<n>-<digest>"` for whoever sees less, so that no copy of theirs stands for what another caller sees.
 */
import { isJsonObject, type JsonObject } from "../../lib/json_object.ts";
import { textTag } from "../../lib/text_tag.ts";
import type { Principal } from "../../model/principal.ts";
import type { ResourceModel } from "../../model/resource.ts";
import { sightOf } from "../../surface/column_sight.ts";
import type { Call } from "./call.ts";
import type { StoredRow } from "../data/types.ts";

interface TaggedRecord {
  /** As the caller sees it. */
  readonly json: string;
  /** The part that the answer does not tell itself; null: it does. */
  readonly row: StoredRow | null;
}

/** The columns that a tag is made of, beside the caller. */
export function tagColumns({ plan: { resource, table } }: Call): readonly string[] {
  if (table.revision === null) return [];
  const asksOwner = Object.values(resource.masks).some(({ showOwner }) => showOwner);
  return asksOwner ? [table.revision, table.ownerColumn] : [table.revision];
}

/** Of a table that counts revisions. */
export function recordTag(call: Call, { json, row }: TaggedRecord): string {
  const record = recordOf(json);
  const revision = revisionOf(call, row) ?? record[call.plan.table.revision ?? ""];
  if (typeof revision !== "number") throw new Error("The record has no revision to be tagged with");
  const hidden = hiddenFrom(call, { record, row });
  return hidden.length === 0 ? `"${revision}"` : `"${revision}-${textTag(hidden.join())}"`;
}

function recordOf(json: string): JsonObject {
  const record: unknown = JSON.parse(json);
  if (!isJsonObject(record)) throw new Error("A record is a JSON object");
  return record;
}

export function revisionOf({ plan: { table } }: Call, row: StoredRow | null): number | null {
  const revision = table.revision === null ? null : row?.get(table.revision);
  return typeof revision === "number" ? revision : null;
}

/** Names of what is masked or withheld in this record, and from whom where an owner would see it. */
function hiddenFrom(
  { plan: { resource, table }, request: { app, principal } }: Call,
  { record, row }: { readonly record: JsonObject; readonly row: StoredRow | null },
): readonly string[] {
  const owner = row?.get(table.ownerColumn) ?? record[table.ownerColumn];
  const columns = Object.keys(resource.masks).filter((name) => {
    const { kind } = sightOf(resource, name, principal);
    return kind === "masked" || (kind === "ownerOnly" && owner !== principal.userId);
  });
  const labels = resource.labels.flatMap(({ field, column, table, display }) => {
    if (record[field] === null && record[column] !== null) return [field];
    const target = app.project.resources.find((one) => one.table === table);
    return target ? labelHidden(field, target, { display, principal }) : [];
  });
  return [...columns, ...labels];
}

function labelHidden(
  field: string,
  target: ResourceModel,
  { display, principal }: { readonly display: string; readonly principal: Principal },
): readonly string[] {
  const { kind } = sightOf(target, display, principal);
  if (kind === "plain") return [];
  return [kind === "masked" ? field : `${field} to ${principal.userId}`];
}
