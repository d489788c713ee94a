/**
 * A handler's statement as it runs (contract 4.4 rule 3). Reads go through the scoped forms of the tables; writes carry the
 * written table's predicates and stamps. Every statement of a handler passes here as final text.
 */
import { columnNamed } from "../../../surface/mod.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { Statement } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { firewallSql, liveSql } from "../conditions.ts";
import { allOf, type Fragment, fragment } from "../sql.ts";
import { deletionOf } from "../stamps.ts";
import { fragmentOf, makesText } from "./parsed_statement.ts";
import type { DeleteClauses, Run, StatementClauses, UpdateClauses } from "./clauses.ts";
import { type ScopedInsert, scopeInsert } from "./scope_insert.ts";
import { refuseConstruct } from "../../../lib/sql_tokens.ts";
import { hasListedKeys, scopedForms, type Target, withClause } from "./scope.ts";
import { assignmentsFor, type Writing } from "./written_values.ts";

interface ScopedWrite extends Target {
  readonly kind: "insert" | "update" | "delete";
  /** True for a delete that stamps. */
  readonly isSoft: boolean;
}

export interface ScopedStatement {
  readonly statement: Statement;
  /** Null: it only reads. */
  readonly write: ScopedWrite | null;
  /** API names of columns returned after those the handler asked for. */
  readonly appended: readonly string[];
  /** Asks which rows a deletion will meet; null: it is none. */
  readonly removed: Statement | null;
  /** Adds an expression to the beginning of a SELECT. */
  readonly select:
    | { readonly head: (more: Fragment | null) => Fragment; readonly body: Fragment }
    | null;
}

/** Selects the columns of written rows that the service reads back. */
type Wanted = (write: ScopedWrite) => readonly string[];

export function scopeStatement(writing: Writing, wanted: Wanted): ScopedStatement {
  const { clauses } = writing.bound;
  if (clauses.kind === "select") {
    const body = fragmentOf(writing.bound, clauses.body);
    return finished(writing, { ctes: clauses.ctes, body, write: null, appended: [] });
  }
  const name = clauses.table.value;
  const table = writing.index.tables.get(name);
  if (!table) refuseConstruct(`"${name}"`, "is no table of the project that a handler may write");
  const firewall = writing.scope.firewallOf(table);
  // Without an organization a write could reach no row, and would look like one that found none.
  if (firewall.organizationId === null) {
    if (firewall.predicates.some(({ kind }) => kind === "organization")) refuse("ACCESS_NO_ORG");
  }
  const target = { table, firewall };
  const isSoft = clauses.kind === "delete" && target.table.softDelete;
  const write: ScopedWrite = { ...target, kind: clauses.kind, isSoft };
  const { body, source } = bodyOf(writing, write, clauses);
  const appended = wanted(write);
  const returning = returningSql(writing, write, clauses.returning, appended);
  return finished(writing, {
    ctes: clauses.ctes,
    source,
    removed: clauses.kind === "delete" ? removedSql(writing, write, clauses.where) : null,
    body: fragment(`${body.sql}${returning.sql}`, ...body.args, ...returning.args),
    write,
    appended,
  });
}

function bodyOf(
  writing: Writing,
  write: ScopedWrite,
  clauses: Exclude<StatementClauses, { kind: "select" }>,
): ScopedInsert {
  switch (clauses.kind) {
    case "insert":
      return scopeInsert(writing, write, clauses);
    case "update":
      return { body: updateSql(writing, write, clauses), source: null };
    case "delete":
      return { body: deleteSql(writing, write, clauses), source: null };
  }
}

function updateSql(writing: Writing, target: Target, clauses: UpdateClauses): Fragment {
  const set = assignmentsFor(writing, target, clauses.set);
  const from = clauses.from === null ? null : fragmentOf(writing.bound, clauses.from);
  const where = chosenRows(writing, target, clauses.where);
  const source = from === null ? "" : ` FROM ${from.sql}`;
  return fragment(
    `UPDATE ${sqlIdentifier(target.table.sqlName)} SET ${set.sql}${source} WHERE ${where.sql}`,
    ...set.args,
    ...(from?.args ?? []),
    ...where.args,
  );
}

