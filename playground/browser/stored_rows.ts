/**
 * Reads the stored rows of the development database, which only `dev` shows: comparing an answer with them shows what was
 * masked.
 */
import { ROUTES, STORED_ROWS, type StoredRows, type Table } from "../protocol.ts";
import { parsedJson } from "../../shared/lib/json.ts";
import type { Connection } from "./connection.ts";

export type AskStored = (table: string, ids: readonly string[]) => Promise<StoredRows>;

export function storedClient(connection: Connection): AskStored {
  return async (table, ids) =>
    STORED_ROWS.parse(
      await connection.json(ROUTES.stored, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ table, ids }),
      }),
    );
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** Returns the places of the members of an answer that were masked for the caller, such as `/data/0/email`. */
export async function maskedMembers(
  answer: { readonly path: string; readonly body: string },
  tables: readonly Table[],
  stored: AskStored,
): Promise<ReadonlySet<string>> {
  const [path = ""] = answer.path.split("?");
  const table = tables.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  const columns = table?.columns.filter(({ masked }) => masked).map(({ name }) => name) ?? [];
  if (table === undefined || columns.length === 0) return new Set();
  const records = recordsIn(parsedJson(answer.body), table.key);
  if (records.length === 0) return new Set();
  const rows = await stored(table.name, records.map(({ id }) => id));
  return new Set(
    records.flatMap(({ place, id, record }) =>
      columns.filter((column) => isMasked(column, record, rows[id]))
        .map((column) => `${place}/${column}`)
    ),
  );
}

/** True when the answer's value differs from the stored one. */
export function isMasked(column: string, record: JsonRecord, row: JsonRecord | undefined): boolean {
  return row !== undefined && Object.hasOwn(record, column) &&
    JSON.stringify(record[column]) !== JSON.stringify(row[column]);
}

interface Found {
  readonly place: string;
  readonly id: string;
  readonly record: JsonRecord;
}

/** Returns the records of an answer: the body itself, or its `data`. */
function recordsIn(value: unknown, key: string): readonly Found[] {
  if (typeof value !== "object" || value === null) return [];
  const { data }: { readonly data?: unknown } = value;
  if (Array.isArray(data)) return data.flatMap((one, at) => found(one, key, `/data/${at}`));
  return found(value, key, "");
}

function found(value: unknown, key: string, place: string): readonly Found[] {
  if (typeof value !== "object" || value === null) return [];
  const record: JsonRecord = Object.fromEntries(Object.entries(value));
  const id = record[key];
  return typeof id === "string" || typeof id === "number"
    ? [{ place, id: String(id), record }]
    : [];
}
