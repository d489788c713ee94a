/** Ends a request for a record that the firewall kept back (contract 7.2, definitions 7, "firewall codes"). */
import type { ResourceModel } from "../../model/resource.ts";
import type { RowKey } from "../data/types.ts";
import type { Admitted } from "../gate.ts";
import { refuseHidden } from "../layers/3-firewall/scope.ts";

/**
 * Refuses a miss. Only a caller's own deleted record differs from a missing one, and only where the firewall is revealed.
 */
export async function refuseMiss(
  { app, database }: Admitted,
  resource: ResourceModel,
  key: RowKey,
): Promise<never> {
  const isDeleted = key.firewall.table.softDelete && resource.firewallErrorMode === "reveal" &&
    await app.data.probeDeleted(database, key);
  return refuseHidden(resource, isDeleted ? "FIREWALL_SOFT_DELETED" : "FIREWALL_NOT_FOUND");
}
