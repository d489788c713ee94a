/**
 * Opens a batch with the checks that come once, before any of its records is judged (contract 1.3, 4.1 rule 6): the caller,
 * the limit, the role, the batch itself.
 */
import type { RowRule } from "../../../surface/admission.ts";
import type { NamedScope } from "../../../surface/query.ts";
import { type Call, enter } from "../call.ts";
import { requireOrganization, requireOwnScopes } from "../../layers/3-firewall/scope.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import { requireBatch } from "../../layers/6-validation/require_batch.ts";
import { requireWriteQuery } from "../../layers/6-validation/require_body.ts";
import { Batch } from "./batch.ts";

interface OpenedBatch {
  /** The rule for each row. */
  readonly rule: RowRule | null;
  readonly scope: NamedScope | null;
  readonly batch: Batch;
}

export async function openBatch(call: Call): Promise<OpenedBatch> {
  const { request, plan } = call;
  enter(call, "access.role");
  requireOrganization(plan, request.principal);
  const rule = requireRole(plan.operation.access, request.principal);

  // Before its body, as a single PUT judges; whoever creates is told of the body first.
  if (plan.operation.kind === "batchUpsert") requireOwnScopes(plan.table, request.principal);

  enter(call, "validation");
  const batch = new Batch(requireBatch(plan, await request.body.object()));
  const { scope } = requireWriteQuery(plan.query, request);
  return { rule, scope, batch };
}
