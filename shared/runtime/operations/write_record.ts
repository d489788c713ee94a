/** Writes of one record: `POST`, `PATCH`, `PUT` and `DELETE` (contract 4.1). */
import { rulesOf } from "../../column_types/mod.ts";
import { HEADERS } from "../../contract/mod.ts";
import { hasHeader } from "../request/read_request.ts";
import { exactJsonText, mergePatch } from "../../lib/json.ts";
import { anchorsRevision, type RowRule, type StoredValue } from "../../surface/mod.ts";
import type { ColumnValues, Deletions, Insertion, RowKey } from "../data/types.ts";
import { insertingDrawn } from "../data/made_values.ts";
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
import { ConstraintError, type SqlValue, type Transaction, type WriteOptions } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { deletedResponse } from "../response/record.ts";
import { type Call, enter } from "./call.ts";
import {
  judgeRecord,
  refuseMiss,
  requireNewRow,
  requireRevision,
  requireRow,
} from "./judge_record.ts";
import { requireWritten, writtenRules } from "./judge_written.ts";
import { type Answered, keyedWrite } from "./keyed_write.ts";
import { createdResponse, writtenResponse } from "./record_response.ts";
import { type ReferenceScope, requireReferences } from "./references.ts";
import { refusingFailures, writing } from "./write_failure.ts";

/** `PATCH /{resource}/:id`: some fields of a record, answered whole (contract 4.1 rule 2). */
export async function updateRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { caller, key, rule } = await judgeRecord(call);

  enter(call, "guards");
  const { fields, isMerged } = await request.body.patch();
  requireWritable("update", fields, plan);

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
      const required = () => requireReferences({ call, caller, transaction }, values);
      const updated = () => data.updateRow(transaction, { ...key, values: merged, stamps, rule });
      const selected = () =>
        data.selectWritten(transaction, { ...key, projection: plan.projection });
      const rules = writtenRules(key.firewall, rule, { isNew: false });
      if (rules) {
        // Judged before anything is committed.
        await required();
        if (!await updated()) return null;
        await requireWritten({ data, resource: plan.resource, transaction }, rules, key.id);
      }
      const [, isWritten, json] = rules
        ? [null, true, await selected()]
        : await lastSteps(transaction, [required, updated, selected]);
      // The row may have left the caller's reach since it was judged.
      if (!isWritten) return null;
      enter(call, "masking");
      if (json === null) throw new Error("The updated row cannot be read");
      return json;
    },
  );
  return json === null
    ? await refuseMiss(request, plan.resource, key)
    : writtenResponse(call, json);
}

/** Objects for JSON columns, merged into what the row holds by now (RFC 7396). */
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
 * A write as its headers ask for it (contract 4.1 rule 8): under an `Idempotency-Key`, on the condition of `If-Match`,
 * or plain. Operations do not know: what they read and write is then one transaction, so that a condition still holds
 * when it is acted on. Refuses with `PRECONDITION_UNSUPPORTED` a condition that cannot anchor.
 */
export async function answerWrite(call: Call, handle: Handle): Promise<Answered> {
  const { request, plan } = call;
  const { operation, takesBody } = plan;
  const { headers } = request;
  const isKeyed = hasHeader(headers, HEADERS.idempotencyKey);
  const isConditional = hasHeader(headers, HEADERS.ifMatch) ||
    hasHeader(headers, HEADERS.ifNoneMatch);
  if (!isKeyed && !isConditional) return { response: await handle(call), code: null };
  // Nothing foreign is awaited inside a transaction.
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
    const isUnbounded = deletionOptions(call).unbounded !== undefined;
    return keyedWrite({ ...write, isUndoable: true, isUnbounded });
  }
  requireAnchor(headers, unanchored(call));
  if (takesBody) await request.body.settle();
  const response = await known.database.write(
    (transaction) => perform(known.on(databaseWithin(transaction))),
    deletionOptions(call),
  );
  return { response, code: null };
}

/** Without an anchor, `If-Match` means nothing for this reason; null: there is one. */
function unanchored({ plan: { operation, table } }: Call): string | null {
  if (anchorsRevision(operation, table)) return null;
  return table.revision === null
    ? "The record has no revision that 'If-Match' could name"
    : "'If-Match' is for writes of one existing record";
}

/** `If-None-Match` on a write asks that there be no record, which nothing here promises: it is refused, not ignored. */
export function requireAnchor(headers: Headers, unanchored: string | null): void {
  if (hasHeader(headers, HEADERS.ifNoneMatch)) refuseCondition("'If-None-Match' is for reads");
  if (hasHeader(headers, HEADERS.ifMatch) && unanchored !== null) refuseCondition(unanchored);
}

/** Ends a write whose condition means nothing here. */
export function refuseCondition(detail: string): never {
  return refuse("PRECONDITION_UNSUPPORTED", { detail });
}

/** `PUT /{resource}/:id`: a whole record under the client's own id, made or replaced (contract 4.1 rule 3). */
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
  requireWritable("upsert", fields, plan);

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
      await requireReferences({ call, caller, transaction }, values);
      const isNew = await replaceOrInsert(call, transaction, replacement);
      const rules = writtenRules(key.firewall, rule, { isNew });
      if (rules) {
        await requireWritten({ data: app.data, resource: plan.resource, transaction }, rules, id);
      }
      enter(call, "masking");
      const { projection } = call.plan;
      return { isNew, json: await app.data.selectWritten(transaction, { ...key, projection }) };
    },
  );
  if (json === null) throw new Error("The record cannot be read");
  return isNew ? createdResponse(call, { json, id }) : writtenResponse(call, json);
}

