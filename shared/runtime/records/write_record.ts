/** Writes records in an open transaction, with the author's hooks around each write (contract 4.1, definitions 6, hooks). */
import type { RecordHookOperation, TableModel } from "../../model/mod.ts";
import { pointerTo } from "../../lib/json.ts";
import type { RowRule } from "../../surface/mod.ts";
import { insertingDrawn } from "../data/made_values.ts";
import type {
  ColumnValues,
  Deletions,
  HeldUpdate,
  Insertion,
  Restoration,
  RowKey,
  StoredRow,
  Update,
} from "../data/types.ts";
import { ConstraintError, type SqlValue } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { requireNewRow } from "./judge_row.ts";
import { requireWritten, writtenRules } from "./judge_written.ts";
import { type RecordScope, scopeWithin } from "./record_scope.ts";
import { requireReferences } from "./references.ts";

/** Record to insert. If its rule follows relations, the rule is judged on the written row. */
export interface NewRecord extends Insertion {
  readonly rule: RowRule | null;
}

/** Inserts a record; returns its id. Throws `ConstraintError`. */
export async function insertRecord(
  scope: RecordScope,
  asked: NewRecord,
  { isJudged = false, hasRoom = false, inserted }: {
    /** True when its foreign keys were checked in this transaction. */
    readonly isJudged?: boolean;
    /** True when the limit of rows was checked for it together with others. */
    readonly hasRoom?: boolean;
    /** Runs after the insert, before the author's hooks. */
    readonly inserted?: (id: SqlValue) => Promise<void>;
  } = {},
): Promise<SqlValue> {
  const { data, transaction, resource, hooks } = scope;
  const { firewall, rule } = asked;
  const own = hooks?.runs("create") ? hooks : null;
  const values = own ? await own.beforeCreate(transaction, asked) : asked.values;
  if (own) requireWhole(firewall.table, values);
  const record = { ...asked, values };
  if (!hasRoom) await data.requireRoom(transaction, firewall, 1);
  const [complete = record] = await data.completeRows(transaction, { firewall, rows: [record] });
  if (own || !isJudged) await requireReferences(scope, { id: null, values });
  const id = await data.insertRow(transaction, complete);
  const rules = writtenRules(firewall, rule, { isNew: true });
  if (rules) await requireWritten({ data, resource, transaction }, rules, id);
  await inserted?.(id);
  await own?.afterCreate(transaction, { firewall, id });
  return id;
}

/** Refuses with `VALIDATION_ERROR` a record that still lacks a required value after the author's hooks have run. */
function requireWhole(table: TableModel, values: ColumnValues): void {
  const missing = table.columns.filter(({ name, manager, nullable, default: value }) =>
    manager === "client" && !nullable && value === null && (values.get(name) ?? null) === null
  );
  const [first] = missing;
  if (!first) return;
  refuse("VALIDATION_ERROR", {
    details: { fields: Object.fromEntries(missing.map(({ name }) => [name, "Required"])) },
    pointer: pointerTo(first.name),
  });
}

export interface ChangedRecord extends Update {
  readonly operation: RecordHookOperation;
  /** Columns that the operation itself sets, and that code may not set; absent: none. */
  readonly fixed?: readonly string[];
  /** True when the foreign keys among the values were checked in this transaction. */
  readonly isJudged?: boolean;
  /** Returns the refusal of a written record that does not meet its rule; absent: the usual refusal of writes. */
  readonly refusalBy?: ((rule: RowRule) => Refusal) | undefined;
}

/** Updates a record. Returns false if the record is missing, hidden, or no longer meets its rule. Throws `ConstraintError`. */
export async function updateRecord(scope: RecordScope, change: ChangedRecord): Promise<boolean> {
  const { data, transaction } = scope;
  return await changing(
    scope,
    change,
    (row) => data.updatedRow(row, change),
    (values) => data.updateRow(transaction, { ...change, values }),
  );
}

/** Replaces an existing record: columns without a value return to their default or null. */
async function replaceStanding(scope: RecordScope, change: ChangedRecord): Promise<boolean> {
  const { data, transaction } = scope;
  const whole = { ...change, values: data.replacedValues(change) };
  return await changing(
    scope,
    change,
    (row) => data.updatedRow(row, whole),
    (values) => data.replaceRow(transaction, { ...change, values }),
  );
}

async function changing(
  scope: RecordScope,
  change: ChangedRecord,
  nextOf: (row: StoredRow) => StoredRow,
  write: (values: ColumnValues) => Promise<boolean>,
): Promise<boolean> {
  const { data, transaction, resource, hooks } = scope;
  const { firewall, id, rule, operation, fixed = [], refusalBy } = change;
  const own = hooks?.runs("update") ? hooks : null;
  const row = own ? await heldRow(scope, change) : null;
  if (own && row === null) return false;
  const asked = row && { key: { firewall, id }, operation, row, values: change.values };
  const values = own && asked
    ? await own.beforeUpdate(transaction, { ...asked, next: nextOf(asked.row), fixed })
    : change.values;
  if (own || !change.isJudged) await requireReferences(scope, { id, values });
  if (!await write(values)) return false;
  const rules = writtenRules(firewall, rule, { isNew: false });
  if (rules) {
    const judging = { data, resource, transaction, ...(refusalBy ? { refusalBy } : {}) };
    await requireWritten(judging, rules, id);
  }
  if (own && asked) await own.afterUpdate(transaction, { ...asked, values });
  return true;
}

