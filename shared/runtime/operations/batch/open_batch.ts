/**
 * Opens a batch with the checks that come once, before any of its records is judged (contract 1.3, 4.1 rule 6): the caller,
 * the limit, the role, the batch itself.
 */
import type { RowRule } from "../../../surface/admission.ts";
import type { Principal } from "../../../model/principal.ts";
import type { NamedScope } from "../../../surface/query.ts";
import { type Call, enter } from "../../context.ts";
import { authenticate } from "../../layers/1-authentication/authenticate.ts";
import { limitRate } from "../../layers/2-rate-limit/limit_rate.ts";
import { requireOrganization, requireOwnScopes } from "../../layers/3-firewall/scope.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import { requireBatch } from "../../layers/6-validation/require_batch.ts";
import { requireWriteQuery } from "../../layers/6-validation/require_query.ts";
import { Batch } from "./batch.ts";

interface OpenedBatch {
  readonly principal: Principal;
  /** The rule for each row. */
  readonly rule: RowRule | null;
  readonly scope: NamedScope | null;
  readonly batch: Batch;
}

export async function openBatch(call: Call): Promise<OpenedBatch> {
  const principal = await authenticate(call);
  await limitRate(call, principal);

  enter(call, "access.role");
  requireOrganization(call, principal);
  const rule = requireRole(call, principal);

  // Before its body, as a single PUT judges; whoever creates is told of the body first.
  if (call.plan.operation.kind === "batchUpsert") requireOwnScopes(call, principal);

  enter(call, "validation");
  const batch = new Batch(requireBatch(call, await call.request.body.object()));
  const { scope } = requireWriteQuery(call, principal);
  return { principal, rule, scope, batch };
}
