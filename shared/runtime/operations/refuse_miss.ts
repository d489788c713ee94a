/** Ends a request for a record that the firewall kept back (contract 7.2, definitions 7, "firewall codes"). */
import type { Call } from "../context.ts";
import type { RowKey } from "../data/types.ts";
import { refuseHidden } from "../layers/3-firewall/miss.ts";

/** Only a caller's own deleted record is told from a missing one, and only where the firewall is revealed. */
export async function refuseMiss(call: Call, key: RowKey): Promise<never> {
  const { app } = call.request;
  const { operation, table } = call.plan;
  const isDeleted = table.softDelete && operation.resource.firewallErrorMode === "reveal" &&
    await app.data.probeDeleted(app.ports.database, key);
  return refuseHidden(call, isDeleted ? "FIREWALL_SOFT_DELETED" : "FIREWALL_NOT_FOUND");
}
