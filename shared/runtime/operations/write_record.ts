/** Writes one record: `POST`, `PATCH`, `PUT` and `DELETE` (contract 4.1). */
import { rulesOf } from "../../column_types/mod.ts";
import { HEADERS } from "../../contract/mod.ts";
import { hasHeader } from "../request/read_request.ts";
import { exactJsonText, mergePatch } from "../../lib/json.ts";
import { anchorsRevision } from "../../surface/mod.ts";
import type { ColumnValues, RowKey } from "../data/types.ts";
import { databaseWithin, lastSteps } from "../data/within.ts";
import type { Admitted } from "../gate.ts";
import {
  callerIn,
  firewallFor,
  namedScope,
  refuseHidden,
  requireOrganization,
  requireOwnScopes,
} from "../layers/3-firewall/firewall.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import {
  requireBody,
  requireClientId,
  requireWriteQuery,
} from "../layers/6-validation/require_body.ts";
import type { SqlValue, Transaction, WriteOptions } from "../ports.ts";
import { requireNewRow, requireRow } from "../records/judge_row.ts";
import { writtenRules } from "../records/judge_written.ts";
import type { RecordScope } from "../records/record_scope.ts";
import { namesAccounts } from "../records/named_accounts.ts";
import { requireReferences } from "../records/references.ts";
import * as records from "../records/write_record.ts";
import { refuse } from "../refusal.ts";
import { deletedResponse } from "../response/record.ts";
import { type Call, enter } from "./call.ts";
import { hasHooks, recordScope } from "./call_scope.ts";
import { judgeRecord, refuseMiss, requireRevision } from "./judge_record.ts";
import { type Answered, keyedWrite } from "./keyed_write.ts";
import { createdResponse, writtenResponse } from "./record_response.ts";
import { refusingFailures, writing } from "./write_failure.ts";

/** Serves `PATCH /{resource}/:id`: changes some fields of a record, and answers all of it (contract 4.1 rule 2). */
export async function updateRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { caller, key, rule } = await judgeRecord(call);

  enter(call, "guards");
  const { fields, isMerged } = await request.body.patch();
  requireWritable("update", Object.keys(fields), plan);

  enter(call, "validation");
  requireWriteQuery(plan.query, request);
  const values = requireBody(plan.checkBody, fields);

  enter(call, "operation");
  const stamps = { now: request.now, userId: request.principal.userId };
  const json = await writing(
    call,
    "DB_UPDATE_FAILED",
    async (transaction) => {
      const merged = isMerged ? await mergedValues(call, transaction, key, values) : values;
      const { data } = request.app;
      const scope = recordScope(call, caller, transaction);
      const change = { ...key, values: merged, stamps, rule };
      const selected = () =>
        data.selectWritten(transaction, { ...key, projection: plan.projection });
      const isPlain = scope.hooks === null &&
        writtenRules(key.firewall, rule, { isNew: false }) === null &&
        !namesAccounts(plan.table, values);
      const required = () => requireReferences(scope, { id: key.id, values });
      const updated = () => data.updateRow(transaction, change);
      const [, isWritten, json] = isPlain
        ? await lastSteps(transaction, [required, updated, selected])
        : [
          null,
          // The change is judged before anything is committed.
          await records.updateRecord(scope, { ...change, operation: "update" }),
          await selected(),
        ];
      // The row may have left the caller's reach since it was judged.
      if (!isWritten) return null;
      enter(call, "masking");
      if (json === null) throw new Error("The updated row cannot be read");
      return json;
    },
    writeOptions(call),
  );
  return json === null
    ? await refuseMiss(request, plan.resource, key)
    : writtenResponse(call, json);
}

/** Merges objects for JSON columns into the row's present values (RFC 7396). */
async function mergedValues(
  { request: { app } }: Call,
  transaction: Transaction,
  key: RowKey,
  values: ColumnValues,
): Promise<ColumnValues> {
  const columns = key.firewall.table.columns.filter(({ name, type }) =>
    rulesOf(type).isStructured && typeof values.get(name) === "string"
  );
  const row = columns.length === 0 ? null : await app.data.selectStored(transaction, key);
  if (row === null) return values;
  const merged = columns.map(({ name }) => {
    const [stored, patch] = [row.get(name), values.get(name)].map((text) =>
      typeof text === "string" ? JSON.parse(text) : null
    );
    return [name, exactJsonText(mergePatch(stored, patch))] as const;
  });
  return new Map([...values, ...merged]);
}

