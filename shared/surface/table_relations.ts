/** The names under which `db.query` reaches what belongs to a row, from the foreign keys (definitions 5). */
import type { TableModel } from "../model/table.ts";

export interface TableRelation {
  /** Unique in its table, and no column's name. */
  readonly name: string;
  /** `one` follows the table's own foreign key, `many` the other table's. */
  readonly kind: "one" | "many";
  /** The other table. */
  readonly table: string;
  /** The foreign key's column, and what it refers to. */
  readonly column: string;
  readonly references: string;
  /** The same at both ends. */
  readonly key: string;
}

/** By table, sorted by name: `customerId` leads to `customer`, and back to `tickets`. */
export function tableRelations(
  tables: readonly TableModel[],
): ReadonlyMap<string, readonly TableRelation[]> {
  const keys = tables.flatMap(foreignKeys);
  return new Map(tables.map((table) => {
    const columns = table.columns.map(({ name }) => name);
    const own = keys.filter(({ child }) => child === table.name).map(one);
    const others = keys.filter(({ parent }) => parent === table.name).map((key) => many(key, keys));
    return [table.name, distinct([...own, ...others], columns)];
  }));
}

interface ForeignKey {
  readonly child: string;
  readonly parent: string;
  readonly column: string;
  readonly references: string;
}

function foreignKeys({ name, columns }: TableModel): readonly ForeignKey[] {
  return columns.flatMap(({ name: column, references }) =>
    references === null
      ? []
      : [{ child: name, parent: references.table, column, references: references.column }]
  );
}

function one({ child, parent, column, references }: ForeignKey): TableRelation {
  const name = column.length > 2 && column.endsWith("Id") ? column.slice(0, -2) : `${column}Row`;
  return { name, kind: "one", table: parent, column, references, key: `${child}.${column}` };
}

/** The child's name; with the column's where it refers to the same parent twice, or to itself. */
function many(
  { child, parent, column, references }: ForeignKey,
  keys: readonly ForeignKey[],
): TableRelation {
  const isOnly = child !== parent &&
    keys.filter((key) => key.child === child && key.parent === parent).length === 1;
  const name = isOnly ? child : `${child}By${column.charAt(0).toUpperCase()}${column.slice(1)}`;
  return { name, kind: "many", table: child, column, references, key: `${child}.${column}` };
}

/** A name that is taken gets `Row` or `Rows`, and is left out where even that is. */
function distinct(
  relations: readonly TableRelation[],
  columns: readonly string[],
): readonly TableRelation[] {
  const taken = new Set(columns);
  return relations.flatMap((relation) => {
    const longer = `${relation.name}${relation.kind === "one" ? "Row" : "Rows"}`;
    const name = [relation.name, longer].find((candidate) => !taken.has(candidate));
    if (name === undefined) return [];
    taken.add(name);
    return [{ ...relation, name }];
  }).sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
