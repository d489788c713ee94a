/**
 * Reads the targets of `include`: role first, then the target's own firewall, row conditions and masks (contract 4.3 rule
 * 4). Refuses with `ACCESS_ROLE_REQUIRED`.
 */
import type { Embed } from "../../surface/query.ts";
import type { Call, Caller } from "../context.ts";
import type { Embedding } from "../data/types.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { requireAdmission } from "../layers/4-access/require_role.ts";

export function embeddingsOf(
  { plan }: Call,
  caller: Caller,
  include: readonly Embed[] | null,
): readonly Embedding[] {
  return (include ?? []).map(({ column, fields }) => {
    const target = plan.query.embeddables.find((one) => one.column.name === column);
    if (!target?.resource.read) throw new Error(`"${column}" embeds nothing that can be read`);
    const { table, resource, resource: { read } } = target;
    return {
      source: plan.operation.resource,
      column,
      rule: requireAdmission(read.access, caller.principal),
      firewall: firewallFor(table, caller),
      projection: { resource, columns: fields },
    };
  });
}