type Handle = (call: Call) => Promise<Response>;

/**
 * Answers a write as its headers require (contract 4.1 rule 8): under an `Idempotency-Key`, on the condition of `If-Match`, or
 * plain. The operations need not know: their reads and writes are then one transaction, so that a condition still holds when
 * the write runs. Refuses with `PRECONDITION_UNSUPPORTED` a condition that does not apply.
 */
export async function answerWrite(call: Call, handle: Handle): Promise<Answered> {
  const { request, plan } = call;
  const { operation, takesBody } = plan;
  const { headers } = request;
  const isKeyed = hasHeader(headers, HEADERS.idempotencyKey);
  const isConditional = hasHeader(headers, HEADERS.ifMatch) ||
    hasHeader(headers, HEADERS.ifNoneMatch);
  if (!isKeyed && !isConditional) return { response: await handle(call), code: null };
  // A transaction awaits nothing but its database.
  const known = await plan.extras?.foresee(call) ?? request;
  const perform = (inside: Admitted) => {
    requireAnchor(headers, unanchored(call));
    return handle({ ...call, request: inside });
  };
  if (isKeyed) {
    const requireAccess = () => {
      requireOrganization(plan, request.principal);
      requireRole(operation, request.principal);
    };
    const { id } = operation;
    const write = { request: known, operation: id, takesBody, perform, requireAccess };
    const isUnbounded = writeOptions(call).unbounded !== undefined;
    const isUndoable = !hasHooks(call);
    return keyedWrite({ ...write, ...(isUndoable ? { isUndoable } : {}), isUnbounded });
  }
  requireAnchor(headers, unanchored(call));
  if (takesBody) await request.body.settle();
  const response = await known.database.write(
    (transaction) => perform(known.on(databaseWithin(transaction))),
    writeOptions(call),
  );
  return { response, code: null };
}

/** Returns the reason why `If-Match` does not apply; null: it applies. */
function unanchored({ plan: { operation, table } }: Call): string | null {
  if (anchorsRevision(operation, table)) return null;
  return table.revision === null
    ? "The record has no revision that 'If-Match' could name"
    : "'If-Match' is for writes of one existing record";
}

/**
 * Refuses conditions that cannot apply. `If-None-Match` on a write requires that there be no record, which no route promises:
 * it is refused, not ignored.
 */
export function requireAnchor(headers: Headers, unanchored: string | null): void {
  if (hasHeader(headers, HEADERS.ifNoneMatch)) refuseCondition("'If-None-Match' is for reads");
  if (hasHeader(headers, HEADERS.ifMatch) && unanchored !== null) refuseCondition(unanchored);
}

/** Ends a write whose condition does not apply. */
export function refuseCondition(detail: string): never {
  return refuse("PRECONDITION_UNSUPPORTED", { detail });
}

/** Serves `PUT /{resource}/:id`: a whole record under the client's own id, made or replaced (contract 4.1 rule 3). */
export async function upsertRecord(call: Call): Promise<Response> {
  const { request, plan, id } = call;
  const { app, body, database, now, principal } = request;
  const { table } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "firewall");
  const caller = callerIn(plan, principal, namedScope(plan.query, request));
  requireOwnScopes(table, principal);
  const key = { firewall: firewallFor(table, caller), id };
  const row = await app.data.selectStored(database, key);
  if (row === null && await app.data.probeDeleted(database, key)) {
    refuseHidden(plan.resource, "FIREWALL_SOFT_DELETED");
  }

  enter(call, "access");
  if (rule && row) await requireRow(request, rule, { row, firewall: key.firewall });
  requireRevision(request.headers, table, row);

  enter(call, "guards");
  const fields = await body.object();
  requireWritable("upsert", Object.keys(fields), plan);

  enter(call, "validation");
  requireWriteQuery(plan.query, request);
  requireClientId(table, id);
  const values = requireBody(plan.checkBody, fields);

  enter(call, "operation");
  const stamps = { now, userId: principal.userId };
  const replacement = { ...key, values, stamps, rule };
  const { isNew, json } = await writing(
    call,
    "DB_UPDATE_FAILED",
    async (transaction) => {
      const scope = recordScope(call, caller, transaction);
      const isNew = await records.replaceRecord(scope, replacement);
      enter(call, "masking");
      const { projection } = call.plan;
      return { isNew, json: await app.data.selectWritten(transaction, { ...key, projection }) };
    },
    writeOptions(call),
  );
  if (json === null) throw new Error("The record cannot be read");
  return isNew ? createdResponse(call, { json, id }) : writtenResponse(call, json);
}

