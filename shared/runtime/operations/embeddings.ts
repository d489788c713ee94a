/**
 * Reads the targets of `include`: role first, then the target's own firewall, row conditions and masks (contract 4.3 rule
 * 4). Refuses with `ACCESS_ROLE_REQUIRED`.
 */
import type { Embed } from "../../surface/query.ts";
import type { OperationPlan } from "./call.ts";
import type { Caller } from "../context.ts";
import type { Embedding } from "../data/types.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { requireRole } from "../layers/4-access/require_role.ts";

export function embeddingsOf(
  { resource, query }: OperationPlan,
  caller: Caller,
  include: readonly Embed[] | null,
): readonly Embedding[] {
  return (include ?? []).map(({ column, fields }) => {
    const target = query.embeddables.find((one) => one.column.name === column);
    if (!target?.resource.read) throw new Error(`"${column}" embeds nothing that can be read`);
    const { table, resource: { read } } = target;
    return {
      source: resource,
      column,
      rule: requireRole(read.access, caller.principal),
      firewall: firewallFor(table, caller),
      projection: { resource: target.resource, columns: fields },
    };
  });
}
