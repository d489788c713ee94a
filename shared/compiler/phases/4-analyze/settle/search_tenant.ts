/** Finds the tenant of a full-text index: the column by which the firewall separates callers (docs/decisions/reads.md). */
import type { ContextKey, FirewallPredicate, ResourceModel } from "../../../../model/mod.ts";
import { columnPredicates } from "../../../../model/mod.ts";

/** Keys of a tenant, the widest first: within an organization, owners and teams share a tenant. */
const TENANTS: readonly ContextKey[] = ["activeOrgId", "userId", "activeTeamId"];

export function withSearchTenant(
  resource: ResourceModel,
  firewall: readonly FirewallPredicate[],
): ResourceModel {
  const { search } = resource;
  const [tenant] = TENANTS.flatMap((key) =>
    columnPredicates(firewall).filter(({ operator, operand }) =>
      operator === "equals" && operand.kind === "context" && operand.key === key
    )
  );
  return search && tenant
    ? { ...resource, search: { ...search, tenant: tenant.column } }
    : resource;
}
