/**
 * Serves `GET /{resource}/:id/{column}`: the file of a record, through the layers of a single read (contract 4.1 rule 4, 4.7).
 */
import { type FileValue, isSavedFile } from "../../../contract/mod.ts";
import { isPublicFile, sightOf } from "../../../surface/mod.ts";
import { fileKey } from "../../data/file_keys.ts";
import type { RowKey, StoredRow } from "../../data/types.ts";
import { callerIn, firewallFor, requireOrganization } from "../../layers/3-firewall/firewall.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import { requireWriteQuery } from "../../layers/6-validation/require_body.ts";
import { refuse } from "../../refusal.ts";
import { fileResponse } from "../../response/file.ts";
import { enter } from "../call.ts";
import { requireRow } from "../../records/judge_row.ts";
import { recordKey, refuseMiss } from "../judge_record.ts";
import { type FileCall, fileNamed, filePortsOf, filesIn } from "./file_call.ts";

export async function readFile(call: FileCall): Promise<Response> {
  return await sent(call, await requireReadableFile(call));
}

/** A row whose file the caller may read. */
interface ReadableFile {
  readonly key: RowKey;
  readonly row: StoredRow;
  readonly file: FileValue;
}

/** Chooses the file that a call names; null: no such file. */
type Choose = (files: readonly FileValue[], call: FileCall) => FileValue | null;

/** Runs the layers of a single read, where `choice` is part of validation. Refuses with `FILE_NOT_FOUND`, too. */
export async function requireReadableFile(
  call: FileCall,
  choice: () => Choose = () => fileNamed,
): Promise<ReadableFile> {
  const { request, plan, id } = call;
  const { principal } = request;
  // The role is judged before any row is read, so that a foreign row and a missing one answer alike.
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "validation");
  const { scope } = requireWriteQuery(plan.query, request);
  const choose = choice();

  enter(call, "firewall");
  const key = recordKey(firewallFor(plan.table, callerIn(plan, principal, scope)), id);
  const row = await selectRow(call, key);

  enter(call, "access");
  if (rule) await requireRow(request, rule, { row, firewall: key.firewall });

  enter(call, "operation");
  enter(call, "masking");
  await requirePlain(call, key, row);
  const file = choose(filesIn(row, plan.operation.column), call) ?? refuse("FILE_NOT_FOUND");
  return { key, row, file };
}

async function selectRow({ request, plan }: FileCall, key: RowKey): Promise<StoredRow> {
  const row = await request.app.data.selectStored(request.database, key);
  return row ?? await refuseMiss(request, plan.resource, key);
}

/** Refuses a masked column with `FIELD_MASKED`, whether or not it has a file. */
async function requirePlain(
  { request: { app, database, principal }, plan }: FileCall,
  { firewall }: RowKey,
  row: StoredRow,
): Promise<void> {
  const { resource, table, operation: { column } } = plan;
  const sight = sightOf(resource, column.name, principal);
  const isOwn = sight.kind === "ownerOnly" && principal.userId !== null &&
    row.get(table.ownerColumn) === principal.userId;
  if (sight.kind === "plain" || isOwn) return;
  const shown = sight.kind === "byRow"
    ? await app.data.shownColumns(database, row, resource, firewall)
    : null;
  if (!shown?.has(column.name)) refuse("FIELD_MASKED");
}

async function sent(call: FileCall, { key, row, file }: ReadableFile): Promise<Response> {
  const { request, plan: { table, operation } } = call;
  const { column } = operation;
  // Caches may keep only answers that need no credential.
  const isPublic = isPublicFile(operation) && request.principal.credential === "none";
  const response = await fileResponse(request, filePortsOf(request).store, {
    file,
    key: await fileKey(table, row, file.id),
    isSaved: isSavedFile(column.type.types, file) ||
      new URLSearchParams(request.search).has("download"),
    cacheControl: isPublic ? "public, max-age=300" : "private, no-cache",
  });
  if (response !== null) return response;
  // The file may have been replaced, and its bytes collected, since the row was read.
  const now = await selectRow(call, key);
  if (now.get(column.name) !== row.get(column.name)) {
    const other = fileNamed(filesIn(now, column), call) ?? refuse("FILE_NOT_FOUND");
    return await sent(call, { key, row: now, file: other });
  }
  throw new Error(`File "${file.id}" of ${table.name}.${column.name} is not in the store`);
}
