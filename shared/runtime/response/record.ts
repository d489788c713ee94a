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

/** Returns the JSON text of a record with the targets of its foreign keys beside its columns. */
export function recordWithIncluded({ json, included }: RecordWithIncluded): string {
  return `${json.slice(0, -1)},"included":${includedText(included)}}`;
}

/** Returns the targets by foreign key, then by primary key (contract 4.3 rule 4). */
function includedText(included: readonly IncludedRecords[]): string {
  const members = included.map(({ column, records }) => {
    const entries = records.map(([id, json]) => `${JSON.stringify(id)}:${json}`);
    return `${JSON.stringify(column)}:{${entries.join(",")}}`;
  });
  return `{${members.join(",")}}`;
}

/** Answers a delete: the record itself is not returned (contract 4.1). */
export function deletedResponse(): Response {
  return jsonResponse('{"success":true}', 200);
}

/** Answers with a JSON text. */
export function jsonResponse(json: string, status: number): Response {
  return new Response(json, { status, headers: { "content-type": "application/json" } });
}

/** Name and JSON text of one aggregation. */
export type Aggregate = readonly [name: string, json: string];

export interface PageContent {
  /** The records as JSON texts, masked for the caller, at most `limit`. */
  readonly records: readonly string[];
  /** True when there are more records beyond the page, in the direction of the walk. */
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
  /** Count of the records before the page. */
  readonly start: number;
  /** Direction of the cursor; null: the page is by offset. */
  readonly direction: "after" | "before" | null;
  readonly cursors: { readonly next: string | null; readonly previous: string | null };
  readonly hasAggregations: boolean;
  readonly isIncluding: boolean;
}

/** Returns the collection envelope (contract 2.5): exactly these members, in this order. */
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
 * Builds `pagination`. `page` counts on from the cursor's page, so after a cursor the probe is a better guide than the number
 * to whether more records follow. Without a total the probe tells whether there are more in the walk's direction.
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

/** Answers under an entity tag (RFC 9110, 8.8.3; definitions 7 "revision"); null: no tag. */
export function taggedResponse(json: string, status: number, tag: string | null): Response {
  const response = jsonResponse(json, status);
  if (tag !== null) response.headers.set(HEADERS.etag, tag);
  return response;
}

/** Answers a caller who has this very representation (RFC 9110, 15.4.5). */
export function notModifiedResponse(tag: string): Response {
  return new Response(null, { status: 304, headers: { [HEADERS.etag]: tag } });
}

/**
 * Answers with a tag of the body's own bytes, so that the tag covers masks, labels and included records alike. The tag is weak:
 * it identifies a reading and is no condition for a write. There is no tag where the project turns tags off (`etag.enabled`).
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

/** Parameters that give the place of the page itself. */
const PLACES: readonly string[] = ["offset", "starting_after", "ending_before"];

/**
 * Adds the links to the neighbouring pages: relative, with the same query (RFC 8288). A 304 has none, since its reader has the
 * page. `base` is from `linkBaseOf`.
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

/** Returns the address of a list with all of its query but its place; the caller appends a place. */
export function linkBaseOf({ path, search }: Pick<RequestContext, "path" | "search">): string {
  const query = new URLSearchParams(search);
  for (const name of PLACES) query.delete(name);
  return query.size === 0 ? `${path}?` : `${path}?${query}&`;
}

/** Formats a place: cursors and numbers need no escaping in an address. */
function placeText([name, value]: PagePlace): string {
  return `${name}=${encodeURIComponent(value)}`;
}
