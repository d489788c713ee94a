/**
 * `PUT` and `DELETE /{resource}/:id/{column}`: the layers of an update, before the first byte of the body and again in the
 * transaction that changes the row (contract 1.3, 4.7). Bytes that no row comes to refer to are left to the collection.
 */
import { fileJson, type FileValue } from "../../../contract/files.ts";
import { HEADERS } from "../../../contract/headers.ts";
import { RIGHTS_MAX_AGE_MS } from "../../../contract/limits.ts";
import type { Principal } from "../../../model/principal.ts";
import type { RowRule } from "../../../surface/admission.ts";
import type { Step } from "../../../surface/layer_order.ts";
import { fileRefusalOf } from "../../../surface/file_operations.ts";
import { fileKey } from "../../data/file_keys.ts";
import type { ColumnValues, RowKey, StoredRow } from "../../data/types.ts";
import { callerIn, firewallFor, namedScope } from "../../layers/3-firewall/firewall.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import { requireWriteQuery } from "../../layers/6-validation/require_body.ts";
import { type Reader, StorageFullError } from "../../ports.ts";
import { pointerTo } from "../../../lib/json.ts";
import { Refusal, refuse } from "../../refusal.ts";
import { hasHeader } from "../../request/read_request.ts";
import { deletedResponse } from "../../response/record.ts";
import { enter } from "../call.ts";
import { recordKey, refuseMiss, requireRevision, requireRow } from "../judge_record.ts";
import { writtenResponse } from "../record_response.ts";
import { writing } from "../write_failure.ts";
import { refuseCondition, requireAnchor } from "../write_record.ts";
import { type FileCall, fileIn, filePortsOf } from "./file_call.ts";
import { incomingFile } from "./incoming_file.ts";

/** Sends a file; answers with the record, as an update does. */
export async function writeFile(call: FileCall): Promise<Response> {
  const { request, plan: { operation } } = call;
  const { clock } = request.app.ports;
  const begun = clock.now();
  const judged = await requireWritableFile(call, request.principal, request.database);

  enter(call, "validation");
  requireWriteQuery(call.plan.query, request);
  const file = await stored(call, judged.row);

  enter(call, "operation");
  // An upload may take hours, and rights end meanwhile.
  const isOld = clock.now() - begun > (request.app.settings.rightsMaxAgeMs ?? RIGHTS_MAX_AGE_MS);
  const principal = isOld ? await request.identifyAgain() : request.principal;
  const values = new Map([[operation.column.name, JSON.stringify(fileJson(file))]]);
  const json = await changed(call, principal, values);
  return writtenResponse(call, json);
}

/** Removes a file, if there is one. */
export async function removeFile(call: FileCall): Promise<Response> {
  const { request, plan: { operation: { column } } } = call;
  const { row } = await requireWritableFile(call, request.principal, request.database);

  enter(call, "validation");
  requireWriteQuery(call.plan.query, request);

  enter(call, "operation");
  if (fileIn(row, column.name) !== null) {
    await changed(call, request.principal, new Map([[column.name, null]]));
  }
  return deletedResponse();
}

export interface WritableFile {
  readonly key: RowKey;
  readonly rule: RowRule | null;
  readonly row: StoredRow;
}

/** Firewall, access and guards on the record as it is. */
export async function requireWritableFile(
  call: FileCall,
  principal: Principal,
  reader: Reader,
): Promise<WritableFile> {
  const { request, plan, id } = call;
  const { headers, app } = request;
  // What is judged again is no step of its own.
  const step = (name: Step) => reader === request.database && enter(call, name);
  step("firewall");
  const caller = callerIn(plan, principal, namedScope(plan.query, request));
  const key = recordKey(firewallFor(plan.table, caller), id);
  const row = await app.data.selectStored(reader, key);
  if (row === null) return refuseMiss(request, plan.resource, key);

  step("access");
  const rule = requireRole(plan.operation, principal);
  if (rule) requireRow(rule, { row, firewall: key.firewall });
  requireConditions(call);
  requireRevision(headers, plan.table, row);

  step("guards");
  const { column } = plan.operation;
  const refusal = fileRefusalOf(plan.operation, plan.table, fileIn(row, column.name) === null);
  if (refusal !== null) {
    refuse(refusal, { details: { fields: [column.name] }, pointer: pointerTo(column.name) });
  }
  return { key, rule, row };
}

function requireConditions({ request: { headers }, plan: { table } }: FileCall): void {
  if (hasHeader(headers, HEADERS.idempotencyKey)) {
    refuseCondition("A file is stored as it comes, and no answer is kept for an 'Idempotency-Key'");
  }
  const unanchored = table.revision === null
    ? "The record has no revision that 'If-Match' could name"
    : null;
  requireAnchor(headers, unanchored);
}

/** The file in the store, where nothing refers to it yet. */
async function stored(call: FileCall, row: StoredRow): Promise<FileValue> {
  const { request, plan: { table } } = call;
  const { name, type, body, requireKept } = await incomingFile(call);
  const id = `file_${request.app.ports.random.bytes(16).toHex()}`;
  const key = await fileKey(table, row, id);
  const kept = await storing(() => filePortsOf(request).store.put(key, body));
  requireKept(kept);
  return { id, name, size: kept.size, type, sha256: kept.sha256 };
}

/** Refuses with `STORAGE_FULL` where the store has no room. */
export async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageFullError) throw new Refusal("STORAGE_FULL", { cause: error });
    throw error;
  }
}

/** Changes the row by what is true in the transaction; returns the record. */
async function changed(
  call: FileCall,
  principal: Principal,
  values: ColumnValues,
): Promise<string> {
  const { request, plan } = call;
  const { data } = request.app;
  const stamps = { now: request.now, userId: principal.userId };
  return await writing(call, "DB_UPDATE_FAILED", async (transaction) => {
    const { key, rule } = await requireWritableFile(call, principal, transaction);
    const isWritten = await data.updateRow(transaction, { ...key, values, stamps, rule });
    if (!isWritten) throw new Error("The row that was just judged cannot be written");
    enter(call, "masking");
    const { projection } = plan;
    const json = await data.selectWritten(transaction, { ...key, projection });
    if (json === null) throw new Error("The updated row cannot be read");
    return json;
  });
}
