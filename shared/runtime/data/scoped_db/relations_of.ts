/** drizzle's relations of a project, from its foreign keys, for `db.query.<table>.findMany({ with })`. */
import { is, type Relation, Relations, relations, type Table } from "drizzle-orm";
import { getTableColumns, isTable } from "drizzle-orm";
import type { ColumnModel } from "../../../model/column.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { TableModel } from "../../../model/table.ts";

/** A schema with relations; where it declares some itself, those are all there are. */
export function withRelations(
  project: ProjectModel,
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (Object.values(schema).some((value) => is(value, Relations))) return schema;
  const tables = tablesOf(project, schema);
  const derived = [...tables].map(([name, table]) =>
    [`${name} relations`, relationsOf(project, { name, table, tables })] as const
  );
  return { ...schema, ...Object.fromEntries(derived) };
}

/** drizzle's tables by the name that the model has for them. */
export function tablesOf(
  project: ProjectModel,
  schema: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Table> {
  return new Map(project.tables.flatMap(({ name }) => {
    const table = Object.hasOwn(schema, name) ? schema[name] : undefined;
    return isTable(table) ? [[name, table] as const] : [];
  }));
}

interface Subject {
  readonly name: string;
  readonly table: Table;
  readonly tables: ReadonlyMap<string, Table>;
}

function relationsOf(project: ProjectModel, { name, table, tables }: Subject): Relations {
  return relations(table, ({ one, many }) => {
    const found = new Map<string, Relation>();
    for (const { column, from, parent } of keysOf(project)) {
      const parentTable = tables.get(parent);
      const childTable = tables.get(from.name);
      if (!parentTable || !childTable) continue;
      const relationName = `${from.name}.${column.name}`;
      if (from.name === name) {
        const own = getTableColumns(table)[column.name];
        const key = getTableColumns(parentTable)[column.references?.column ?? ""];
        if (own && key) {
          found.set(
            oneName(from, column),
            one(parentTable, { relationName, fields: [own], references: [key] }),
          );
        }
      }
      if (parent === name) {
        found.set(manyName(project, { from, column, parent }), many(childTable, { relationName }));
      }
    }
    return Object.fromEntries(found);
  });
}

interface ForeignKey {
  readonly from: TableModel;
  readonly column: ColumnModel;
  readonly parent: string;
}

function keysOf(project: ProjectModel): readonly ForeignKey[] {
  return project.tables.flatMap((from) =>
    from.columns.flatMap((column) =>
      column.references === null ? [] : [{ from, column, parent: column.references.table }]
    )
  );
}

/** `customerId` leads to `customer`; a column without the ending to `<column>Row`. */
function oneName(table: TableModel, { name }: ColumnModel): string {
  const short = name.length > 2 && name.endsWith("Id") ? name.slice(0, -2) : `${name}Row`;
  return table.columns.some((column) => column.name === short) ? `${short}Row` : short;
}

/** A child's name; with its column's where it refers to the same parent twice. */
function manyName(project: ProjectModel, { from, column, parent }: ForeignKey): string {
  const keys = keysOf(project).filter((key) => key.from === from && key.parent === parent);
  if (keys.length === 1 && from.name !== parent) return from.name;
  return `${from.name}_${column.name}`;
}
