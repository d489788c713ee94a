/** `GET /{resource}` and `GET /{resource}/views/{view}`: pages of records (contract 4.1, 4.2, 4.3). */
import { type Call, enter } from "./call.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, requireOrganization } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireListQuery } from "../layers/6-validation/require_body.ts";
import { collectionText, contentResponse, linkedPage } from "../response/record.ts";
import { cursorsOf, openCursor, startOf } from "./cursors.ts";
import { embeddingsOf } from "./get.ts";

export async function listRecords(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { app, principal } = request;
  const { operation, table, query: { aggregations } } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation.access, principal);

  enter(call, "validation");
  const { scope, columns, include, cursor, ...query } = requireListQuery(plan.query, request);

  enter(call, "firewall");
  const caller = callerIn(plan, principal, scope);
  const firewall = firewallFor(table, caller);
  const embeddings = embeddingsOf(plan, caller, include);
  const cursorScope = { firewall, sort: query.sort };
  const anchor = await openCursor(call, cursorScope, cursor);

  enter(call, "operation");
  // The page leaves the database masked.
  enter(call, "masking");
  const projection = { resource: operation.resource, columns };
  const page = await app.data.selectPage(request.database, {
    ...query,
    firewall,
    rule,
    projection,
    from: anchor?.from ?? null,
    aggregations,
    embeddings,
  });
  const answered = { page, anchor, offset: query.offset };
  const cursors = await cursorsOf(call, cursorScope, answered);
  const json = collectionText(page, {
    view: operation.view?.name ?? null,
    limit: query.limit,
    start: startOf(answered),
    direction: anchor?.from.direction ?? null,
    cursors,
    hasAggregations: aggregations.length > 0,
    isIncluding: include !== null,
  });
  return linkedPage(contentResponse(json, request), request, {
    next: cursors.next === null ? null : ["starting_after", cursors.next],
    prev: cursors.previous === null ? null : ["ending_before", cursors.previous],
  });
}