/** A table with soft deletion keeps its rows (see docs/decisions/scoped_db.md). */
function deleteSql(writing: Writing, write: ScopedWrite, clauses: DeleteClauses): Fragment {
  const name = sqlIdentifier(write.table.sqlName);
  const where = chosenRows(writing, write, clauses.where);
  if (!write.isSoft) return fragment(`DELETE FROM ${name} WHERE ${where.sql}`, ...where.args);
  const set = deletionOf(write.firewall, writing.stamps);
  const live = allOf([where, liveSql(write.firewall, name)]);
  return fragment(
    `UPDATE ${name} SET ${set.map(({ sql }) => sql).join(", ")} WHERE ${live.sql}`,
    ...set.flatMap(({ args }) => args),
    ...live.args,
  );
}

/** Names the table with its schema, so that no common table expression can replace it. */
function removedSql(writing: Writing, { table, firewall }: Target, given: Run | null): Fragment {
  const where = chosenRows(writing, { table, firewall }, given);
  const key = sqlIdentifier(columnNamed(table.primaryKey, table).sqlName);
  const name = sqlIdentifier(table.sqlName);
  return fragment(`SELECT ${name}.${key} FROM main.${name} WHERE ${where.sql}`, ...where.args);
}

/** Joins the handler's condition, in parentheses that it cannot leave, with the firewall. */
function chosenRows(writing: Writing, { table, firewall }: Target, where: Run | null): Fragment {
  const name = sqlIdentifier(table.sqlName);
  const inScope = firewallSql(
    firewall,
    hasListedKeys(table, writing.bound.listed) ? `+${name}` : name,
  );
  if (where === null) return inScope;
  const { sql, args } = fragmentOf(writing.bound, where);
  return allOf([{ sql: `(${sql})`, args }, inScope]);
}

function returningSql(
  writing: Writing,
  write: ScopedWrite,
  run: Run | null,
  appended: readonly string[],
): Fragment {
  if (run !== null && makesText(writing.bound.tokens, run)) {
    refuseConstruct("RETURNING", "makes no texts: return columns, and make them in a SELECT");
  }
  const asked = run === null ? null : fragmentOf(writing.bound, run);
  const own = appended.map((name) => sqlIdentifier(columnNamed(name, write.table).sqlName));
  const list = [...(asked === null ? [] : [asked.sql]), ...own];
  if (list.length === 0) return fragment("");
  return fragment(` RETURNING ${list.join(", ")}`, ...(asked?.args ?? []));
}

function finished(
  writing: Writing,
  { ctes, source = null, removed = null, body, write, appended }: {
    readonly ctes: Run | null;
    readonly source?: Fragment | null;
    readonly removed?: Fragment | null;
    readonly body: Fragment;
    readonly write: ScopedWrite | null;
    readonly appended: readonly string[];
  },
): ScopedStatement {
  const mentioned = [...writing.bound.mentioned].flatMap((name) =>
    writing.index.tables.get(name) ?? []
  );
  const tables = [...new Set([...mentioned, ...writing.needed])].map((table) =>
    writing.scope.firewallOf(table)
  );
  const head = (more: Fragment | null) =>
    withClause([
      ...scopedForms(tables, writing.bound.listed),
      ...(ctes === null ? [] : [fragmentOf(writing.bound, ctes)]),
      ...(more === null ? [] : [more]),
    ]);
  const start = head(source);
  const whole = (rest: Fragment) => fragment(start.sql + rest.sql, ...start.args, ...rest.args);
  return {
    statement: whole(body),
    removed: removed && whole(removed),
    write,
    appended,
    select: write === null ? { head, body } : null,
  };
}
