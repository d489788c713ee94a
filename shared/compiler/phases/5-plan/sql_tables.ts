/** Turns the tables of a model into tables of SQL. */
import { serviceTables } from "../../../model/mod.ts";
import type { ColumnModel, Condition, ProjectModel, SqlColumn } from "../../../model/mod.ts";
import type { SqlRollup, SqlTable, TableModel } from "../../../model/mod.ts";
import { columnNamed, expressionSql, indexedColumns, madeVectorOf } from "../../../surface/mod.ts";
import { waitingIndexName, waitingSql } from "../../../surface/mod.ts";
import { storageOf, stored as storedValue } from "../../../column_types/mod.ts";
import type { Scalar } from "../../../contract/mod.ts";
import { sqlIdentifier, sqlString } from "../../../lib/sql_text.ts";
import { heldType } from "../../../column_types/convert_type.ts";
import { compareText } from "../../../lib/texts.ts";

/** Current time in SQL, in the same format that the runtime stamps. */
export const NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))";

export function sqlNameOf(table: TableModel, column: string): string {
  const found = table.columns.find((candidate) => candidate.name === column);
  if (!found) throw new Error(`Column '${column}' is not in table '${table.name}' of the model`);
  return found.sqlName;
}

function searchOf(table: TableModel, { resources }: ProjectModel): Pick<SqlTable, "search"> {
  const search = resources.find((resource) => resource.table === table.name)?.search;
  if (!search) return {};
  const key = sqlNameOf(table, table.primaryKey);
  const tenant = search.tenant === undefined ? {} : { tenant: sqlNameOf(table, search.tenant) };
  return { search: { key, columns: [...indexedColumns(search, table)], ...tenant } };
}

/** Joins conditions into parts such as `["", ".a IS NULL AND ", ".b = 1"]`; the row's name goes between the parts. */
function joinedParts(
  conditions: readonly (readonly [readonly string[], string])[],
): readonly string[] {
  return conditions.reduce<readonly string[]>((parts, [[, cell = ""], rest], at) => {
    const before = at === 0 ? [""] : [...parts.slice(0, -1), `${parts.at(-1)} AND `];
    return [...before, `${cell}${rest}`];
  }, []);
}

const SIGNS = {
  lessThan: "<",
  greaterThan: ">",
  lessThanOrEqual: "<=",
  greaterThanOrEqual: ">=",
} as const;

/**
 * Returns a condition as SQL that agrees with the conditions of rules: null is a value like others, and is neither less nor
 * more than any.
 */
function conditionSql({ column, operator, operand }: Condition, table: TableModel): string {
  const { type } = columnNamed(column, table);
  const literal = (value: Scalar) => {
    const stored = value === null ? null : storageOf(type, table).operand(value);
    if (stored === undefined) throw new Error(`Column '${column}' never has such a value`);
    return stored === null
      ? "NULL"
      : typeof stored === "string"
      ? sqlString(stored)
      : String(stored);
  };
  const values = operand.kind === "literals"
    ? operand.values
    : operand.kind === "literal"
    ? [operand.value]
    : [];
  const [one = null] = values;
  switch (operator) {
    case "equals":
      return ` IS ${literal(one)}`;
    case "notEquals":
      return ` IS NOT ${literal(one)}`;
    case "in":
    case "notIn": {
      const known = values.filter((value) => value !== null).map(literal).join(", ");
      const isKnown = operator === "in" ? `IN (${known})` : `NOT IN (${known})`;
      const isNull = values.includes(null) === (operator === "in");
      // The row's value precedes this text; coalesce() would need it twice.
      return isNull ? ` ${isKnown} IS NOT 0` : ` ${isKnown} IS 1`;
    }
    default:
      return ` ${SIGNS[operator]} ${literal(one)} IS 1`;
  }
}

