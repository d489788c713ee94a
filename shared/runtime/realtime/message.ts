/**
 * Messages between instances about a change or a signal, inside the trust boundary (docs/decisions/realtime.md): rows as
 * they are stored, whole enough to judge and to mask them for each subscriber. Never sent to one.
 */
import { z } from "zod";
import type { SqlValue } from "../ports.ts";
import type { StoredRow } from "../data/types.ts";

/** A stored value in JSON; integers beyond what JSON numbers hold as `{ "int": "…" }`. */
const CELL = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.strictObject({ int: z.string().regex(/^-?\d{1,19}$/) }),
]);
const ROW = z.record(z.string(), CELL).nullable();

const MESSAGE = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("row"),
    change: z.enum(["insert", "update", "delete"]),
    resource: z.string(),
    id: CELL,
    before: ROW,
    after: ROW,
    at: z.string(),
  }),
  /** Too many rows to publish each of them. */
  z.strictObject({ kind: z.literal("crowd"), resource: z.string(), at: z.string() }),
  /** Messages before this one were not published. */
  z.strictObject({ kind: z.literal("lost"), at: z.string() }),
  z.strictObject({
    kind: z.literal("signal"),
    signal: z.string(),
    data: z.record(z.string(), z.unknown()),
    /** Of the scope: an organization, a team or a user; null: `all`. */
    scope: z.string().nullable(),
    /** User ids; null: everybody in the scope. */
    recipients: z.array(z.string()).nullable(),
    at: z.string(),
  }),
]);

type Encoded = z.infer<typeof MESSAGE>;
type EncodedRow = Extract<Encoded, { kind: "row" }>;

interface RowMessage {
  readonly kind: "row";
  readonly change: EncodedRow["change"];
  readonly resource: string;
  readonly id: SqlValue;
  readonly before: StoredRow | null;
  readonly after: StoredRow | null;
  /** ISO 8601. */
  readonly at: string;
}

export type Message = RowMessage | Exclude<Encoded, EncodedRow>;

export function messageText(message: Message): string {
  if (message.kind !== "row") return JSON.stringify(message);
  const { id, before, after, ...rest } = message;
  return JSON.stringify({ ...rest, id: cell(id), before: cells(before), after: cells(after) });
}

/** Null: it is none that this version understands. */
export function readMessage(text: string): Message | null {
  const parsed = MESSAGE.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const message = parsed.data;
  if (message.kind !== "row") return message;
  const { id, before, after, ...rest } = message;
  return { ...rest, id: stored(id), before: storedRow(before), after: storedRow(after) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function cells(row: StoredRow | null): EncodedRow["before"] {
  return row && Object.fromEntries([...row].map(([name, value]) => [name, cell(value)]));
}

function cell(value: SqlValue): z.infer<typeof CELL> {
  if (value instanceof Uint8Array) throw new TypeError("A row with bytes cannot be told");
  return typeof value === "bigint" ? { int: String(value) } : value;
}

function storedRow(row: EncodedRow["before"]): StoredRow | null {
  return row && new Map(Object.entries(row).map(([name, value]) => [name, stored(value)]));
}

function stored(value: z.infer<typeof CELL>): SqlValue {
  return typeof value === "object" && value !== null ? BigInt(value.int) : value;
}
