/**
 * Single reads under their tag (contract 4.1 rule 8, definitions 7 "revision"): the revision where the table counts it,
 * else the bytes. A revision stands for its row alone, so it brings about a 304 only where nothing else is in the body.
 */
import type { Call } from "./call.ts";
import type { RowKey, StoredRow } from "../data/types.ts";
import type { Admitted } from "../gate.ts";
import type { LabelModel } from "../../model/resource.ts";
import type { SqlValue } from "../ports.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { holdsTag, matchesRevision } from "../request/headers.ts";
import { contentResponse, notModifiedResponse, taggedResponse } from "../response/record.ts";
import { recordTag, tagColumns } from "./record_tag.ts";

interface RecordRead {
  readonly key: RowKey;
  readonly columns: readonly string[];
  /** Records of other tables are in the body. */
  readonly isIncluding: boolean;
  /** Of a record that was asked for without what its tag is made of, read before it was: null where the body tells. */
  readonly row: StoredRow | null;
}

/** The row whose tag the answer cannot tell itself. Read first: a tag older than its body only costs a repetition. */
export async function rowBehindTag(
  call: Call,
  { key, columns }: Pick<RecordRead, "key" | "columns">,
): Promise<StoredRow | null> {
  const { app, database } = call.request;
  const isTold = tagColumns(call).every((name) => columns.includes(name));
  return isTold ? null : await app.data.selectStored(database, key);
}

export async function readResponse(call: Call, json: string, read: RecordRead): Promise<Response> {
  const { request, plan: { table } } = call;
  if (table.revision === null) return contentResponse(json, request);
  const tag = recordTag(call, { json, row: read.row });
  const isHeld = holdsTag(request.headers, tag) && await standsForBody(call, tag, read);
  return isHeld ? notModifiedResponse(tag) : taggedResponse(json, 200, tag);
}

/** True when nothing in the body can have changed without the revision: no other record, no label that was rewritten. */
async function standsForBody(
  { request, plan: { resource, table } }: Call,
  tag: string,
  { key, columns, isIncluding }: RecordRead,
): Promise<boolean> {
  if (isIncluding) return false;
  const labels = resource.labels.filter(({ column }) => columns.includes(column));
  if (labels.length === 0) return true;
  const row = await request.app.data.selectStored(request.database, key);
  const revision = row?.get(table.revision ?? "");
  if (!row || typeof revision !== "number" || !matchesRevision(tag, revision)) return false;
  for (const label of labels) {
    const target = await labelTarget({ request, key, label, id: row.get(label.column) ?? null });
    if (target === "none") continue;
    if (target === "hidden" || wasRewrittenSince(target, lastWriteOf(row))) return false;
  }
  return true;
}

/** A hidden target may have been in sight when the caller read its label. */
async function labelTarget(
  { request, key, label, id }: {
    readonly request: Admitted;
    readonly key: RowKey;
    readonly label: LabelModel;
    readonly id: SqlValue;
  },
): Promise<StoredRow | "none" | "hidden"> {
  if (id === null) return "none";
  const { app, database } = request;
  const table = app.tables.get(label.table);
  const source = key.firewall.table.columns.find(({ name }) => name === label.column);
  if (!table || source?.references?.column !== table.primaryKey) return "hidden";
  const firewall = firewallFor(table, key.firewall);
  return await app.data.selectStored(database, { firewall, id }) ?? "hidden";
}

function lastWriteOf(row: StoredRow): string {
  return String(row.get("modifiedAt") ?? row.get("createdAt"));
}

function wasRewrittenSince(target: StoredRow, time: string): boolean {
  const modified = target.get("modifiedAt") ?? null;
  return modified !== null && modified !== target.get("createdAt") && String(modified) >= time;
}
