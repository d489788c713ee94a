/**
 * Columns by which a masked caller may not ask: filter, sort, search and aggregation (definitions 4.4, contract 4.3 rule 1).
 */
import type { Principal } from "../model/principal.ts";
import type { ResourceModel } from "../model/resource.ts";
import { holdsRole } from "./admission.ts";

/**
 * False when the column is masked and the caller holds none of its query roles. The row's owner has no say here:
 * a question goes over every row.
 */
export function mayQueryBy(column: string, resource: ResourceModel, principal: Principal): boolean {
  if (!Object.hasOwn(resource.masks, column)) return true;
  const mask = resource.masks[column];
  return mask !== undefined && mask.queryRoles.some((role) => holdsRole(principal, role));
}
