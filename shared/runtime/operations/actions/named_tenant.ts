/** Finds the tenant of an anonymous call by a random text in its input (definitions 5, `tenantOf`). */
import { ANONYMOUS } from "../../../model/mod.ts";
import type { Caller } from "../../context.ts";
import { selectTenant } from "../../data/named_tenant.ts";
import { isPurged } from "../../data/purges.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import type { Reader } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import type { ActionCall } from "./action_plan.ts";

/**
 * Returns the anonymous caller in the organization that the input names; null: the action has no `tenantOf`. An unknown text, a
 * deleted row and a deleted organization are refused alike, with `FIREWALL_NOT_FOUND`.
 */
export async function namedTenant(
  { request: { app }, plan, audit }: ActionCall,
  input: unknown,
  reader: Reader,
): Promise<Caller | null> {
  const { tenantOf } = plan.operation.action;
  if (!tenantOf) return null;
  const table = app.tables.get(tenantOf.table);
  if (!table) throw new Error(`The model has no table "${tenantOf.table}"`);
  const isThere = typeof input === "object" && input !== null &&
    Object.hasOwn(input, tenantOf.input);
  const value: unknown = isThere ? Reflect.get(input, tenantOf.input) : null;
  const firewall = firewallFor(table, { principal: ANONYMOUS, organizationId: null });
  const organizationId = typeof value === "string"
    ? await selectTenant(reader, { firewall, column: tenantOf.column, value })
    : null;
  if (organizationId === null || await isPurged(reader, organizationId)) {
    return refuse("FIREWALL_NOT_FOUND");
  }
  audit?.reached(organizationId);
  return { principal: ANONYMOUS, organizationId };
}
