/**
 * Makes the scoped form of a handler's INSERT: ids, scope, stamps and defaults are filled in, and conflicts stay within scope.
 */
import { columnNamed, storedColumns } from "../../../surface/mod.ts";
import { scopeOf } from "../../../column_types/mod.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { type ColumnModel, type IndexModel, sequenceOf } from "../../../model/mod.ts";
import { findColumn } from "../catalog.ts";
import { firewallSql } from "../conditions.ts";
import { isDrawn } from "../made_values.ts";
import { allOf, type Fragment, fragment } from "../sql.ts";
import {
  boundedValue,
  boundValueOf,
  fragmentOf,
  isNull,
  makesText,
  valueOf,
} from "./parsed_statement.ts";
import type { Conflict, InsertClauses, Run } from "./clauses.ts";
import { refuseConstruct } from "../../../lib/sql_tokens.ts";
import {
  assignmentsFor,
  givenValue,
  guardedValue,
  isStamped,
  scopeColumnValue,
  serviceValue,
  type Writing,
  writtenColumn,
} from "./written_values.ts";
import type { Target } from "./scope.ts";

/** Name of the table with the rows of `INSERT … SELECT` before they are filled in. */
const SOURCE = sqlIdentifier("quickback source");

export interface ScopedInsert {
  /** The tokens from `INSERT` up to and excluding `RETURNING`. */
  readonly body: Fragment;
  /** A common table expression that it needs; null: none. */
  readonly source: Fragment | null;
}

export function scopeInsert(
  writing: Writing,
  target: Target,
  clauses: InsertClauses,
): ScopedInsert {
  const given = clauses.columns.map((name) => writtenColumn(target, name));
  const { table } = target;
  const { source } = clauses;
  const columns = storedColumns(table);
  const rows = clauses.source.kind === "rows" ? clauses.source.rows : [];
  for (const column of given.filter(({ manager }) => manager === "computed")) {
    const isLeft = (row: readonly Run[]) => {
      const run = runOf(row, given, column.name);
      return run === null || isNull(writing.bound, run) ||
        boundValueOf(writing.bound, run) === null;
    };
    if (clauses.source.kind !== "rows" || !rows.every(isLeft)) {
      refuseConstruct(`"${target.table.name}.${column.name}"`, "is computed: leave it out");
    }
  }
  const names = columns.map((column) => sqlIdentifier(column.sqlName)).join(", ");
  const values = source.kind === "rows"
    ? rowsSql(
      source.rows.map((row) =>
        columns.map((column) =>
          newValue(writing, target, column, (name) => runOf(row, given, name))
        )
      ),
    )
    : selectedSql(
      columns.map((column) =>
        selectedValue(writing, target, { column, given, source: source.select })
      ),
    );
  const conflicts = clauses.conflicts.map((conflict) => conflictSql(writing, target, conflict));
  const parts = [values, ...conflicts];
  return {
    body: fragment(
      `INSERT INTO ${sqlIdentifier(table.sqlName)} (${names}) ${
        parts.map((part) => part.sql).join(" ")
      }`,
      ...parts.flatMap((part) => part.args),
    ),
    source: source.kind === "select" ? sourceSql(writing, given, source.select) : null,
  };
}

function runOf(row: readonly Run[], given: readonly ColumnModel[], name: string): Run | null {
  const at = given.findIndex((column) => column.name === name);
  if (row.length !== given.length) {
    refuseConstruct("VALUES", "must give one value for each of its columns");
  }
  return row[at] ?? null;
}

function newValue(
  writing: Writing,
  target: Target,
  column: ColumnModel,
  givenFor: (name: string) => Run | null,
): Fragment {
  const { bound } = writing;
  const run = givenFor(column.name);
  const scope = scopeOf(column.type);
  if (scope !== null) {
    return scopeColumnValue(writing, target, { column, kind: scope, given: run });
  }
  const organization = () => {
    const name = target.table.scope.organization;
    if (name === null) return null;
    const scoped = { column: columnNamed(name, target.table), kind: "organization" } as const;
    return scopeColumnValue(writing, target, { ...scoped, given: givenFor(name) });
  };
  if (column.name === target.table.primaryKey) {
    // The column is missing, or null.
    return run === null || isNull(writing.bound, run) ||
        boundValueOf(writing.bound, run) === null
      ? newKey(writing, target)
      : valueOf(bound, { value: run });
  }
  const isOmitted = run === null || isNull(bound, run);
  if (isOmitted && isDrawn(column)) return drawnValue(writing, target, column, organization);
  if (run === null || isStamped(column) || isOmitted) return serviceValue(writing, target, column);
  return guardedValue(
    writing,
    { target, column, organization },
    givenValue(writing, target, { column, run, isNew: true }),
  );
}

/** The row's organization, if it is known before the statement runs. */
function drawnValue(
  { drawn }: Writing,
  { table }: Target,
  column: ColumnModel,
  organization: () => Fragment | null,
): Fragment {
  const scope = sequenceOf(column)?.per === "organization" ? organization() : null;
  const [organizationId = null] = scope?.args ?? [];
  if (scope !== null && (scope.sql !== "?" || typeof organizationId !== "string")) {
    refuseConstruct(
      `"${table.name}.${column.name}"`,
      "is numbered by organization: give the row's organization as a bound value",
    );
  }
  const place = new Uint8Array();
  drawn.push({
    place,
    table,
    column,
    organizationId: typeof organizationId === "string" ? organizationId : null,
  });
  return { sql: "?", args: [place] };
}

