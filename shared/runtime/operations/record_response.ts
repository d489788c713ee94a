/**
 * Answers single reads with their tag (contract 4.1 rule 8, definitions 7 "revision"): the revision where the table counts it,
 * else a digest of the bytes. A revision covers its row alone, so it leads to a 304 only where the body contains nothing else.
 */
import { HEADERS } from "../../contract/mod.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { Soon } from "../../lib/soon.ts";
import { textTag } from "../../lib/texts.ts";
import type { LabelModel, Principal, ResourceModel } from "../../model/mod.ts";
import { canIdsRecur, sightOf, totalsOf } from "../../surface/mod.ts";
import type { RowKey, StoredRow } from "../data/types.ts";
import type { Admitted } from "../gate.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import { encodeSegment, holdsTag, matchesRevision } from "../request/read_request.ts";
import { contentResponse, notModifiedResponse, taggedResponse } from "../response/record.ts";
import type { Call } from "./call.ts";

interface RecordRead {
  readonly key: RowKey;
  readonly columns: readonly string[];
  /** True when records of other tables are in the body. */
  readonly isIncluding: boolean;
  /** The row of a record whose answer lacks the columns of its tag, read before the record; null where the body has them. */
  readonly row: StoredRow | null;
}

/**
 * Reads the row for a tag that the answer's body cannot give. It is read first: a tag older than its body only costs a
 * repetition.
 */
export async function rowBehindTag(
  call: Call,
  { key, columns }: Pick<RecordRead, "key" | "columns">,
): Promise<StoredRow | null> {
  const { app, database } = call.request;
  const isTold = tagColumns(call).every((name) => columns.includes(name));
  return isTold ? null : await app.data.selectStored(database, key);
}

export function readResponse(call: Call, json: string, read: RecordRead): Soon<Response> {
  const { request, plan: { table } } = call;
  return table.revision === null
    ? contentResponse(json, request)
    : countedResponse(call, json, read);
}

async function countedResponse(call: Call, json: string, read: RecordRead): Promise<Response> {
  const { request } = call;
  const tag = recordTag(call, json, read.row);
  const isHeld = holdsTag(request.headers, tag) && await standsForBody(call, tag, read);
  return isHeld ? notModifiedResponse(tag) : taggedResponse(json, 200, tag);
}

/**
 * True when nothing in the body can have changed without the revision: no other record, no label that was rewritten, and no
 * earlier row of this id, nor one of another organization's database, which counted its own revisions.
 */
async function standsForBody(
  { request, plan: { resource, table } }: Call,
  tag: string,
  { key, columns, isIncluding }: RecordRead,
): Promise<boolean> {
  if (isIncluding || canIdsRecur(table)) return false;
  const labels = resource.labels.filter(({ column }) => columns.includes(column));
  if (labels.length === 0) return true;
  const row = await request.app.data.selectStored(request.database, key);
  const revision = row?.get(table.revision ?? "");
  if (!row || typeof revision !== "number" || !matchesRevision(tag, revision)) return false;
  for (const label of labels) {
    const target = await labelTarget(request, key, label, row.get(label.column) ?? null);
    if (target === "none") continue;
    if (target === "hidden") return false;
    // Time of the last write of the row that contains the label.
    const time = String(row.get("modifiedAt") ?? row.get("createdAt"));
    const modified = target.get("modifiedAt") ?? null;
    const isRewritten = modified !== null && modified !== target.get("createdAt");
    if (isRewritten && String(modified) >= time) return false;
  }
  return true;
}

/** Returns the target of a label; a target that is hidden now may have been visible when the caller read its label. */
async function labelTarget(
  request: Admitted,
  key: RowKey,
  label: LabelModel,
  id: SqlValue,
): Promise<StoredRow | "none" | "hidden"> {
  if (id === null) return "none";
  const { app, database } = request;
  const table = app.tables.get(label.table);
  const source = key.firewall.table.columns.find(({ name }) => name === label.column);
  if (!table || source?.references?.column !== table.primaryKey) return "hidden";
  const firewall = firewallFor(table, key.firewall);
  return await app.data.selectStored(database, { firewall, id }) ?? "hidden";
}

