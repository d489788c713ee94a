/**
 * All rows of one organization (definitions 7, "deleting an organization"): those of scoped tables, also soft-deleted ones,
 * rows that cannot exist without them, and the service's own. Every statement starts from rows of this organization, so no
 * other's are reached.
 */
import { sqlIdentifier as name } from "../../lib/sql_text.ts";
import type { ColumnModel, ProjectModel, ServiceTable, TableModel } from "../../model/mod.ts";
import { serviceRecordsOf } from "../../model/mod.ts";
import type { Reader, Statement, Transaction } from "../ports.ts";
import { childrenFirst, keyOf, ownedCondition } from "./owned_rows.ts";
import { fragment, jsonList } from "./sql.ts";

export interface OrganizationRows {
  /** True when a table of the project has a row of the organization. */
  hasRecords(reader: Reader, organizationId: string): Promise<boolean>;
  /** Changes a bounded number of rows. Returns false when nothing is left. */
  removeSome(transaction: Transaction, organizationId: string): Promise<boolean>;
}

/** Most rows of a step, because others wait for it. */
const ROWS_AT_ONCE = 500;

/** SQL in which every `?` is the organization. */
type Template = string;

export function organizationRowsOf(project: ProjectModel): OrganizationRows {
  const owned = ownedTables(project.tables);
  const scoped = project.tables.filter(({ scope }) => scope.organization !== null);
  const steps = [
    ...serviceSteps(project, owned),
    ...looseningSteps(project.tables, owned),
    ...[...owned].map(([table, condition]) => deletion(table, condition)),
  ];
  return {
    async hasRecords(reader, organizationId) {
      if (scoped.length === 0) return false;
      const found = scoped.map((table) =>
        `EXISTS (SELECT 1 FROM ${name(table.sqlName)} WHERE ${scopeCondition(table)})`
      );
      const { rows } = await reader.run(
        bound(`SELECT ${found.join(" OR ")}`, organizationId),
      );
      return rows[0]?.[0] === 1;
    },
    async removeSome(transaction, organizationId) {
      for (const step of steps) {
        if ((await transaction.run(bound(step, organizationId))).changes > 0) return true;
      }
      return false;
    },
  };
}

function bound(sql: Template, organizationId: string): Statement {
  return { sql, args: Array.from(sql.matchAll(/\?/g), () => organizationId) };
}

/** Returns the tables, children before parents, with the condition for the organization's rows. */
function ownedTables(tables: readonly TableModel[]): ReadonlyMap<TableModel, Template> {
  const conditions = new Map<TableModel, Template>();
  for (const table of tables) {
    if (table.scope.organization !== null) conditions.set(table, scopeCondition(table));
  }
  // A row with a required reference to one of them cannot outlive it.
  for (let known = -1; known < conditions.size;) {
    known = conditions.size;
    for (const table of tables.filter((one) => !conditions.has(one))) {
      const needed = relationsOf(table, tables).filter(({ column, parent }) =>
        !column.nullable && conditions.has(parent)
      );
      if (needed.length > 0) {
        conditions.set(
          table,
          needed.map((relation) => pointsInto(relation, conditions)).join(" OR "),
        );
      }
    }
  }
  const owned = [...conditions.keys()];
  const ordered: TableModel[] = [];
  const seen = new Set<TableModel>();
  const visit = (table: TableModel) => {
    if (seen.has(table)) return;
    seen.add(table);
    for (const child of owned) {
      const refers = relationsOf(child, tables).some(({ parent }) => parent === table);
      if (refers) visit(child);
    }
    ordered.push(table);
  };
  owned.forEach(visit);
  return new Map(ordered.map((table) => [table, conditions.get(table) ?? "0"]));
}

function scopeCondition(table: TableModel): Template {
  return `${columnName(table, table.scope.organization ?? "")} = ?`;
}

interface Relation {
  readonly table: TableModel;
  readonly column: ColumnModel;
  readonly parent: TableModel;
  readonly parentColumn: string;
}

function relationsOf(table: TableModel, tables: readonly TableModel[]): readonly Relation[] {
  return table.columns.flatMap((column) => {
    const { references } = column;
    const parent = tables.find((one) => one.name === references?.table);
    if (references === null || parent === undefined) return [];
    return [{ table, column, parent, parentColumn: columnName(parent, references.column) }];
  });
}

function pointsInto(
  { column, parent, parentColumn }: Relation,
  conditions: ReadonlyMap<TableModel, Template>,
): Template {
  const inner = `SELECT ${parentColumn} FROM ${name(parent.sqlName)}`;
  return `${name(column.sqlName)} IN (${inner} WHERE ${conditions.get(parent) ?? "0"})`;
}

/** Returns statements that clear optional references: in rows that stay, and in circles of tables. */
function looseningSteps(
  tables: readonly TableModel[],
  owned: ReadonlyMap<TableModel, Template>,
): readonly Template[] {
  const order = [...owned.keys()];
  return tables.flatMap((table) =>
    relationsOf(table, tables).filter(({ column, parent }) => {
      const isOrdered = order.indexOf(table) < order.indexOf(parent);
      return column.nullable && owned.has(parent) && !(owned.has(table) && isOrdered);
    }).map((relation) => {
      const column = name(relation.column.sqlName);
      const rows = someOf(table, pointsInto(relation, owned));
      return `UPDATE ${name(table.sqlName)} SET ${column} = NULL WHERE ${rows}`;
    })
  );
}

