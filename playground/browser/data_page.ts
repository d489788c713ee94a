/** Reads one page of a table as a caller sees it, and the same rows as they are stored. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import type { ApiAnswer, StoredRows, Table } from "../protocol.ts";
import type { AskApi } from "./api_document.ts";
import type { AskStored } from "./stored_rows.ts";

export type DataRecord = Readonly<Record<string, unknown>>;

/** Describes which page of rows to read. */
export interface DataQuestion {
  readonly table: Table;
  /** Name of the caller; null for nobody. */
  readonly as: string | null;
  readonly filter: { readonly name: string; readonly value: string } | null;
  readonly sort: { readonly column: string; readonly isDescending: boolean } | null;
  /** Cursor that the page before returned; null: the first page. */
  readonly cursor: { readonly parameter: string; readonly value: string } | null;
}

export interface DataPage {
  readonly records: readonly DataRecord[];
  readonly stored: StoredRows;
  readonly next: string | null;
  readonly previous: string | null;
  readonly isLast: boolean;
}

export const PAGE_SIZE = 25;
export const NEXT = "starting_after";
export const PREVIOUS = "ending_before";

const PAGE = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  pagination: z.object({
    nextCursor: z.string().nullable().default(null),
    prevCursor: z.string().nullable().default(null),
    hasMore: z.boolean().default(false),
  }),
});
const PROBLEM = z.object({ code: z.string(), layer: z.string(), detail: z.string().optional() });

export interface DataClient {
  readonly ask: AskApi;
  readonly stored: AskStored;
}

/** Reads a page; returns a text that gives the reason if there is none. */
export async function readPage(
  { table, as, filter, sort, cursor }: DataQuestion,
  { ask, stored }: DataClient,
): Promise<DataPage | string> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (filter !== null) query.set(filter.name, filter.value);
  if (sort !== null) query.set("sort", (sort.isDescending ? "-" : "") + sort.column);
  if (cursor !== null) query.set(cursor.parameter, cursor.value);
  const path = `${table.path}?${query}`;
  const answer = await ask({ as, method: "GET", path, headers: [], body: null });
  const page = answer.status === 200 ? PAGE.safeParse(parsedJson(answer.body)).data : undefined;
  if (page === undefined) return refusalOf(answer);
  const { data, pagination: { nextCursor, prevCursor, hasMore } } = page;
  const rows = await stored(table.name, data.map((record) => String(record[table.key])));
  return {
    records: data,
    stored: rows,
    next: nextCursor,
    previous: prevCursor,
    isLast: !hasMore && cursor?.parameter !== PREVIOUS,
  };
}

/** Describes a refusing answer in one line. */
export function refusalOf({ status, body }: ApiAnswer): string {
  const problem = PROBLEM.safeParse(parsedJson(body)).data;
  if (problem === undefined) return `The API answered ${status}`;
  const { layer, code, detail } = problem;
  return `${status} ${code}: refused by ${layer}${detail === undefined ? "" : `, ${detail}`}`;
}

/** Converts the typed text into a value of the column; undefined if it is not valid. */
export function typedValue(
  text: string,
  { type, nullable }: Pick<Table["columns"][number], "type" | "nullable">,
): unknown {
  if (text === "" && nullable) return null;
  if (type === "int" || type === "real") {
    return text.trim() === "" || !Number.isFinite(Number(text)) ? undefined : Number(text);
  }
  if (type === "bool") return text === "true" ? true : text === "false" ? false : undefined;
  return type === "json" ? parsedJson(text) : text;
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