function rollupsOf(
  table: TableModel,
  tables: ReadonlyMap<string, TableModel>,
): Pick<SqlTable, "rollups"> {
  const rollups = table.columns.flatMap((column): SqlRollup[] => {
    const { rollup } = column;
    const child = rollup && tables.get(rollup.table);
    if (!rollup || !child) return [];
    const cell = (name: string) => `.${sqlIdentifier(sqlNameOf(child, name))}`;
    const conditions = [
      ...(child.softDelete ? [[["", cell("deletedAt")], " IS NULL"] as const] : []),
      ...rollup.where.map((condition) =>
        [["", cell(condition.column)], conditionSql(condition, child)] as const
      ),
    ];
    const digits = storageOf(column.type).decimal?.precision;
    return [{
      column: column.sqlName,
      table: child.sqlName,
      foreignKey: sqlNameOf(child, rollup.foreignKey),
      key: sqlNameOf(table, table.primaryKey),
      fn: rollup.fn,
      source: rollup.column === null ? null : ["", cell(rollup.column)],
      counts: conditions.length === 0 ? ["1"] : joinedParts(conditions),
      limit: rollup.fn !== "sum"
        ? null
        : digits === undefined
        ? String(Number.MAX_SAFE_INTEGER)
        : "9".repeat(digits),
    }];
  });
  return rollups.length === 0 ? {} : { rollups };
}

/** Returns indexes for the rows that wait for their vector, which are few among many. */
function waitingIndexes(table: TableModel): SqlTable["indexes"] {
  const vector = madeVectorOf(table);
  if (vector === null) return [];
  const columns = [sqlNameOf(table, table.primaryKey)];
  return [{ name: waitingIndexName(vector), columns, unique: false, where: waitingSql(vector) }];
}

function sqlMade({ default: value }: ColumnModel, table: TableModel): SqlColumn["made"] {
  if (value?.kind !== "made") return undefined;
  if (value.value.kind !== "sequence") return value.value;
  const { per, ...form } = value.value;
  const { organization } = table.scope;
  const isApart = per === "organization" && organization !== null;
  return { ...form, organization: isApart ? sqlNameOf(table, organization) : null };
}

function sqlDefault(column: ColumnModel): string | null {
  const value = column.default;
  if (column.rollup) return column.nullable ? null : "0";
  if (value === null) {
    const byType = storageOf(column.type).default;
    return byType === null ? null : String(byType);
  }
  if (value.kind === "now") return NOW;
  if (value.kind === "made") return null;
  const stored = storedValue(column, value.value);
  if (stored === null) return null;
  return typeof stored === "string" ? sqlString(stored) : String(stored);
}

/**
 * Returns a foreign key in SQL. Without a declared `onDelete` the database refuses to delete the parent; the runtime handles
 * children (contract 3.1).
 */
function sqlReference(
  relation: NonNullable<ColumnModel["references"]>,
  tables: ReadonlyMap<string, TableModel>,
): NonNullable<SqlColumn["references"]> {
  const target = tables.get(relation.table);
  if (!target) throw new Error(`Table '${relation.table}' of a reference is not in the model`);
  return {
    table: target.sqlName,
    column: sqlNameOf(target, relation.column),
    onDelete: relation.onDelete ?? "no action",
  };
}

/** Returns all tables of a project's database, the service's own included, sorted by name. */
export function sqlTables(project: ProjectModel): readonly SqlTable[] {
  const tables = new Map(project.tables.map((table) => [table.name, table]));
  return [
    ...serviceTables(project),
    ...project.tables.map((table) => ({
      name: table.sqlName,
      columns: table.columns.map((column) => {
        const primaryKey = column.name === table.primaryKey;
        const serial = primaryKey && table.idStrategy === "serial";
        return {
          name: column.sqlName,
          type: storageOf(column.type, table).declared ?? storageOf(column.type, table).sql,
          // SQLite cannot add a computed column that is not null.
          notNull: primaryKey || (!column.nullable && column.computed === undefined),
          primaryKey,
          autoIncrement: serial,
          default: sqlDefault(column),
          references: column.references && sqlReference(column.references, tables),
          json: storageOf(column.type).mode === "json",
          decimal: storageOf(column.type).decimal ?? undefined,
          of: heldType(column.type, table),
          made: sqlMade(column, table),
          generated: column.computed && expressionSql(
            column.computed,
            (name) => sqlIdentifier(sqlNameOf(table, name)),
          ),
        };
      }),
      indexes: [
        ...waitingIndexes(table),
        ...table.indexes.map((index) => {
          // Values are unique among living rows (definitions 7).
          const live = index.unique && table.softDelete;
          return {
            name: index.name,
            columns: index.columns.map((name) => sqlNameOf(table, name)),
            unique: index.unique,
            where: live ? `${sqlIdentifier(sqlNameOf(table, "deletedAt"))} IS NULL` : null,
          };
        }),
      ]
        .sort((a, b) => compareText(a.name, b.name)),
      ...searchOf(table, project),
      ...rollupsOf(table, tables),
    })),
  ].sort((a, b) => compareText(a.name, b.name));
}
