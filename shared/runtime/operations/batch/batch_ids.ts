/** The ids that the entries of a batch name, whose presence and type the batch's body was checked for. */
import type { JsonObject } from "../../../lib/json_object.ts";
import type { Call } from "../call.ts";
import type { SqlValue } from "../../ports.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import type { Batch, Item } from "./batch.ts";

/** An entry of a batch update or upsert, its id apart. */
interface Named {
  readonly id: SqlValue;
  /** Everything else. */
  readonly fields: JsonObject;
}

/** Each record once: of those with the same id the first one counts, the others are refused. */
export function namedRecords({ plan: { table } }: Call, batch: Batch): readonly Item<Named>[] {
  const { primaryKey } = table;
  const seen = new Map<SqlValue, number>();
  return batch.sift(batch.items, (entry, { index }) => {
    const { [primaryKey]: id, ...fields } = requireObject(entry);
    return { id: requireFirst(idOf(id), { index, seen, primaryKey }), fields };
  });
}

/** The ids of a batch delete, each once. */
export function namedIds({ plan: { table } }: Call, batch: Batch): readonly Item<SqlValue>[] {
  const seen = new Map<SqlValue, number>();
  return batch.sift(
    batch.items,
    (entry, { index }) => requireFirst(idOf(entry), { index, seen, primaryKey: table.primaryKey }),
  );
}

/** The record of a batch create. */
export function requireObject(entry: unknown): JsonObject {
  if (isObject(entry)) return entry;
  return refuse("VALIDATION_ERROR", { detail: "A record must be an object" });
}

function isObject(entry: unknown): entry is JsonObject {
  return typeof entry === "object" && entry !== null && !Array.isArray(entry);
}

function idOf(value: unknown): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  throw new Error("The ids of a batch are checked before its records");
}

interface Seen {
  readonly index: number;
  readonly seen: Map<SqlValue, number>;
  readonly primaryKey: string;
}

function requireFirst(id: SqlValue, { index, seen, primaryKey }: Seen): SqlValue {
  const first = seen.get(id);
  if (first !== undefined) refuseMember([primaryKey], `Is the id of record ${first} already`);
  seen.set(id, index);
  return id;
}