/** Updates a row that this transaction has already read, even if it has become invisible to its writer since. */
export async function updateHeldRecord(
  scope: RecordScope,
  change: HeldUpdate & Pick<ChangedRecord, "operation" | "fixed">,
): Promise<void> {
  const { data, transaction, hooks } = scope;
  const { firewall, id, row, operation, fixed = [] } = change;
  const own = hooks?.runs("update") ? hooks : null;
  if (own === null) return await data.updateHeld(transaction, change);
  const asked = { key: { firewall, id }, operation, row, values: change.values };
  const next = data.updatedRow(row, change);
  const values = await own.beforeUpdate(transaction, { ...asked, next, fixed });
  await requireReferences(scope, { id, values });
  await data.updateHeld(transaction, { ...change, values });
  await own.afterUpdate(transaction, { ...asked, values });
}

/** Returns the row; null if it is no longer visible or no longer meets the rule. */
async function heldRow(
  { data, transaction }: RecordScope,
  { firewall, id, rule }: RowKey & { readonly rule: RowRule | null },
): Promise<StoredRow | null> {
  const row = await data.selectStored(transaction, { firewall, id });
  if (row === null || rule === null) return row;
  const [holds] = await data.judgeRows(transaction, { rule, rows: [row], firewall });
  return holds === true ? row : null;
}

/**
 * Replaces or creates a record; returns true if it is new. If a record that the caller cannot see has the id, the insert is
 * refused because the id is taken. Throws `ConstraintError`.
 */
export async function replaceRecord(
  scope: RecordScope,
  replacement: NewRecord & Pick<ChangedRecord, "isJudged">,
): Promise<boolean> {
  const { data, transaction } = scope;
  const { firewall } = replacement;
  if (!replacement.isJudged) await requireReferences(scope, replacement);
  const isJudged = true;
  if (await replaceStanding(scope, { ...replacement, operation: "update", isJudged })) return false;
  requireNewRow(data, replacement.rule, replacement);
  await insertingDrawn(transaction, firewall.table, async (part) => {
    await insertRecord(scopeWithin(scope, part), replacement, { isJudged });
  });
  return true;
}

/** Deletes a record, softly or permanently. Returns false if the record is missing, hidden, or no longer meets its rule. */
export async function deleteRecord(
  scope: RecordScope,
  { firewall, id, stamps, rule }: RowKey & Pick<Deletions, "stamps" | "rule">,
): Promise<boolean> {
  const { transaction, hooks } = scope;
  const own = hooks?.runs("delete") ? hooks : null;
  const row = own ? await heldRow(scope, { firewall, id, rule }) : null;
  if (own && row === null) return false;
  const asked = row && { key: { firewall, id }, row };
  if (own && asked) await own.beforeDelete(transaction, asked);
  const cascaded = own ? new Map<string, number>() : undefined;
  const deleted = await removeRows(scope, { firewall, ids: [id], stamps, rule, cascaded });
  if (deleted.size === 0) return false;
  if (own && asked && cascaded) await own.afterDelete(transaction, { ...asked, cascaded });
  return true;
}

/** Deletes rows, softly or permanently as the table's resource declares; returns the ids of those that were still visible. */
export function removeRows(
  { data, resource, transaction }: Pick<RecordScope, "data" | "resource" | "transaction">,
  deletion: Deletions,
): Promise<ReadonlySet<SqlValue>> {
  const mode = resource?.delete?.mode;
  const isHard = mode === undefined ? !deletion.firewall.table.softDelete : mode === "hard";
  return isHard
    ? data.hardDeleteRows(transaction, deletion)
    : data.softDeleteRows(transaction, deletion);
}

/** Restores a record; the author's hooks run as for an update. */
export async function restoreRecord(
  scope: RecordScope,
  restoration: Omit<Restoration, "values">,
): Promise<"restored" | "gone" | "parentDeleted"> {
  const { data, transaction, hooks } = scope;
  const own = hooks?.runs("update") ? hooks : null;
  if (own === null) return await data.restoreRow(transaction, restoration);
  const { firewall, id, row, stamps } = restoration;
  const stamped = ["deletedAt", "deletedBy"].filter((name) => row.has(name));
  const living = new Map(stamped.map((name) => [name, null]));
  const asked = { key: { firewall, id }, operation: "restore", row, values: NO_VALUES } as const;
  const next = data.updatedRow(row, { firewall, values: living, stamps });
  const values = await own.beforeUpdate(transaction, { ...asked, next, fixed: [] });
  await requireReferences(scope, { id, values });
  const outcome = await data.restoreRow(transaction, { ...restoration, values });
  if (outcome === "restored") await own.afterUpdate(transaction, { ...asked, values });
  return outcome;
}

const NO_VALUES: ColumnValues = new Map();

/** Maximum number of drawn ids. Short ids may collide in large tables; a few more draws make a failure negligible. */
const DRAWS_MAX = 5;

/**
 * Runs an insert under the client's id or a generated one (contract 4.1 rule 5). If `clientId` is null an id is drawn, and
 * drawn again while it is taken; the id is null if the database generates it.
 */
export async function withNewId<T>(
  { newId, table }: Pick<RecordScope, "newId" | "table">,
  clientId: SqlValue,
  insert: (id: SqlValue) => Promise<T>,
): Promise<T> {
  if (clientId !== null) return await insert(clientId);
  for (let draw = 1;; draw += 1) {
    try {
      return await insert(newId(table));
    } catch (error) {
      const isTaken = error instanceof ConstraintError && error.kind === "primaryKey";
      if (!isTaken || draw === DRAWS_MAX) throw error;
    }
  }
}