/**
 * Returns the columns that a tag is made of, beside the caller (definitions 7 "revision"). The entity tag of a record is
 * `"<n>"` for a caller who sees it as it is. It is `"<n>-<digest>"` for a caller who sees less, so that no copy is valid for
 * another caller, and for a table with totals over other rows.
 */
function tagColumns({ plan: { resource, table } }: Call): readonly string[] {
  if (table.revision === null) return [];
  const asksOwner = Object.values(resource.masks).some(({ showOwner }) => showOwner);
  return asksOwner ? [table.revision, table.ownerColumn] : [table.revision];
}

/** Returns the tag of a record in a table that counts revisions. */
function recordTag(call: Call, json: string, row: StoredRow | null): string {
  const record: unknown = JSON.parse(json);
  if (!isJsonObject(record)) throw new Error("A record is a JSON object");
  const { table } = call.plan;
  const stored = table.revision === null ? null : row?.get(table.revision);
  const revision = typeof stored === "number" ? stored : record[table.revision ?? ""];
  if (typeof revision !== "number") throw new Error("The record has no revision to be tagged with");
  const totals = totalsOf(table).map((name) => `${name} ${JSON.stringify(record[name])}`);
  const told = [...hiddenFrom(call, record, row), ...totals];
  return told.length === 0 ? `"${revision}"` : `"${revision}-${textTag(told.join())}"`;
}

/** Names the masked and withheld columns of this record, with the caller where an owner would see one. */
function hiddenFrom(
  { plan: { resource, table }, request: { app, principal } }: Call,
  record: JsonObject,
  row: StoredRow | null,
): readonly string[] {
  const owner = row?.get(table.ownerColumn) ?? record[table.ownerColumn];
  const columns = Object.keys(resource.masks).flatMap((name) => {
    const { kind } = sightOf(resource, name, principal);
    // Other rows may show or hide the column without a write of this one.
    if (kind === "byRow") return [`${name} as ${JSON.stringify(record[name] ?? null)}`];
    const isHidden = kind === "masked" || (kind === "ownerOnly" && owner !== principal.userId);
    return isHidden ? [name] : [];
  });
  const labels = resource.labels.flatMap(({ field, column, table, display }) => {
    if (record[field] === null && record[column] !== null) return [field];
    const target = app.project.resources.find((one) => one.table === table);
    return target ? labelHidden(record[field], { field, target, display, principal }) : [];
  });
  return [...columns, ...labels];
}

function labelHidden(
  value: unknown,
  { field, target, display, principal }: {
    readonly field: string;
    readonly target: ResourceModel;
    readonly display: string;
    readonly principal: Principal;
  },
): readonly string[] {
  const { kind } = sightOf(target, display, principal);
  if (kind === "plain") return [];
  if (kind === "byRow") return [`${field} as ${JSON.stringify(value ?? null)}`];
  return [kind === "masked" ? field : `${field} to ${principal.userId}`];
}

/** Answers writes of one record: the whole record, under its new revision (contract 4.1 rule 8). */
export function writtenResponse(
  call: Call,
  json: string,
  status: 200 | 201 = 200,
): Response {
  const tag = call.plan.table.revision === null ? null : recordTag(call, json, null);
  return taggedResponse(json, status, tag);
}

/** Answers the create of a record, with its address in `Location` (RFC 9110, 15.3.2). */
export function createdResponse(
  call: Call,
  { json, id }: { readonly json: string; readonly id: SqlValue },
): Response {
  const response = writtenResponse(call, json, 201);
  const collection = call.plan.operation.path.replace(/\/:id$/, "");
  response.headers.set(HEADERS.location, `${collection}/${encodeSegment(String(id))}`);
  return response;
}