/** Returns a deletion. Rows of a tree with a required parent are deleted from the leaves. */
function deletion(table: TableModel, condition: Template): Template {
  const key = columnName(table, table.primaryKey);
  const inside = table.columns.filter(({ nullable, references }) =>
    !nullable && references?.table === table.name
  ).map((column) => {
    const parent = columnName(table, column.references?.column ?? "");
    return ` AND NOT EXISTS (SELECT 1 FROM ${name(table.sqlName)} AS "c" WHERE "c".${
      name(column.sqlName)
    } = ${name(table.sqlName)}.${parent} AND "c".${key} <> ${name(table.sqlName)}.${key})`;
  });
  return `DELETE FROM ${name(table.sqlName)} WHERE ${
    someOf(table, `(${condition})${inside.join("")}`)
  }`;
}

function someOf(table: TableModel, condition: Template): Template {
  const key = columnName(table, table.primaryKey);
  return `${key} IN (SELECT ${key} FROM ${
    name(table.sqlName)
  } WHERE ${condition} LIMIT ${ROWS_AT_ONCE})`;
}

function columnName(table: TableModel, column: string): string {
  const found = table.columns.find((one) => one.name === column);
  if (!found) throw new Error(`Table "${table.name}" has no column "${column}"`);
  return name(found.sqlName);
}

/** Returns statements for the service's rows as their records say. */
function serviceSteps(
  project: ProjectModel,
  owned: ReadonlyMap<TableModel, Template>,
): readonly Template[] {
  const owners = {
    named: (column: string) => `${column} = ?`,
    ofRecord(column: string, table: string) {
      const parent = project.tables.find((one) => one.name === table);
      const condition = parent && owned.get(parent);
      if (!parent || condition === undefined) return null;
      const key = columnName(parent, parent.primaryKey);
      return `${column} IN (SELECT ${key} FROM ${name(parent.sqlName)} WHERE ${condition})`;
    },
  };
  return childrenFirst(serviceRecordsOf(project)).flatMap((record) => {
    const condition = ownedCondition(record, owners);
    if (condition === null || record.onPurge === "keep") return [];
    return record.onPurge === "delete"
      ? [`DELETE FROM ${name(record.table.name)} WHERE ${someRows(record, condition)}`]
      : [erasure(record, condition)];
  });
}

/** Returns an update that clears all nullable columns of rows that still have values in them. */
function erasure(record: ServiceTable, condition: Template): Template {
  const { name: table, columns } = record.table;
  const erased = columns.filter(({ notNull }) => !notNull).map((column) => name(column.name));
  const isFull = erased.map((column) => `${column} IS NOT NULL`).join(" OR ");
  return `UPDATE ${name(table)} SET ${erased.map((column) => `${column} = NULL`).join(", ")}
    WHERE ${someRows(record, `${condition} AND (${isFull})`)}`;
}

function someRows(record: ServiceTable, condition: Template): Template {
  const key = keyOf(record);
  const { name: table } = record.table;
  return `${key} IN (SELECT ${key} FROM ${name(table)} WHERE ${condition} LIMIT ${ROWS_AT_ONCE})`;
}

/** Returns the id of the organization with this slug; null: none. */
export function organizationOfSlug(reader: Reader, slug: string): Promise<string | null> {
  return idIn(reader, `SELECT "id" FROM "auth_organization" WHERE "slug" = ?`, slug);
}

/** Returns the organization of an invitation; null: none. */
export function organizationOfInvitation(reader: Reader, id: string): Promise<string | null> {
  return idIn(reader, `SELECT "organization_id" FROM "auth_invitation" WHERE "id" = ?`, id);
}

async function idIn(reader: Reader, sql: string, named: string): Promise<string | null> {
  const { rows: [row] } = await reader.run({ sql, args: [named] });
  const id = row?.[0];
  return typeof id === "string" ? id : null;
}

/** Returns an organization; null: it does not exist. */
export async function organizationNamed(
  reader: Reader,
  id: string,
): Promise<{ readonly name: string; readonly slug: string } | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "name", "slug" FROM "auth_organization" WHERE "id" = ?`,
    args: [id],
  });
  return row ? { name: String(row[0]), slug: String(row[1]) } : null;
}

/** True for a member of an organization, read within a transaction (contract 5.1). */
export async function isMember(
  reader: Reader,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const { rows } = await reader.run(fragment(
    `SELECT 1 FROM auth_member WHERE organization_id = ? AND user_id = ?`,
    organizationId,
    userId,
  ));
  return rows.length > 0;
}

/** Returns those users who belong to the organization. */
export async function membersAmong(
  reader: Reader,
  { userIds, organizationId }: {
    readonly userIds: readonly string[];
    readonly organizationId: string;
  },
): Promise<ReadonlySet<string>> {
  const { rows } = await reader.run(fragment(
    `SELECT user_id FROM auth_member
      WHERE organization_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
    organizationId,
    jsonList(userIds),
  ));
  return new Set(rows.map(([userId]) => String(userId)));
}

const ORGANIZATIONS_AT_ONCE = 500;

/** Yields the ids of all organizations in order, page by page. `next` returns those after one. */
export async function* organizationPages(
  next: (after: string, limit: number) => Promise<readonly string[]>,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let ids = await next("", ORGANIZATIONS_AT_ONCE); ids.length > 0;) {
    yield ids;
    ids = await next(ids.at(-1) ?? "", ORGANIZATIONS_AT_ONCE);
  }
}

/** Returns ids of organizations after `after`, in order. */
export async function selectOrganizations(
  reader: Reader,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await reader.run(
    fragment(`SELECT id FROM auth_organization WHERE id > ? ORDER BY id LIMIT ?`, after, limit),
  );
  return rows.map(([id]) => String(id));
}
