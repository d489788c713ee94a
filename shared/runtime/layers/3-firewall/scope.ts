/**
 * The organization that scopes a request (contract 2.2, definitions 7, "firewall codes"). Refuses with `ACCESS_NO_ORG`,
 * `ORG_REQUIRED` and `FIREWALL_ORG_ISOLATION`.
 */
import type { RuntimeCode } from "../../../contract/codes.ts";
import type { Principal } from "../../../model/principal.ts";
import type { ResourceModel } from "../../../model/resource.ts";
import type { TableModel } from "../../../model/table.ts";
import type { NamedScope, QueryPlan } from "../../../surface/query.ts";
import { readWriteQuery } from "../../../surface/read_query.ts";
import type { Caller } from "../../context.ts";
import { refuse } from "../../refusal.ts";
import { predicatesFor } from "./firewall.ts";

/** The records that a request is about. */
export interface RecordTarget {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** It may insert a row. */
  readonly makesRows: boolean;
}

/** Refuses a signed-in caller without an active organization where the table isolates organizations. */
export function requireOrganization(
  target: Pick<RecordTarget, "table" | "makesRows">,
  principal: Principal,
): void {
  if (principal.credential === "none" || principal.organizationId !== null) return;
  if (needsOrganization(target, principal)) refuse("ACCESS_NO_ORG");
}

/** The caller in their scope: their own organization, or the one that an anonymous caller named. */
export function callerIn(
  target: RecordTarget,
  principal: Principal,
  scope: NamedScope | null,
): Caller {
  const named = scope?.organizationId ?? null;
  if (!needsOrganization(target, principal)) {
    return { principal, organizationId: principal.organizationId };
  }
  if (principal.credential === "none") {
    if (named === null) refuse("ORG_REQUIRED");
    return { principal, organizationId: named };
  }
  requireOrganization(target, principal);
  if (named !== null && named !== principal.organizationId) {
    refuseHidden(target.resource, "FIREWALL_ORG_ISOLATION");
  }
  return { principal, organizationId: principal.organizationId };
}

/** The scope that a write's query names, before the query is judged: what is wrong with it is refused at its own step. */
export function namedScope(
  query: QueryPlan,
  { search, principal }: { readonly search: string; readonly principal: Principal },
): NamedScope | null {
  const reading = readWriteQuery(query, { parameters: new URLSearchParams(search), principal });
  return reading.kind === "query" ? reading.query.scope : null;
}

/** True when the caller can run the operation only in an organization. */
export function needsOrganization(
  { table, makesRows }: Pick<RecordTarget, "table" | "makesRows">,
  principal: Principal,
): boolean {
  // A new row is stamped with its organization, whatever the firewall lets its reader see.
  if (makesRows && table.scope.organization !== null) return true;
  return predicatesFor(table, principal).some(({ operand }) =>
    operand.kind === "context" && operand.key === "activeOrgId"
  );
}

/** Refuses a caller who cannot be the owner or the team that a new row of the table is stamped with. */
export function requireOwnScopes({ scope }: TableModel, principal: Principal): void {
  if (scope.owner !== null && principal.userId === null) refuse("ACCESS_OWNERSHIP_REQUIRED");
  if (scope.team !== null && principal.teamId === null) {
    refuse("ACCESS_CONDITION_FAILED", {
      detail: "The record belongs to a team, and the caller has no active one",
      hint: "Choose an active team first",
    });
  }
}

/**
 * Refuses a record that the firewall hides, with this code, or with `NOT_FOUND` where the resource hides its firewall (contract
 * 7.2, definitions 7): missing and foreign records answer the same bytes.
 */
export function refuseHidden(
  { firewallErrorMode }: ResourceModel,
  code: Extract<RuntimeCode, `FIREWALL_${string}`>,
): never {
  return refuse(firewallErrorMode === "hide" ? "NOT_FOUND" : code);
}
