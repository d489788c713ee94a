/** Answers with records (contract 2.5): bare single ones, collections in their envelope. The data layer made the JSON. */
import { HEADERS } from "../../contract/mod.ts";
import { textTag } from "../../lib/texts.ts";
import type { RequestContext } from "../context.ts";
import { holdsTag } from "../request/read_request.ts";

/** The visible targets of one foreign key, as JSON texts by primary key. */
export interface IncludedRecords {
  readonly column: string;
  readonly records: readonly (readonly [id: string, json: string])[];
}

/** A record with the targets of its foreign keys. */
export interface RecordWithIncluded {
  readonly json: string;
  readonly included: readonly IncludedRecords[];
}

/** A record and, beside its columns, the targets of its foreign keys. */
export function recordWithIncluded({ json, included }: RecordWithIncluded): string {
  return `${json.slice(0, -1)},"included":${includedText(included)}}`;
}

/** By foreign key, then by primary key (contract 4.3 rule 4). */
function includedText(included: readonly IncludedRecords[]): string {
  const members = included.map(({ column, records }) => {
    const entries = records.map(([id, json]) => `${JSON.stringify(id)}:${json}`);
    return `${JSON.stringify(column)}:{${entries.join(",")}}`;
  });
  return `{${members.join(",")}}`;
}

/** The answer to a delete: the record itself is not returned (contract 4.1). */
export function deletedResponse(): Response {
  return jsonResponse('{"success":true}', 200);
}

/** A JSON text as an answer. */
export function jsonResponse(json: string, status: number): Response {
  return new Response(json, { status, headers: { "content-type": "application/json" } });
}

/** Name and JSON text of one aggregation. */
export type Aggregate = readonly [name: string, json: string];

export interface PageContent {
  /** The records as JSON texts, masked for the caller, at most `limit`. */
  readonly records: readonly string[];
  /** True when there are further records beyond it, in the direction of the walk. */
  readonly hasMore: boolean;
  /** Null without `withTotal`. */
  readonly total: number | null;
  readonly aggregates: readonly Aggregate[];
  readonly included: readonly IncludedRecords[];
}

interface CollectionOptions {
  /** Null: the default collection read. */
  readonly view: string | null;
  readonly limit: number;
  /** Records before the page. */
  readonly start: number;
  /** Null: by offset. */
  readonly direction: "after" | "before" | null;
  readonly cursors: { readonly next: string | null; readonly previous: string | null };
  readonly hasAggregations: boolean;
  readonly isIncluding: boolean;
}

/** The collection envelope (contract 2.5): exactly these members, in this order. */
export function collectionText(page: PageContent, options: CollectionOptions): string {
  const aggregates = page.aggregates.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  const members = [
    `"data":[${page.records.join(",")}]`,
    `"view":${JSON.stringify(options.view)}`,
    `"pagination":${JSON.stringify(paginationOf(page, options))}`,
    ...(options.hasAggregations ? [`"aggregations":{${aggregates.join(",")}}`] : []),
    ...(options.isIncluding ? [`"included":${includedText(page.included)}`] : []),
  ];
  return `{${members.join(",")}}`;
}

/**
 * `page` counts on from where the cursor's page was, so after one the probe knows better than the number whether more
 * follows; without a total the probe says whether there is more in the direction taken.
 */
function paginationOf(
  { records, hasMore, total }: PageContent,
  { limit, start, direction, cursors }: CollectionOptions,
) {
  const page = Math.floor(start / limit) + 1;
  const common = { count: records.length, page, pageSize: limit };
  const links = { nextCursor: cursors.next, prevCursor: cursors.previous };
  if (total === null) return { ...common, hasMore, ...links };
  const totalPages = Math.ceil(total / limit);
  const isBeforeLast = direction === "after" ? hasMore : page < totalPages;
  return { ...common, hasMore: isBeforeLast, ...links, total, totalPages };
}

/** An answer under its entity tag (RFC 9110, 8.8.3; definitions 7 "revision"); null: it has none. */
export function taggedResponse(json: string, status: number, tag: string | null): Response {
  const response = jsonResponse(json, status);
  if (tag !== null) response.headers.set(HEADERS.etag, tag);
  return response;
}

/** The caller holds this very representation (RFC 9110, 15.4.5). */
export function notModifiedResponse(tag: string): Response {
  return new Response(null, { status: 304, headers: { [HEADERS.etag]: tag } });
}

/**
 * An answer tagged by its own bytes, so that the tag covers masks, labels and included records alike. Weak: it says
 * what was read and anchors no write. Without a tag where the project wants none (`etag.enabled`).
 */
export function contentResponse(
  json: string,
  { headers, app }: Pick<RequestContext, "headers" | "app">,
): Response {
  if (!app.project.etag) return jsonResponse(json, 200);
  const tag = `W/"${textTag(json)}"`;
  return holdsTag(headers, tag) ? notModifiedResponse(tag) : taggedResponse(json, 200, tag);
}

/** A query parameter that leads to another page; null: there is no such page. */
type PagePlace = readonly [name: string, value: string];

/** Parameters that say where the page itself is. */
const PLACES: readonly string[] = ["offset", "starting_after", "ending_before"];

/**
 * The page with its links: where the pages beside it are, relative and by the same query (RFC 8288); nothing is said of
 * it in a 304, whose reader holds it. `base` is from `linkBaseOf`.
 */
export function linkedPage(
  page: Response,
  base: string,
  { next, prev }: Readonly<Record<"next" | "prev", PagePlace | null>>,
): Response {
  if (page.status !== 200) return page;
  const links = [
    ...(next === null ? [] : [`<${base}${placeText(next)}>; rel="next"`]),
    ...(prev === null ? [] : [`<${base}${placeText(prev)}>; rel="prev"`]),
  ];
  if (links.length > 0) page.headers.set(HEADERS.link, links.join(", "));
  return page;
}

/** The address of a list with all of its query but its place, to be followed by one. */
export function linkBaseOf({ path, search }: Pick<RequestContext, "path" | "search">): string {
  const query = new URLSearchParams(search);
  for (const name of PLACES) query.delete(name);
  return query.size === 0 ? `${path}?` : `${path}?${query}&`;
}

/** Cursors and numbers, which an address takes as they are. */
function placeText([name, value]: PagePlace): string {
  return `${name}=${encodeURIComponent(value)}`;
}
