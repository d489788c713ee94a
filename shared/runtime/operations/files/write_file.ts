/**
 * Serves `PUT` and `DELETE /{resource}/:id/{column}`: runs the layers of an update before the first byte of the body, and again
 * in the transaction that changes the row (contract 1.3, 4.7). Bytes that no row refers to in the end are left to the
 * collection, within its limit.
 */
import { type FileValue, HEADERS, RIGHTS_MAX_AGE_MS } from "../../../contract/mod.ts";
import type { Principal } from "../../../model/mod.ts";
import type { Caller } from "../../context.ts";
import { fileRefusalOf, type RowRule, type Step } from "../../../surface/mod.ts";
import { fileIdsOf, fileKey, newFileId } from "../../data/file_keys.ts";
import type { RowKey, StoredRow } from "../../data/types.ts";
import { columnPool } from "../../data/unreferred_pools.ts";
import { callerIn, firewallFor, namedScope } from "../../layers/3-firewall/firewall.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import { requireWriteQuery } from "../../layers/6-validation/require_body.ts";
import type { PendingUpload, Reader, UnreferredPool } from "../../ports.ts";
import { pointerTo } from "../../../lib/json.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { hasHeader } from "../../request/read_request.ts";
import { deletedResponse } from "../../response/record.ts";
import { enter } from "../call.ts";
import { requireRow } from "../../records/judge_row.ts";
import * as records from "../../records/write_record.ts";
import { hookedWrite, recordScope } from "../call_scope.ts";
import { recordKey, refuseMiss, requireRevision } from "../judge_record.ts";
import { writtenResponse } from "../record_response.ts";
import { writing } from "../write_failure.ts";
import { refuseCondition, requireAnchor } from "../write_record.ts";
import { cellOf, type FileCall, fileNamed, filePortsOf, filesIn } from "./file_call.ts";
import { type Incoming, incomingFile } from "./incoming_file.ts";

/** Replaces the present file; answers with the record, as an update does. */
export async function writeFile(call: FileCall): Promise<Response> {
  const json = await received(call, { withFile: (_, file) => [file], placesIn: () => 1 });
  return writtenResponse(call, json);
}

/** Adds a file to the field. Refuses with `VALIDATION_ERROR` where the field is full. */
export async function addFile(call: FileCall): Promise<Response> {
  const { name, type: { maxItems = 1 } } = call.plan.operation.column;
  const json = await received(call, {
    withFile(files, file) {
      if (files.length >= maxItems) refuseMember([name], `Holds at most ${maxItems} files`);
      return [...files, file];
    },
    placesIn: (files) => maxItems - files.length,
  });
  return writtenResponse(call, json, 201);
}

type Changed<Sent extends readonly unknown[]> = (
  files: readonly FileValue[],
  ...sent: Sent
) => readonly FileValue[];

async function received(call: FileCall, { withFile, placesIn }: {
  readonly withFile: Changed<[FileValue]>;
  /** Returns the number of files for which the record has room. */
  placesIn(files: readonly FileValue[]): number;
}): Promise<string> {
  const { request, plan: { table, operation: { column } } } = call;
  const { clock } = request.app.ports;
  const begun = clock.now();
  const { row } = await requireWritableFile(call, request.principal, request.database);

  enter(call, "validation");
  requireWriteQuery(call.plan.query, request);
  // A full field is refused before the bytes come.
  const before = filesIn(row, column);
  const left = withFile(before, NO_FILE);
  const incoming = await incomingFile(call);
  const { unreferred } = filePortsOf(request);
  const pool = await columnPool(request.database, { table, row, column });
  // The confirmation of an upload removes it, so its bytes do not count.
  const removed = incoming.pending?.size ?? 0;
  const end = await unreferred.begin(pool, {
    record: call.id,
    size: incoming.size,
    replaced: Math.max(0, bytesOf(before) - bytesOf(left) - removed),
    places: placesIn(before),
  });
  let kept: FileValue | null = null;
  try {
    const file = kept = await stored(call, row, incoming);
    incoming.requireKept(file);

    enter(call, "operation");
    // An upload may take hours, and rights may end meanwhile.
    const isOld = clock.now() - begun > (request.app.settings.rightsMaxAgeMs ?? RIGHTS_MAX_AGE_MS);
    const principal = isOld ? await request.identifyAgain() : request.principal;
    const json = await changed(call, principal, (files) => withFile(files, file));
    if (incoming.pending !== null) await removeUpload(call, pool, incoming.pending);
    return json;
  } finally {
    end(kept === null ? null : kept.size);
  }
}

