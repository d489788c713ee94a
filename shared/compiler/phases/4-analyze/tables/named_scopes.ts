/** `firewall: { organization: {}, owner: { mode }, … }`, the older spelling (definitions 4.1). */
import { rulesOf, scopeOf } from "../../../../column_types/mod.ts";
import { SCOPE_COLUMNS, type ScopeKind } from "../../../../contract/fields.ts";
import { NAMED_SCOPES, OWNER_SCOPE, SCOPE } from "../../../../definition_language/rules.ts";
import type { FirewallPredicate } from "../../../../model/access.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { requireColumn } from "./analysis.ts";
import { type Fields, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, type Token } from "../read/reader.ts";
import type { ColumnDraft, TableDraft } from "./draft.ts";
import {
  type FirewallSource,
  notDeletedPredicate,
  scopeColumn,
  scopePredicate,
} from "./scope_predicates.ts";

/** Roles that `owner { mode: "optional" }` does not bind. */
const OWNER_EXCEPTIONS = ["admin", "owner"];

export function readNamedScopes(
  value: Value & { readonly kind: "object" },
  table: TableDraft,
  at: At,
): FirewallSource {
  const fields = readFields(value, NAMED_SCOPES, at);
  if (!fields) return { predicates: [], stamping: [], exception: null, isComplete: false };
  const exception = read(fields, "exception");
  const named = [...fields.entries.values()].filter((entry) => entry.key !== "exception");
  const predicates = named.map((entry) => readScope(entry, table, below(at, entry.key)));
  const known = predicates.filter((predicate) => predicate !== undefined);
  return {
    predicates: known,
    stamping: known,
    exception: exception ? fields.entries.get("exception")?.keyPlace ?? null : null,
    isComplete: known.length === predicates.length &&
      fields.entries.size === value.entries.length &&
      (exception === true || !fields.entries.has("exception")),
  };
}

function readScope(
  entry: ObjectEntry,
  table: TableDraft,
  at: At,
): FirewallPredicate | undefined {
  const owned = entry.key === "owner" ? readFields(entry.value, OWNER_SCOPE, at) : undefined;
  const fields = owned ?? readFields(entry.value, SCOPE, at);
  if (!fields) return undefined;
  const column = columnOf(entry, fields, table);
  const mode = owned && read(owned, "mode");
  if (!column?.type) return undefined;
  if (entry.key === "softDelete") return notDeleted(column, { fields, entry });
  if (scopeOf(column.type) === null && rulesOf(column.type).key !== "text") {
    const details = { column: column.name, scope: entry.key };
    at.report.add("SCOPE_COLUMN_TYPE", entry.keyPlace, details);
    return undefined;
  }
  const predicate = scopePredicate(scopeKind(entry.key), column.name);
  return mode === "optional" ? { ...predicate, exceptRoles: OWNER_EXCEPTIONS } : predicate;
}

function columnOf(
  entry: ObjectEntry,
  fields: Fields<(typeof SCOPE)["members"]>,
  table: TableDraft,
): ColumnDraft | undefined {
  const said = read(fields, "column");
  if (!said && fields.entries.has("column")) return undefined;
  const own = entry.key === "softDelete" ? undefined : scopeColumn(table, scopeKind(entry.key));
  if (!said && own) return own;
  const usual = entry.key === "softDelete" ? "deletedAt" : SCOPE_COLUMNS[scopeKind(entry.key)];
  const word: Token = said ?? { text: usual, place: entry.keyPlace };
  return requireColumn(word, table, fields.at.report);
}

/** The predicate for live rows: the time of their deletion is null. */
function notDeleted(
  column: ColumnDraft,
  { fields, entry }: { readonly fields: Fields; readonly entry: ObjectEntry },
): FirewallPredicate | undefined {
  if (column.type && rulesOf(column.type).isInstant) return notDeletedPredicate(column.name);
  const details = { column: column.name, scope: "softDelete" };
  fields.at.report.add("SCOPE_COLUMN_TYPE", entry.keyPlace, details);
  return undefined;
}

function scopeKind(key: string): ScopeKind {
  return key === "organization" || key === "team" ? key : "owner";
}
