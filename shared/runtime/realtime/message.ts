/** Messages between instances about committed changes, as the log transports them. */
/**
 * Publishes what was committed: changes of rows, and signals of actions (contract 6.3). Delivery is best effort; no request
 * waits for it.
 */
import { z } from "zod";
import type { RelatedChange } from "../data/changes/related_rows.ts";
import {
  CELL,
  cellOf,
  type Cells,
  cellsOf,
  rowOf,
  storedOf,
} from "../data/changes/stored_cells.ts";
import type { RelatedRow, StoredRow } from "../data/types.ts";
import type { SqlValue } from "../ports.ts";

/** Related changes by the resource whose rules follow relations; null: too many rows to list them. */
export type RelatedChanges = ReadonlyMap<string, readonly RelatedChange[] | null>;
export const ROW = z.record(z.string(), CELL).nullable();

interface EncodedRelated {
  readonly row: Cells;
  readonly related: readonly (readonly EncodedRelated[])[];
}

export const RELATED: z.ZodType<EncodedRelated["related"]> = z.array(z.array(z.strictObject({
  row: z.record(z.string(), CELL),
  related: z.lazy(() => RELATED),
})));
const MESSAGE = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("row"),
    change: z.enum(["insert", "update", "delete"]),
    resource: z.string(),
    id: CELL,
    before: ROW,
    after: ROW,
    related: z.strictObject({
      isInduced: z.boolean(),
      before: z.lazy(() => RELATED).nullable(),
      after: z.lazy(() => RELATED).nullable(),
    }).optional(),
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
    /** Id of the scope (an organization, a team or a user); null for the scope `all`. */
    scope: z.string().nullable(),
    /** User ids; null: every subscriber in the scope. */
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
  /** Rows that the rules of the resource read, before and after; absent: the rules follow no relation. */
  readonly related?: {
    /** True when the row itself is unchanged. */
    readonly isInduced: boolean;
    readonly before: RelatedRow["related"] | null;
    readonly after: RelatedRow["related"] | null;
  };
  /** Time in ISO 8601. */
  readonly at: string;
}

export type Message = RowMessage | Exclude<Encoded, EncodedRow>;

function relatedCells(related: RelatedRow["related"]): EncodedRelated["related"] {
  return related.map((rows) =>
    rows.map(({ row, related }) => ({ row: cellsOf(row), related: relatedCells(related) }))
  );
}

function relatedStored(related: EncodedRelated["related"]): RelatedRow["related"] {
  return related.map((rows) =>
    rows.map(({ row, related }) => ({ row: rowOf(row), related: relatedStored(related) }))
  );
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Writes a message between instances about a change or a signal, inside the trust boundary (docs/decisions/realtime.md). It
 * contains rows as they are stored, completely enough to judge and mask them for each subscriber. It is never sent to a
 * subscriber.
 */
export function messageText(message: Message): string {
  if (message.kind !== "row") return JSON.stringify(message);
  const { id, before, after, related, ...rest } = message;
  return JSON.stringify({
    ...rest,
    ...(related
      ? {
        related: {
          ...related,
          before: related.before && relatedCells(related.before),
          after: related.after && relatedCells(related.after),
        },
      }
      : {}),
    id: cellOf(id),
    before: before && cellsOf(before),
    after: after && cellsOf(after),
  });
}

/** Parses a message; null if this version does not know its form. */
export function readMessage(text: string): Message | null {
  const parsed = MESSAGE.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const message = parsed.data;
  if (message.kind !== "row") return message;
  const { id, before, after, related, ...rest } = message;
  return {
    ...rest,
    ...(related
      ? {
        related: {
          ...related,
          before: related.before && relatedStored(related.before),
          after: related.after && relatedStored(related.after),
        },
      }
      : {}),
    id: storedOf(id),
    before: before && rowOf(before),
    after: after && rowOf(after),
  };
}