function bytesOf(files: readonly FileValue[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Removes the upload that was copied: no row has ever referred to it. If the removal fails now, the collection removes it
 * later.
 */
async function removeUpload(
  { request }: FileCall,
  pool: UnreferredPool,
  { key, size }: PendingUpload,
): Promise<void> {
  const { store, unreferred } = filePortsOf(request);
  unreferred.spend(pool, { key, size });
  await store.remove(key).catch((error) => {
    const message = "An upload that was confirmed is left to the collection";
    request.app.ports.logger.log({ level: "warn", message, error, fields: { key } });
  });
}

const NO_FILE: FileValue = { id: "", name: "", size: 0, type: "", sha256: "" };

/** Removes a file, if there is one. */
export async function removeFile(call: FileCall): Promise<Response> {
  const { request, plan: { operation: { column } } } = call;
  const { row } = await requireWritableFile(call, request.principal, request.database);

  enter(call, "validation");
  requireWriteQuery(call.plan.query, request);

  enter(call, "operation");
  const gone = fileNamed(filesIn(row, column), call);
  if (gone !== null) {
    const others = (files: readonly FileValue[]) => files.filter(({ id }) => id !== gone.id);
    await changed(call, request.principal, others);
  }
  return deletedResponse();
}

export interface WritableFile {
  readonly caller: Caller;
  readonly key: RowKey;
  readonly rule: RowRule | null;
  readonly row: StoredRow;
}

/** Runs firewall, access and guards on the record as it is. */
export async function requireWritableFile(
  call: FileCall,
  principal: Principal,
  reader: Reader,
): Promise<WritableFile> {
  const { request, plan, id } = call;
  const { headers, app } = request;
  // The second judgement, in the transaction, is not traced as a step.
  const step = (name: Step) => reader === request.database && enter(call, name);
  step("firewall");
  const caller = callerIn(plan, principal, namedScope(plan.query, request));
  const key = recordKey(firewallFor(plan.table, caller), id);
  const row = await app.data.selectStored(reader, key);
  if (row === null) return refuseMiss(request, plan.resource, key);

  step("access");
  const rule = requireRole(plan.operation, principal);
  if (rule) await requireRow({ app, database: reader }, rule, { row, firewall: key.firewall });
  requireConditions(call);
  requireRevision(headers, plan.table, row);

  step("guards");
  const { column } = plan.operation;
  const refusal = fileRefusalOf(plan.operation, plan.table, filesIn(row, column).length === 0);
  if (refusal !== null) {
    refuse(refusal, { details: { fields: [column.name] }, pointer: pointerTo(column.name) });
  }
  return { caller, key, rule, row };
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

/** Writes the file into the store, where no row refers to it yet. */
async function stored(
  { request, plan: { table, operation: { column } } }: FileCall,
  row: StoredRow,
  { name, type, body }: Incoming,
): Promise<FileValue> {
  const { files } = await fileIdsOf(table.name, column.name);
  const id = newFileId(files, request.app.ports.random);
  const { size, sha256 } = await filePortsOf(request).store.put(
    await fileKey(table, row, id),
    body,
  );
  return { id, name, size, type, sha256 };
}

/** Changes the row by its state in the transaction; returns the record. */
async function changed(
  call: FileCall,
  principal: Principal,
  next: Changed<[]>,
): Promise<string> {
  const { request, plan } = call;
  const { data } = request.app;
  const { column } = plan.operation;
  const stamps = { now: request.now, userId: principal.userId };
  return await writing(call, "DB_UPDATE_FAILED", async (transaction) => {
    const { caller, key, rule, row } = await requireWritableFile(call, principal, transaction);
    const values = new Map([[column.name, cellOf(next(filesIn(row, column)), column)]]);
    const scope = recordScope(call, caller, transaction);
    const change = { ...key, values, stamps, rule, operation: "file", isJudged: true } as const;
    const isWritten = await records.updateRecord(scope, change);
    if (!isWritten) throw new Error("The row that was just judged cannot be written");
    enter(call, "masking");
    const { projection } = plan;
    const json = await data.selectWritten(transaction, { ...key, projection });
    if (json === null) throw new Error("The updated row cannot be read");
    return json;
  }, hookedWrite(call));
}
