/** Reads of records: one, bare, and lists (contract 4.1 to 4.3). */
import type { RowRule } from "../../surface/admission.ts";
import type { Embed } from "../../surface/query.ts";
import type { Caller } from "../context.ts";
import type { Embedding, RecordQuery } from "../data/types.ts";
import { callerIn, firewallFor, requireOrganization } from "../layers/3-firewall/firewall.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireGetQuery, requireListQuery } from "../layers/6-validation/require_body.ts";
import {
  collectionText,
  contentResponse,
  linkedPage,
  recordWithIncluded,
} from "../response/record.ts";
import { type Call, enter, type OperationPlan } from "./call.ts";
import { cursorsOf, openCursor, startOf } from "./cursors.ts";
import { recordKey, refuseMiss, requireRow } from "./judge_record.ts";
import { readResponse, rowBehindTag } from "./record_response.ts";

/** `GET /{resource}/:id`: one record, bare (contract 4.1 rule 4). */
export async function getRecord(call: Call): Promise<Response> {
  const { request, plan, id } = call;
  const { principal } = request;
  const { resource, table } = plan;
  // Before any row is read: a foreign row and a missing one cannot be told apart.
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation.access, principal);

  enter(call, "validation");
  const { scope, columns, include } = requireGetQuery(plan.query, request);

  enter(call, "firewall");
  const caller = callerIn(plan, principal, scope);
  const embeddings = include && embeddingsOf(plan, caller, include);
  const key = recordKey(firewallFor(table, caller), id);

  const projection = { resource, columns };
  const query = { ...key, projection, embeddings };
  const behind = await rowBehindTag(call, { key, columns });
  const json = rule === null ? await readRecord(call, query) : await readJudged(call, query, rule);
  const isIncluding = include !== null;
  return await readResponse(call, json, { key, columns, isIncluding, row: behind });
}

interface ReadQuery extends RecordQuery {
  /** Null: `include` was not sent. */
  readonly embeddings: readonly Embedding[] | null;
}

async function selected({ request }: Call, query: ReadQuery): Promise<string | null> {
  const { embeddings } = query;
  if (embeddings === null) return await request.app.data.selectRecord(request.database, query);
  const record = await request.app.data.selectWithIncluded(request.database, {
    ...query,
    embeddings,
  });
  return record && recordWithIncluded(record);
}

/** Without a row condition one statement does it all: the row comes through the firewall, masked. */
async function readRecord(call: Call, query: ReadQuery): Promise<string> {
  const { request, plan } = call;
  const json = await selected(call, query);
  if (json === null) return refuseMiss(request, plan.resource, query);
  enter(call, "access");
  enter(call, "operation");
  enter(call, "masking");
  return json;
}

async function readJudged(call: Call, query: ReadQuery, rule: RowRule): Promise<string> {
  const { request, plan } = call;
  const row = await request.app.data.selectStored(request.database, query);
  if (row === null) return refuseMiss(request, plan.resource, query);
  enter(call, "access");
  requireRow(rule, { row, firewall: query.firewall });

  enter(call, "operation");
  enter(call, "masking");
  const json = await selected(call, query);
  return json ?? await refuseMiss(request, plan.resource, query);
}

/**
 * Reads the targets of `include`: role first, then the target's own firewall, row conditions and masks (contract 4.3
 * rule 4). Refuses with `ACCESS_ROLE_REQUIRED`.
 */
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

/** `GET /{resource}` and `GET /{resource}/views/{view}`: pages of records (contract 4.1, 4.2, 4.3). */
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