function newKey({ newId }: Writing, { table }: Target): Fragment {
  if (table.idStrategy === false) {
    refuseConstruct(
      `"${table.name}.${table.primaryKey}"`,
      "must be given: the project makes no ids",
    );
  }
  return fragment("?", newId(table));
}

function rowsSql(rows: readonly (readonly Fragment[])[]): Fragment {
  const texts = rows.map((row) => `(${row.map((value) => value.sql).join(", ")})`);
  return fragment(`VALUES ${texts.join(", ")}`, ...rows.flat().flatMap((value) => value.args));
}

function selectedSql(values: readonly Fragment[]): Fragment {
  // Without a WHERE SQLite would parse ON CONFLICT as a join's condition.
  return fragment(
    `SELECT ${values.map((value) => value.sql).join(", ")} FROM ${SOURCE} WHERE true`,
    ...values.flatMap((value) => value.args),
  );
}

function selectedValue(
  writing: Writing,
  target: Target,
  { column, given, source }: {
    readonly column: ColumnModel;
    readonly given: readonly ColumnModel[];
    readonly source: Run;
  },
): Fragment {
  const scope = scopeOf(column.type);
  if (scope !== null) {
    return scopeColumnValue(writing, target, { column, kind: scope, given: null });
  }
  const isGiven = given.includes(column);
  if (!isGiven && column.name === target.table.primaryKey) {
    refuseConstruct("INSERT … SELECT", "must select the ids of the new rows");
  }
  if (!isGiven && isDrawn(column)) {
    refuseConstruct("INSERT … SELECT", `must select "${column.name}", which is made for each row`);
  }
  if (!isGiven || isStamped(column)) return serviceValue(writing, target, column);
  const value = fragment(`${SOURCE}.${sqlIdentifier(column.sqlName)}`);
  const isBounded = !makesText(writing.bound.tokens, source);
  const organization = () => {
    const name = target.table.scope.organization;
    if (name === null) return null;
    const scoped = { column: columnNamed(name, target.table), kind: "organization" } as const;
    return scopeColumnValue(writing, target, { ...scoped, given: null });
  };
  return guardedValue(
    writing,
    { target, column, organization },
    isBounded ? value : boundedValue(value),
  );
}

function sourceSql(writing: Writing, given: readonly ColumnModel[], select: Run): Fragment {
  const { sql, args } = fragmentOf(writing.bound, select);
  const names = given.map((column) => sqlIdentifier(column.sqlName)).join(", ");
  return fragment(`${SOURCE} (${names}) AS (${sql})`, ...args);
}

function conflictSql(writing: Writing, target: Target, conflict: Conflict): Fragment {
  const on = conflictTarget(writing, target, conflict);
  if (conflict.update === null) return fragment(`ON CONFLICT${on.sql} DO NOTHING`, ...on.args);
  const set = assignmentsFor(writing, target, conflict.update.set);
  const inScope = firewallSql(target.firewall, sqlIdentifier(target.table.sqlName));
  const { where } = conflict.update;
  const chosen = where === null ? [] : [parenthesized(fragmentOf(writing.bound, where))];
  const condition = allOf([...chosen, inScope]);
  return fragment(
    `ON CONFLICT${on.sql} DO UPDATE SET ${set.sql} WHERE ${condition.sql}`,
    ...on.args,
    ...set.args,
    ...condition.args,
  );
}

/**
 * Completes a conflict target. A column that is unique within its tenant names an index whose other column and condition an
 * author need not know.
 */
function conflictTarget(writing: Writing, target: Target, conflict: Conflict): Fragment {
  if (conflict.target === null) return fragment("");
  const names = writing.bound.tokens.slice(conflict.target.from, conflict.target.to).flatMap(
    (token, at, all) => {
      const isLast = all[at + 1] === undefined || all[at + 1]?.text === ",";
      return isLast ? [writtenColumn(target, token.value).name] : [];
    },
  );
  const index = conflict.targetWhere === null ? uniqueIndex(target, names) : null;
  const columns = (index?.columns ?? names).map((name) =>
    sqlIdentifier(findColumn(target.table, name)?.sqlName ?? name)
  );
  const live = index !== null && target.table.softDelete
    ? fragment(
      ` WHERE ${sqlIdentifier(findColumn(target.table, "deletedAt")?.sqlName ?? "")} IS NULL`,
    )
    : null;
  const where = conflict.targetWhere === null
    ? live ?? fragment("")
    : fragmentOf(writing.bound, conflict.targetWhere);
  const condition = conflict.targetWhere === null ? where.sql : ` WHERE (${where.sql})`;
  return fragment(` (${columns.join(", ")})${condition}`, ...where.args);
}

function uniqueIndex({ table }: Target, names: readonly string[]): IndexModel | null {
  const scope = table.scope.organization;
  return table.indexes.find(({ unique, columns }) => {
    const own = columns.filter((name) => name !== scope || names.includes(name));
    return unique && own.length === names.length && own.every((name) => names.includes(name));
  }) ?? null;
}

function parenthesized({ sql, args }: Fragment): Fragment {
  return { sql: `(${sql})`, args };
}
