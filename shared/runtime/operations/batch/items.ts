/** Applies firewall, then access, to the records that a batch names: one query reads all of them (contract 4.1 rule 6). */
import type { RowRule } from "../../../surface/mod.ts";
import type { Firewall } from "../../data/types.ts";
import { refuseHidden } from "../../layers/3-firewall/firewall.ts";
import { ConstraintError, type SqlValue, type Transaction } from "../../ports.ts";
import { type Call, enter } from "../call.ts";
import type { WriteFailure } from "../../records/constraint_refusal.ts";
import { refuseFailed } from "../../records/judge_row.ts";
import type { Referring } from "../../records/named_accounts.ts";
import { referenceRefusals, type ReferenceScope } from "../../records/references.ts";
import { failureOf } from "../write_failure.ts";
import type { Batch, Item } from "./batch.ts";

interface Judgement {
  readonly firewall: Firewall;
  readonly rule: RowRule | null;
  /** Treatment of a record without a row: refused, or made by the write. */
  readonly missing: "refused" | "made";
}

/** Returns the items whose rows the caller may change. No caller may change a soft-deleted row. */
export async function judgeItems<Value>(
  call: Call,
  batch: Batch,
  { items, idOf, ...judgement }: Judgement & {
    readonly items: readonly Item<Value>[];
    readonly idOf: (value: Value) => SqlValue;
  },
): Promise<readonly Item<Value>[]> {
  const { resource } = call.plan;
  enter(call, "firewall");
  const { firewall, rule, missing } = judgement;
  const ids = items.map(({ value }) => idOf(value));
  const { app: { data }, database } = call.request;
  const stored = await data.selectStoredRows(database, { firewall, ids });
  const gone = ids.filter((id) => !stored.has(id));
  // Soft-deleted rows that would be within the caller's reach otherwise.
  const deleted = await data.deletedIds(database, { firewall, ids: gone });
  const within = batch.sift(items, (value) => {
    const id = idOf(value);
    if (deleted.has(id)) refuseHidden(resource, "FIREWALL_SOFT_DELETED");
    if (missing === "refused" && !stored.has(id)) refuseHidden(resource, "FIREWALL_NOT_FOUND");
    return value;
  });
  enter(call, "access");
  if (rule === null) return within;
  const rows = [...stored.values()];
  const holds = await data.judgeRows(database, { rule, rows, firewall });
  const failed = new Set(rows.filter((_, at) => holds[at] !== true));
  return batch.sift(within, (value) => {
    const row = stored.get(idOf(value));
    if (row && failed.has(row)) refuseFailed(rule, row, firewall);
    return value;
  });
}

/**
 * Judges the foreign keys of a whole batch with one query per table that its records refer to (definitions 7). Returns the
 * items whose foreign keys all name records that the caller may read.
 */
export async function siftReferences<Value>(
  { batch, ...scope }: ReferenceScope & { readonly batch: Batch },
  items: readonly Item<Value>[],
  bodyOf: (value: Value) => Referring,
): Promise<readonly Item<Value>[]> {
  const bodies = items.map(({ value }) => bodyOf(value));
  const refusals = await referenceRefusals(scope, bodies);
  const refusalOf = new Map(items.map(({ index }, at) => [index, refusals[at] ?? null]));
  return batch.sift(items, (value, { index }) => {
    const refusal = refusalOf.get(index) ?? null;
    if (refusal) throw refusal;
    return value;
  });
}

/**
 * Writes the records of a batch one by one, in one transaction; each write succeeds or fails by itself (contract 4.1 rule 6).
 * Each write is one statement: when a constraint refuses it, SQLite undoes it and keeps the transaction.
 */
export async function writeItems<Value>(
  { call, batch, failure }: {
    readonly call: Call;
    readonly batch: Batch;
    readonly failure: WriteFailure;
  },
  items: readonly Item<Value>[],
  write: (value: Value) => Promise<void>,
): Promise<readonly Item<Value>[]> {
  const written: Item<Value>[] = [];
  for (const item of items) {
    try {
      await write(item.value);
      written.push(item);
    } catch (error) {
      const refusal = error instanceof ConstraintError ? failureOf(error, call, failure) : error;
      batch.fail(item.index, refusal);
      batch.stopIfFailed();
    }
  }
  return written;
}

interface Bisection<Part> {
  /** Writes all of the parts or none: when a constraint refuses one, the attempt is undone. */
  readonly attempt: (parts: readonly Part[]) => Promise<void>;
  /** Handles a record that is refused alone. */
  readonly refused: (part: Part, error: ConstraintError) => void;
}

/**
 * Writes many records at once, of which a constraint may refuse some (contract 4.1 rule 6, "one bulk insert"). It takes one
 * attempt when nothing is refused; else each half is written by itself, the first half first, so that earlier records win.
 */
export async function bisected<Part>(
  parts: readonly Part[],
  bisection: Bisection<Part>,
): Promise<void> {
  const [first] = parts;
  if (first === undefined) return;
  try {
    await bisection.attempt(parts);
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    if (parts.length === 1) return bisection.refused(first, error);
    const middle = Math.ceil(parts.length / 2);
    await bisected(parts.slice(0, middle), bisection);
    await bisected(parts.slice(middle), bisection);
  }
}

/** Reads the written records of a batch with one query, masked for their reader (contract 4.1 rule 6). */
export async function readWritten(
  call: Call,
  transaction: Transaction,
  { items, firewall, columns }: {
    readonly items: readonly Item<SqlValue>[];
    readonly firewall: Firewall;
    readonly columns: readonly string[];
  },
): Promise<readonly Item<string>[]> {
  enter(call, "masking");
  const records = await call.request.app.data.selectWrittenRows(transaction, {
    firewall,
    ids: items.map(({ value }) => value),
    projection: { resource: call.plan.resource, columns },
  });
  return items.map(({ index, value }) => {
    const json = records.get(value);
    if (json === undefined) throw new Error("A written row cannot be read");
    return { index, value: json };
  });
}