interface Replacement extends Insertion {
  readonly rule: RowRule | null;
}

/** True when the row was not there. One that the caller cannot see keeps its id: the insert is refused as taken. */
export async function replaceOrInsert(
  call: Call,
  transaction: Transaction,
  replacement: Replacement,
): Promise<boolean> {
  const { data } = call.request.app;
  if (await data.replaceRow(transaction, replacement)) return false;
  requireNewRow(call.request, replacement.rule, replacement);
  await data.requireRoom(transaction, replacement.firewall, 1);
  await insertingDrawn(transaction, replacement.firewall.table, async (part) => {
    await data.insertRow(part, await completed(call, part, replacement));
  });
  return true;
}

/** `POST /{resource}`: a new record, answered as its reader sees it (contract 4.1 rules 1 and 5). */
export async function createRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "guards");
  const body = await request.body.object();
  requireWritable("create", body, plan);

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
  requireNewRow(request, rule, insertion);
  const write = (id: SqlValue) =>
    request.database.write((transaction) =>
      insertRecord({ call, caller, transaction }, { ...insertion, id, rule })
    );
  const { id, json } = await refusingFailures(
    call,
    "DB_INSERT_FAILED",
    () => withNewId(call, clientId, write),
  );
  return createdResponse(call, { json, id });
}

/** Inserts a row and selects it as its reader sees it. */
async function insertRecord(
  scope: ReferenceScope,
  insertion: Replacement & { readonly values: ReadonlyMap<string, StoredValue> },
): Promise<{ readonly id: SqlValue; readonly json: string }> {
  const { call, transaction } = scope;
  const { request: { app: { data } }, plan: { projection, extras } } = call;
  const { firewall, id: known, values, rule } = insertion;
  const rules = writtenRules(firewall, rule, { isNew: true });
  const required = () => requireReferences(scope, values);
  await data.requireRoom(transaction, firewall, 1);
  const row = await completed(call, transaction, insertion);
  const inserted = () => data.insertRow(transaction, row);
  const selected = (id: SqlValue) => {
    enter(call, "masking");
    return data.selectWritten(transaction, { firewall, id, projection });
  };
  let id = known;
  let json: string | null;
  if (known !== null && extras === null && rules === null) {
    [, , json] = await lastSteps(transaction, [required, inserted, () => selected(known)]);
  } else {
    await required();
    id = await inserted();
    if (rules) {
      await requireWritten({ data, resource: call.plan.resource, transaction }, rules, id);
    }
    await extras?.inserted(call, transaction, { ...insertion, id });
    json = await selected(id);
  }
  if (json === null) throw new Error("The inserted row cannot be read");
  return { id, json };
}

/** The row with what the service draws for it. */
async function completed<Row extends Insertion>(
  { request: { app: { data } } }: Call,
  transaction: Transaction,
  insertion: Row,
): Promise<Row> {
  const [row = insertion] = await data.completeRows(transaction, {
    firewall: insertion.firewall,
    rows: [insertion],
  });
  return row;
}

/** Short ids do meet in large tables: a few more draws make it rare beyond notice. */
const DRAWS_MAX = 5;

/**
 * Runs an insert under the client's id or one of our own making (contract 4.1 rule 5). A `clientId` of null: one is drawn,
 * and drawn again when it is taken; it is null where the database makes it.
 */
export async function withNewId<T>(
  { request: { app }, plan: { table } }: Call,
  clientId: SqlValue,
  insert: (id: SqlValue) => Promise<T>,
): Promise<T> {
  if (clientId !== null) return await insert(clientId);
  for (let draw = 1;; draw += 1) {
    try {
      return await insert(app.newId(table));
    } catch (error) {
      const isTaken = error instanceof ConstraintError && error.kind === "primaryKey";
      if (!isTaken || draw === DRAWS_MAX) throw error;
    }
  }
}

/** `DELETE /{resource}/:id`: soft, with everything that refers to the record, or for good (contract 3.1, 4.1). */
export async function deleteRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { key, rule } = await judgeRecord(call);
  requireWriteQuery(plan.query, request);

  enter(call, "operation");
  const stamps = { now: request.now, userId: request.principal.userId };
  const deletion = { firewall: key.firewall, ids: [key.id], stamps, rule };
  const deleted = await writing(
    call,
    "DB_UPDATE_FAILED",
    (transaction) => removeRows(call, transaction, deletion),
    deletionOptions(call),
  );
  // None when the row left the caller's reach since it was judged.
  return deleted.size > 0 ? deletedResponse() : await refuseMiss(request, plan.resource, key);
}

/** A deletion may reach any number of rows that refer to its own. */
export function deletionOptions(
  { request: { app }, plan: { operation, table } }: Call,
): WriteOptions {
  const isWide = ["delete", "batchDelete"].includes(operation.kind) && app.data.cascades(table);
  return { unbounded: isWide ? "write" : undefined };
}

/** Softly or for good, as the resource says; returns the ids of those that were still within reach. */
export function removeRows(
  call: Call,
  transaction: Transaction,
  deletion: Deletions,
): Promise<ReadonlySet<SqlValue>> {
  const { data } = call.request.app;
  const isHard = call.plan.resource.delete?.mode === "hard";
  return isHard
    ? data.hardDeleteRows(transaction, deletion)
    : data.softDeleteRows(transaction, deletion);
}
