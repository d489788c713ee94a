/** Reads records: one, bare, and lists (contract 4.1 to 4.3). */
import { type OwnedMemo, ownedMemo } from "../../lib/memo.ts";
import { ACCOUNTS_RESOURCE, type Principal } from "../../model/mod.ts";
import type { Embed, ListQuery, RowRule, Where } from "../../surface/mod.ts";
import { mayQueryBy, readRuleOf } from "../../surface/mod.ts";
import type { Caller } from "../context.ts";
import type {
  DataLayer,
  Embedding,
  Firewall,
  Page,
  PageQuery,
  Projection,
  RowFilter,
  RowKey,
} from "../data/types.ts";
import { callerIn, firewallFor, requireOrganization } from "../layers/3-firewall/firewall.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { embedded } from "./embedded.ts";
import { requireGetQuery, requireListQuery } from "../layers/6-validation/require_body.ts";
import {
  collectionText,
  contentResponse,
  linkBaseOf,
  linkedPage,
  recordWithIncluded,
} from "../response/record.ts";
import type { Reader } from "../ports.ts";
import { type Call, enter, type OperationPlan } from "./call.ts";
import { bindingOf, openCursor, sealedCursors, startOf } from "./cursors.ts";
import { requireRow } from "../records/judge_row.ts";
import { recordKey, refuseMiss } from "./judge_record.ts";
import { readResponse, rowBehindTag } from "./record_response.ts";
import { listedRows } from "./restore_record.ts";

/**
 * Limits of the kept reads. Callers choose queries, so their number and length are bounded for all operations together: some 10
 * MB of each kind.
 */
const KEPT = { keysMax: 2000, keyMaxLength: 512 };

/** Prepared reads by their callers' queries, for every operation of an API. */
export interface KeptReads {
  readonly gets: OwnedMemo<Principal, PreparedGet>;
  readonly lists: OwnedMemo<Principal, PreparedList>;
}

export function keptReads(): KeptReads {
  return { gets: ownedMemo(KEPT), lists: ownedMemo(KEPT) };
}

/**
 * Returns the key of a prepared read: operation, caller and query string, since they determine all of a read but its record or
 * page. A caller who sends the same again gets the kept part, and role and query are not judged anew; a refusal is never kept.
 * The firewall is in each statement.
 */
function keptKey({ plan, request }: Call): string {
  return `${plan.operation.id} ${request.search}`;
}

interface PreparedGet {
  readonly columns: readonly string[];
  readonly firewall: Firewall;
  readonly projection: Projection;
  /** Row conditions of the access rule; null: none. */
  readonly rule: RowRule | null;
  /** Embedded records; null: `include` was not sent. */
  readonly embeddings: readonly Embedding[] | null;
  readonly select: ReturnType<DataLayer["prepareRecord"]>;
}

/** Serves `GET /{resource}/:id`: one record, bare (contract 4.1 rule 4). */
export function createGetRecord({ gets }: KeptReads): (call: Call) => Promise<Response> {
  return async (call) => {
    const prepared = gets(call.request.principal, keptKey(call), () => prepareGet(call));
    enter(call, "firewall");
    const { columns, firewall, rule, embeddings } = prepared;
    const key = recordKey(firewall, call.id);
    const isCounted = call.plan.table.revision !== null;
    const row = isCounted ? await rowBehindTag(call, { key, columns }) : null;
    const json = rule === null
      ? await readRecord(call, key, prepared)
      : await readJudged(call, key, prepared, rule);
    return readResponse(call, json, { key, columns, isIncluding: embeddings !== null, row });
  };
}

function prepareGet(call: Call): PreparedGet {
  const { request, plan } = call;
  const { app, principal } = request;
  const { resource, table } = plan;
  // The role is judged before any row is read, so that a foreign row and a missing one answer alike.
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "validation");
  const { scope, columns, include } = requireGetQuery(plan.query, request);

  const caller = callerIn(plan, principal, scope);
  const firewall = firewallFor(table, caller);
  const embeddings = include && embeddingsOf(plan, caller, include);
  const projection = { resource, columns };
  const select = app.data.prepareRecord({ firewall, projection });
  return { columns, firewall, projection, rule, embeddings, select };
}

function selected(
  { request: { app, database } }: Call,
  key: RowKey,
  { embeddings, projection, select }: PreparedGet,
): Promise<string | null> {
  if (embeddings === null) return select(database, key.id);
  const query = { ...key, projection, embeddings };
  return app.data.selectWithIncluded(database, query)
    .then((record) => record && recordWithIncluded(record));
}

/** Reads a record as JSON text. Without a row condition one statement does it all: the row passes the firewall, masked. */
async function readRecord(call: Call, key: RowKey, prepared: PreparedGet): Promise<string> {
  const json = await selected(call, key, prepared);
  if (json === null) return refuseMiss(call.request, call.plan.resource, key);
  enter(call, "access");
  enter(call, "operation");
  enter(call, "masking");
  return json;
}

async function readJudged(
  call: Call,
  key: RowKey,
  prepared: PreparedGet,
  rule: RowRule,
): Promise<string> {
  const { request, plan } = call;
  const row = await request.app.data.selectStored(request.database, key);
  if (row === null) return refuseMiss(request, plan.resource, key);
  enter(call, "access");
  await requireRow(request, rule, { row, firewall: key.firewall });

  enter(call, "operation");
  enter(call, "masking");
  const json = await selected(call, key, prepared);
  return json ?? await refuseMiss(request, plan.resource, key);
}

/**
 * Reads the targets of `include`: role first, then the target's own firewall, row conditions and masks (contract 4.3 rule 4).
 * Refuses with `ACCESS_ROLE_REQUIRED`.
 */
