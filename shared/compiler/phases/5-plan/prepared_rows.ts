/** Finds data steps that run before their migration, because they make rows fit it (definitions 1, `migrations/`). */
import { typeChange } from "../../../column_types/narrow_type.ts";
import type { SqlColumn, SqlTable } from "../../../model/mod.ts";
import { type Snapshot, tablesOf } from "../../migrations/snapshot.ts";
import { type SchemaNames, updatesOf } from "./read_script.ts";

/**
 * True for SQL that can run over the schema before its migration, and that updates a column which the migration restricts, or
 * which needs a value. After the migration it would come too late.
 */
export function runsBefore(text: string, before: Snapshot | null, after: Snapshot | null): boolean {
  if (before === null || after === null) return false;
  const old = tablesOf(before);
  const updates = updatesOf(text, namesIn(old));
  if (updates === null) return false;
  const judged = judgedColumns(old, tablesOf(after));
  return updates.some(({ table, column }) => judged.has(`${table}.${column}`));
}

/** Returns the tables' columns, by SQL name. */
export function namesIn(tables: readonly SqlTable[]): SchemaNames {
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}

/** Returns columns as `table.column`, in lower case, whose values the migration checks and does not change. */
function judgedColumns(
  before: readonly SqlTable[],
  after: readonly SqlTable[],
): ReadonlySet<string> {
  return new Set(after.flatMap((table) => {
    const old = before.find(({ name }) => name === table.name);
    return table.columns.flatMap((column) => {
      const former = old?.columns.find(({ name }) => name === column.name);
      return former && isJudged(former, column)
        ? [`${table.name}.${column.name}`.toLowerCase()]
        : [];
    });
  }));
}

function isJudged(before: SqlColumn, after: SqlColumn): boolean {
  if (after.notNull && !before.notNull && after.default === null) return true;
  if (!before.of || !after.of) return false;
  const change = typeChange(before.of, after.of, { isAccepted: false, isLossy: false });
  return change !== null && change.needsCheck && change.conversion.sql === null;
}
