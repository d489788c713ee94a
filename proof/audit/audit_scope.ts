/**
 * Facts by which one use of a table in a statement is audited: about the project, the caller, and the rows that the request has
 * met so far.
 */
import type {
  FirewallPredicate,
  Principal,
  TableModel,
  TenantOfModel,
} from "../../shared/model/mod.ts";
import type { AuditedRules, RuleScope } from "./held_rules.ts";
import type { KnownRows } from "./known_rows.ts";
import type { BoundSql, SqlTexts } from "./sql_texts.ts";
import type { RecordedStatement } from "./statement_record.ts";
import type { TableUse } from "./table_uses.ts";

/** Facts about a project, by SQL names in lower case. */
export interface AuditedSchema {
  readonly texts: SqlTexts;
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Tables of the service. */
  readonly service: ReadonlySet<string>;
  /** Indexed tables by the tables of their full-text index. */
  readonly indexes: ReadonlyMap<string, IndexedTable>;
  /** Tables whose rows are deleted permanently. */
  readonly removable: ReadonlySet<string>;
  readonly rules: AuditedRules;
}

/** Table that a full-text index covers. */
export interface IndexedTable {
  /** SQL name of the table in lower case. */
  readonly table: string;
  /** Table that numbers the tenants, and the column with the tenant of a row; null: the index has none. */
  readonly tenants: { readonly table: string; readonly column: string } | null;
}

export interface AuditScope {
  readonly schema: AuditedSchema;
  readonly caller: Principal;
  /** Kinds of predicates that need not bind, because the action declares it or because a job runs. */
  readonly lifted: readonly Lifted[];
  /** Reason under which lifted predicates are reported. */
  readonly lift: "unsafe" | "job";
  readonly restorable: Restorable;
  /** Way in which the running action finds its tenant; null: the caller determines it. */
  readonly tenantOf: TenantOfModel | null;
  readonly known: KnownRows;
}

/** Kinds of predicates, or all rules over rows. */
export type Lifted = FirewallPredicate["kind"];

/** Tables whose soft-deleted rows the request may use, because its caller may restore them. */
export interface Restorable {
  /** SQL names in lower case. */
  readonly tables: ReadonlySet<string>;
  /** True for a restoration: the statement may check whether parents are deleted, and nothing else. */
  readonly asksParents: boolean;
}

export interface Subject {
  readonly sql: BoundSql;
  readonly use: TableUse;
  readonly statement: RecordedStatement;
}

/** Predicate that the conditions of a use lack. */
export interface Missing {
  readonly predicate: FirewallPredicate;
  /** SQL name of the column; null: the predicate is a rule over rows. */
  readonly column: string | null;
}

/** Returns the scope in which rules over rows are audited. */
export function ruleScope(
  { schema: { rules }, caller, lifted, restorable, known }: AuditScope,
): RuleScope {
  const isRestorable = restorable.asksParents || restorable.tables.size > 0;
  return { rules, caller, lifted, isRestorable, stamps: known.stamps };
}
