/** `GET /{resource}` and `GET /{resource}/views/{view}`: pages of records (contract 4.1, 4.2, 4.3). */
import { type Call, enter } from "../context.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, requireOrganization } from "../layers/3-firewall/scope.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireListQuery } from "../layers/6-validation/require_query.ts";
import { collectionResponse } from "../response/collection.ts";

export async function listRecords(call: Call): Promise<Response> {
  const { app } = call.request;
  const { operation, table } = call.plan;
  const principal = await authenticate(call);
  await limitRate(call, principal);

  enter(call, "access.role");
  requireOrganization(call, principal);
  const rule = requireRole(call, principal);

  enter(call, "validation");
  const { scope, columns, ...query } = requireListQuery(call, principal);

  enter(call, "firewall");
  const firewall = firewallFor(table, callerIn(call, principal, scope));

  enter(call, "operation");
  // The page leaves the database masked.
  enter(call, "masking");
  const projection = { resource: operation.resource, columns };
  const page = await app.data.selectPage(app.ports.database, {
    ...query,
    firewall,
    rule,
    projection,
  });
  const { limit, offset } = query;
  return collectionResponse(page, { view: operation.view?.name ?? null, limit, offset });
}