/** Serves `POST /{resource}`: makes a record, and answers it as its reader sees it (contract 4.1 rules 1 and 5). */
export async function createRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "guards");
  const body = await request.body.object();
  requireWritable("create", Object.keys(body), plan);

  enter(call, "validation");
  const { scope } = requireWriteQuery(plan.query, request);
  const values = new Map(requireBody(plan.checkBody, body));

  enter(call, "firewall");
  const caller = callerIn(plan, principal, scope);
  requireOwnScopes(table, principal);
  await plan.extras?.requireValues(call, values);
  const firewall = firewallFor(table, caller);

  enter(call, "operation");
  const clientId = values.get(table.primaryKey) ?? null;
  values.delete(table.primaryKey);
  const stamps = { now, userId: principal.userId };
  const insertion = { firewall, id: clientId, values, stamps };
  requireNewRow(request.app.data, rule, insertion);
  const options = writeOptions(call);
  const write = (id: SqlValue) =>
    request.database.write(
      (transaction) =>
        insertRecord(call, recordScope(call, caller, transaction), { ...insertion, id, rule }),
      options,
    );
  const drawing = { newId: request.app.newId, table };
  const { id, json } = await refusingFailures(
    call,
    "DB_INSERT_FAILED",
    () => records.withNewId(drawing, clientId, write),
  );
  return createdResponse(call, { json, id });
}

/** Inserts a row and selects it as its reader sees it. */
async function insertRecord(
  call: Call,
  scope: RecordScope,
  insertion: records.NewRecord,
): Promise<{ readonly id: SqlValue; readonly json: string }> {
  const { plan: { projection, extras } } = call;
  const { data, transaction, hooks } = scope;
  const { firewall, id: known, values, rule } = insertion;
  const selected = (id: SqlValue) => {
    enter(call, "masking");
    return data.selectWritten(transaction, { firewall, id, projection });
  };
  const isPlain = known !== null && extras === null && hooks === null &&
    writtenRules(firewall, rule, { isNew: true }) === null &&
    !namesAccounts(firewall.table, values);
  let id = known;
  let json: string | null;
  if (isPlain) {
    await data.requireRoom(transaction, firewall, 1);
    const [row = insertion] = await data.completeRows(transaction, {
      firewall,
      rows: [insertion],
    });
    const required = () => requireReferences(scope, { id: null, values });
    const inserted = () => data.insertRow(transaction, row);
    [, , json] = await lastSteps(transaction, [required, inserted, () => selected(known)]);
  } else {
    id = await records.insertRecord(scope, insertion, {
      inserted: async (id) => await extras?.inserted(call, transaction, { ...insertion, id }),
    });
    json = await selected(id);
  }
  if (json === null) throw new Error("The inserted row cannot be read");
  return { id, json };
}

/**
 * Serves `DELETE /{resource}/:id`: deletes softly, with everything that refers to the record, or for good (contract 3.1, 4.1).
 */
export async function deleteRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { caller, key, rule } = await judgeRecord(call);
  requireWriteQuery(plan.query, request);

  enter(call, "operation");
  const stamps = { now: request.now, userId: request.principal.userId };
  const isDeleted = await writing(
    call,
    "DB_UPDATE_FAILED",
    (transaction) =>
      records.deleteRecord(recordScope(call, caller, transaction), { ...key, stamps, rule }),
    writeOptions(call),
  );
  // Nothing was deleted when the row left the caller's reach since it was judged.
  return isDeleted ? deletedResponse() : await refuseMiss(request, plan.resource, key);
}

/** Returns the options of a write: a deletion may reach any number of rows that refer to its own, and hooks may take long. */
export function writeOptions(call: Call): WriteOptions {
  const { request: { app }, plan: { operation, table } } = call;
  const isWide = ["delete", "batchDelete"].includes(operation.kind) && app.data.cascades(table);
  return { unbounded: isWide || hasHooks(call) ? "write" : undefined };
}
