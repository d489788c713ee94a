/** Adds the columns that every table has without declaring them, and checks declared ones that replace them (definitions 3). */
import { rulesOf, scopeOf } from "../../../../column_types/mod.ts";
import type { ScopeKind, SystemField } from "../../../../contract/mod.ts";
import { SCOPE_COLUMNS, SOFT_DELETE_FIELDS, SYSTEM_FIELDS } from "../../../../contract/mod.ts";
import type { ColumnType } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { At } from "../read/reader.ts";
import { isSystemField } from "./columns.ts";
import { type ColumnDraft, impliedColumn } from "./draft.ts";

interface Completion {
  /** Place of the table's name. It is the place of columns that the author did not write. */
  readonly place: Place;
  readonly softDelete: boolean;
  readonly at: At;
}

/** Returns the id first, declared columns in their order, and system columns last. */
export function completeColumns(
  declared: readonly ColumnDraft[],
  completion: Completion,
): ReadonlyMap<string, ColumnDraft> {
  // A plain text column under a scope's own name becomes that scope (contract 2.2).
  const scoped = declared.map((column) => {
    const scopes: readonly ScopeKind[] = ["organization", "owner", "team"];
    const scope = scopes.find((scope) => SCOPE_COLUMNS[scope] === column.name) ?? null;
    if (!scope || !column.type || scopeOf(column.type) !== null) return column;
    if (rulesOf(column.type).key !== "text" || column.references || column.optional) {
      completion.at.report.add("SCOPE_COLUMN_TYPE", column.place, { column: column.name, scope });
      return { ...column, type: null };
    }
    return asScope(column, scope);
  });
  const keys = scoped.filter((column) => column.primaryKey);
  for (const second of keys.slice(1)) {
    completion.at.report.add("PRIMARY_KEY_TWICE", second.place, { column: second.name });
  }
  const own = scoped.filter((column) => !column.primaryKey && !isSystemField(column.name));
  const columns = [
    keys[0] ?? impliedId(scoped, completion),
    ...own,
    ...SYSTEM_FIELDS.filter((name) =>
      completion.softDelete || !SOFT_DELETE_FIELDS.some((field) => field === name)
    )
      .map((name) => systemColumn(name, scoped.find((column) => column.name === name), completion)),
  ];
  return new Map(columns.flatMap((column) => column ? [[column.name, column] as const] : []));
}

/** Returns `id: q.id()` for a table without a key. */
function impliedId(
  declared: readonly ColumnDraft[],
  { place, at }: Completion,
): ColumnDraft | null {
  const taken = declared.find((column) => column.name === "id");
  if (taken) {
    if (taken.type) at.report.add("PRIMARY_KEY_TYPE", taken.place, { column: "id" });
    return null;
  }
  return impliedColumn("id", place, { type: { kind: "id" }, manager: "id", primaryKey: true });
}

function systemColumn(
  name: SystemField,
  declared: ColumnDraft | undefined,
  { place, at }: Completion,
): ColumnDraft {
  const type: ColumnType = name.endsWith("At")
    ? { kind: "timestamp" }
    : { kind: "text", maxLength: null, enum: null };
  if (declared?.type && declared.type.kind !== type.kind) {
    at.report.add("SYSTEM_COLUMN_TYPE", declared.place, { column: name, type: type.kind });
  }
  return impliedColumn(name, declared?.place ?? place, {
    type,
    manager: "system",
    required: name === "createdAt",
    sqlName: declared?.sqlName ?? null,
  });
}

/** Returns the column stamped by the service from the caller's context. */
export function asScope(column: ColumnDraft, scope: ScopeKind): ColumnDraft {
  return { ...column, type: { kind: "scope", scope }, manager: "scope", default: null };
}