function embeddingsOf(
  { resource, query }: OperationPlan,
  caller: Caller,
  include: readonly Embed[] | null,
): readonly Embedding[] {
  return (include ?? []).map(({ column, fields }) => {
    const target = query.embeddables.find((one) => one.name === column);
    const isAccount = target?.resource.name === ACCOUNTS_RESOURCE.name;
    const rule = target && readRuleOf(target.resource);
    if (!rule) throw new Error(`"${column}" embeds nothing that can be read`);
    const { table, resource: { defaultSort } } = target;
    // An order by a column that is masked for the caller would reveal its values.
    const sort = defaultSort.filter((key) =>
      mayQueryBy(key.column, target.resource, caller.principal)
    );
    return {
      source: resource,
      column,
      children: target.direction === "children" ? { key: target.column.name, sort } : null,
      // An account is shown by the row that names it.
      rule: isAccount ? null : requireRole(rule, caller.principal),
      firewall: firewallFor(table, caller),
      projection: { resource: target.resource, columns: fields },
    };
  });
}

/**
 * Returns the row filter of conditions on other resources. They are reads of those: role first (403), then their firewall and
 * row conditions.
 */
function filterBehind(where: Where, caller: Caller): RowFilter {
  switch (where.kind) {
    case "conditions":
      return where;
    case "all":
    case "any":
      return { kind: where.kind, of: where.of.map((one) => filterBehind(one, caller)) };
    case "not":
      return { kind: "not", of: filterBehind(where.of, caller) };
    case "related": {
      const { resource, table } = where.relation;
      const ruled = readRuleOf(resource);
      if (!ruled) throw new Error(`"${resource.name}" cannot be read`);
      const rule = requireRole(ruled, caller.principal);
      const firewall = firewallFor(table, caller);
      return { ...where, firewall, rule, of: [filterBehind(where.of, caller)] };
    }
  }
}

type Nearest = PageQuery["near"];

interface PreparedList extends Omit<ListQuery, "include" | "columns" | "where" | "deleted"> {
  readonly isIncluding: boolean;
  readonly binding: string;
  readonly firewall: Firewall;
  /** Reads the page that begins or ends at this place; null: the page at `offset`. */
  page(from: PageQuery["from"], near: Nearest): (reader: Reader) => Promise<Page>;
  /** Reads the page without a cursor, which is the same each time. */
  readonly first: ((reader: Reader) => Promise<Page>) | null;
  readonly linkBase: string;
}

/** Serves `GET /{resource}` and `GET /{resource}/views/{view}`: pages of records (contract 4.1, 4.2, 4.3). */
export function createListRecords({ lists }: KeptReads): (call: Call) => Promise<Response> {
  return async (call) => {
    const { request, plan: { operation, query: { aggregations, groupBy } } } = call;
    const prepared = lists(request.principal, keptKey(call), () => prepareList(call));
    enter(call, "firewall");
    const { binding, limit, offset } = prepared;
    const anchor = await openCursor(call, prepared, prepared.cursor);

    enter(call, "operation");
    const select = prepared.first ??
      prepared.page(anchor?.from ?? null, await nearest(call, prepared.near));
    // The page leaves the database masked.
    enter(call, "masking");
    const page = await select(request.database);
    const answered = { page, anchor, offset, isGroup: groupBy !== null || prepared.byRank };
    const cursors = await sealedCursors(request.app.cursors, binding, answered);
    const json = collectionText(page, {
      view: operation.view?.name ?? null,
      limit,
      start: startOf(answered),
      direction: anchor?.from.direction ?? null,
      cursors,
      hasAggregations: aggregations.length > 0 && groupBy === null,
      isIncluding: prepared.isIncluding,
    });
    return linkedPage(contentResponse(json, request), prepared.linkBase, {
      next: cursors.next === null ? null : ["starting_after", cursors.next],
      prev: cursors.previous === null ? null : ["ending_before", cursors.previous],
    });
  };
}

/** Returns the vector to which the records are to be near; words become a vector before any row is read. */
async function nearest({ request }: Call, near: ListQuery["near"]): Promise<Nearest> {
  if (near === null) return null;
  const { vector, to } = near;
  return {
    vector,
    digits: to.kind === "stored" ? to.text : await embedded(request.app.ports, vector, to.text),
  };
}

function prepareList(call: Call): PreparedList {
  const { request, plan } = call;
  const { app, principal } = request;
  const { operation, query: { aggregations, groupBy } } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(operation, principal);

  enter(call, "validation");
  const { columns, include, where, deleted, ...query } = requireListQuery(plan.query, request);
  // A caller whose role has the default view alone sees no vector of the resource.
  const whole = operation.view === null ? null : readRuleOf(operation.resource);
  if (query.near !== null && whole !== null) requireRole(whole, principal);

  const caller = callerIn(plan, principal, query.scope);
  const listed = listedRows(plan, caller, { rule, deleted });
  const { firewall } = listed;
  const embeddings = embeddingsOf(plan, caller, include);
  const projection = { resource: operation.resource, columns };
  const rows = where && filterBehind(where, caller);
  const { search: index } = operation.resource;
  const search = query.search && { ...query.search, ...(index ? { index } : {}) };
  const asked = { ...query, ...listed, search, where: rows, projection, aggregations, embeddings };
  const page = (from: PageQuery["from"], near: Nearest) =>
    groupBy === null
      ? app.data.preparePage({ ...asked, from, near })
      : app.data.prepareGroups({ ...asked, groupBy, from });
  return {
    ...query,
    isIncluding: include !== null,
    firewall,
    binding: bindingOf(
      call,
      { firewall, sort: query.sort },
      query.byRank ? query.search?.text ?? "" : null,
    ),
    page,
    first: query.cursor === null && query.near === null ? page(null, null) : null,
    linkBase: linkBaseOf(request),
  };
}
