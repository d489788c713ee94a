/** Lists soft-deleted records, and serves `POST /{resource}/:id/restore` (contract 3.1). */
import type { Condition } from "../../model/mod.ts";
import { type DeletedRows, restoreRuleOf, type RowRule } from "../../surface/mod.ts";
import type { Caller } from "../context.ts";
import type { Firewall } from "../data/types.ts";
import {
  callerIn,
  firewallFor,
  firewallWithDeleted,
  namedScope,
  refuseHidden,
  requireOrganization,
} from "../layers/3-firewall/firewall.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireWriteQuery } from "../layers/6-validation/require_body.ts";
import { refuse } from "../refusal.ts";
import { type Call, enter, type OperationPlan } from "./call.ts";
import { requireRow } from "../records/judge_row.ts";
import * as records from "../records/write_record.ts";
import { hookedWrite, recordScope } from "./call_scope.ts";
import { recordKey, requireRevision } from "./judge_record.ts";
import { writtenResponse } from "./record_response.ts";
import { writing } from "./write_failure.ts";

/** The rows of a list before its query narrows them. */
interface ListedRows {
  readonly firewall: Firewall;
  /** Row conditions; null: every row that the firewall admits. */
  readonly rule: RowRule | null;
}

/**
 * Returns the live rows, or with `deleted` those that the caller may restore: role first, then the rule's conditions on each of
 * them. Refuses with `ACCESS_ROLE_REQUIRED`.
 */
export function listedRows(
  { resource, table }: Pick<OperationPlan, "resource" | "table">,
  caller: Caller,
  { rule, deleted }: { readonly rule: RowRule | null; readonly deleted: DeletedRows | null },
): ListedRows {
  if (deleted === null) return { firewall: firewallFor(table, caller), rule };
  const restoring = requireRole(requireRestoreRule(resource), caller.principal);
  const gone: RowRule = {
    kind: "all",
    of: [deletedAt("notEquals"), ...(restoring === null ? [] : [restoring])],
  };
  const asked: RowRule = deleted === "only"
    ? gone
    : { kind: "any", of: [deletedAt("equals"), gone] };
  return {
    firewall: firewallWithDeleted(table, caller),
    rule: rule === null ? asked : { kind: "all", of: [rule, asked] },
  };
}

function requireRestoreRule(resource: OperationPlan["resource"]) {
  const ruled = restoreRuleOf(resource);
  if (ruled === null) throw new Error(`Records of "${resource.name}" cannot be restored`);
  return ruled;
}

function deletedAt(operator: Condition["operator"]): RowRule {
  const operand = { kind: "literal", value: null } as const;
  return { kind: "conditions", conditions: [{ column: "deletedAt", operator, operand }] };
}

/** Serves `POST /{resource}/:id/restore`: restores the record, with the rows that its deletion took along. */
export async function restoreRecord(call: Call): Promise<Response> {
  const { request, plan, id } = call;
  const { app, database, principal } = request;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "validation");
  requireWriteQuery(plan.query, request);

  enter(call, "firewall");
  const caller = callerIn(plan, principal, namedScope(plan.query, request));
  const key = recordKey(firewallWithDeleted(plan.table, caller), id);
  const row = await app.data.selectStored(database, key);
  if (row === null) refuseHidden(plan.resource, "FIREWALL_NOT_FOUND");

  enter(call, "access");
  if (rule) await requireRow(request, rule, { row, firewall: key.firewall });
  requireRevision(request.headers, plan.table, row);
  if (row.get("deletedAt") === null) refuseState("The record is not deleted");

  enter(call, "operation");
  const stamps = { now: request.now, userId: principal.userId };
  const json = await writing(call, "DB_UPDATE_FAILED", async (transaction) => {
    const scope = recordScope(call, caller, transaction);
    const outcome = await records.restoreRecord(scope, { ...key, row, rule, stamps });
    if (outcome === "gone") refuseState("The record was changed by another request");
    if (outcome === "parentDeleted") refuseState("A record that it belongs to is still deleted");
    enter(call, "masking");
    return app.data.selectWritten(transaction, { ...key, projection: plan.projection });
  }, hookedWrite(call));
  if (json === null) throw new Error("The restored row cannot be read");
  return writtenResponse(call, json);
}

function refuseState(detail: string): never {
  return refuse("ACCESS_ACTION_NOT_ALLOWED_FOR_STATE", { detail });
}
