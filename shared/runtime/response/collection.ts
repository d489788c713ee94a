/** The collection envelope (contract 2.5): exactly these members, in this order. */
import type { Page } from "../data/types.ts";
import { jsonResponse } from "./record.ts";

export interface CollectionOptions {
  /** Null: the default collection read. */
  readonly view: string | null;
  readonly limit: number;
  readonly offset: number;
}

export function collectionResponse(page: Page, options: CollectionOptions): Response {
  const view = JSON.stringify(options.view);
  const pagination = JSON.stringify(paginationOf(page, options));
  const json = `{"data":[${page.records.join(",")}],"view":${view},"pagination":${pagination}}`;
  return jsonResponse(json, 200);
}

function paginationOf({ records, hasMore, total }: Page, { limit, offset }: CollectionOptions) {
  const page = Math.floor(offset / limit) + 1;
  const common = { count: records.length, page, pageSize: limit };
  const cursors = { nextCursor: null, prevCursor: null };
  if (total === null) return { ...common, hasMore, ...cursors };
  const totalPages = Math.ceil(total / limit);
  return { ...common, hasMore: page < totalPages, ...cursors, total, totalPages };
}
