/** What one use of a table in a statement is held to: facts about the project, its caller and what its request has met so far. */
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
  /** By the tables of a full-text index. */
  readonly indexes: ReadonlyMap<string, IndexedTable>;
  /** Tables whose rows are removed for good. */
  readonly removable: ReadonlySet<string>;
  readonly rules: AuditedRules;
}

/** The table that a full-text index is of. */
export interface IndexedTable {
  /** Its SQL name in lower case. */
  readonly table: string;
  /** Numbers of its tenants, and the column that says whose a row is; null: the index has none. */
  readonly tenants: { readonly table: string; readonly column: string } | null;
}

export interface AuditScope {
  readonly schema: AuditedSchema;
  readonly caller: Principal;
  /** Kinds of predicates that need not bind, for the action that runs, where it declares that, or for a job. */
  readonly lifted: readonly Lifted[];
  /** The reason that what is lifted is told under. */
  readonly lift: "unsafe" | "job";
  readonly restorable: Restorable;
  /** The way to the tenant of the action that runs; null: its caller says which it is. */
  readonly tenantOf: TenantOfModel | null;
  readonly known: KnownRows;
}

/** Kinds of predicates, or all rules over rows. */
export type Lifted = FirewallPredicate["kind"];

/** Tables whose soft-deleted rows the request may be about, as its caller may restore them. */
export interface Restorable {
  /** SQL names in lower case. */
  readonly tables: ReadonlySet<string>;
  /** It restores: parents are asked after whether they are deleted, and nothing else. */
  readonly asksParents: boolean;
}

export interface Subject {
  readonly sql: BoundSql;
  readonly use: TableUse;
  readonly statement: RecordedStatement;
}

/** What a use does not say. */
export interface Missing {
  readonly predicate: FirewallPredicate;
  /** SQL name; null: it is a rule. */
  readonly column: string | null;
}

/** The same for rules over rows. */
export function ruleScope(
  { schema: { rules }, caller, lifted, restorable, known }: AuditScope,
): RuleScope {
  const isRestorable = restorable.asksParents || restorable.tables.size > 0;
  return { rules, caller, lifted, isRestorable, stamps: known.stamps };
}
