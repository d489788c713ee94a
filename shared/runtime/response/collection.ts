/** The collection envelope (contract 2.5): exactly these members, in this order. */
import { type IncludedRecords, includedText } from "./record.ts";

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

export function collectionText(page: PageContent, options: CollectionOptions): string {
  const members = [
    `"data":[${page.records.join(",")}]`,
    `"view":${JSON.stringify(options.view)}`,
    `"pagination":${JSON.stringify(paginationOf(page, options))}`,
    ...(options.hasAggregations ? [`"aggregations":${aggregationsText(page)}`] : []),
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

function aggregationsText({ aggregates }: PageContent): string {
  return `{${aggregates.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}
