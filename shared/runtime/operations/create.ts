/** `POST /{resource}`: a new record, answered as its reader sees it (contract 4.1 rules 1 and 5). */
import type { Insertion } from "../data/types.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, requireOrganization, requireOwnScopes } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import { requireBody, requireWriteQuery } from "../layers/6-validation/require_body.ts";
import { ConstraintError, type SqlValue, type Transaction } from "../ports.ts";
import { type Call, enter } from "./call.ts";
import { requireNewRow } from "./judge_record.ts";
import { requireReferences } from "./references.ts";
import { writing } from "./write_failure.ts";
import { createdResponse } from "./record_response.ts";

export async function createRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation.access, principal);

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
  const { id, json } = await writing(
    call,
    "DB_INSERT_FAILED",
    async (transaction) => {
      await requireReferences({ call, caller, transaction }, values);
      const id = await insertRecord(call, transaction, insertion);
      await call.plan.extras?.inserted(call, transaction, { ...insertion, id });
      enter(call, "masking");
      const { projection } = plan;
      // The new row as its reader sees it.
      const json = await request.app.data.selectWritten(transaction, { firewall, id, projection });
      if (json === null) throw new Error("The inserted row cannot be read");
      return { id, json };
    },
  );
  return createdResponse(call, { json, id });
}

/** Short ids do meet in large tables: a few more draws make it rare beyond notice. */
const DRAWS_MAX = 5;

/**
 * Inserts under the client's id or one of our own making (contract 4.1 rule 5). An `id` of null: one is drawn, and drawn
 * again when it is taken; SQLite undoes the refused statement alone.
 */
export async function insertRecord(
  { request: { app }, plan: { table } }: Call,
  transaction: Transaction,
  insertion: Insertion,
): Promise<SqlValue> {
  if (insertion.id !== null) return await app.data.insertRow(transaction, insertion);
  for (let draw = 1;; draw += 1) {
    try {
      return await app.data.insertRow(transaction, { ...insertion, id: app.newId(table) });
    } catch (error) {
      const isTaken = error instanceof ConstraintError && error.kind === "primaryKey";
      if (!isTaken || draw === DRAWS_MAX) throw error;
    }
  }
}
