/**
 * Finds the relations that rules may follow from one table to another, by the names that rules write
 * (docs/decisions/relations.md).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import type { RelatedColumn, RowPredicate, RowRelation } from "../../../../model/mod.ts";
import { columnsAsked } from "../../../../surface/mod.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Token } from "../read/reader.ts";
import { type Analysis, sqlNameOf, tableMeant } from "./analysis.ts";
import { idPrefixOf, idStrategyOf, primaryKeyOf, type TableDraft } from "./draft.ts";
import type { Relations } from "./relations.ts";

/** A table whose scopes are stamped, and its foreign keys. */
export interface RelatedTable {
  readonly table: TableDraft;
  readonly relations: Relations;
}

export interface RelationGraph {
  readonly analysis: Analysis;
  /** Tables by name. */
  readonly tables: ReadonlyMap<string, RelatedTable>;
}

/**
 * Returns an empty graph, for rules that are read before tables are linked or that belong to no table. They follow no relation.
 */
export function noRelations(analysis: Analysis): RelationGraph {
  return { analysis, tables: new Map() };
}

/** A relation, before it has conditions on its rows. */
export interface FoundRelation {
  readonly name: string;
  readonly direction: RowRelation["direction"];
  readonly target: RelatedTable;
  /** Columns of either side whose values are the same. */
  readonly own: string;
  readonly related: string;
  readonly tenant: RowRelation["tenant"];
}

type Way = Pick<FoundRelation, "direction" | "target" | "own" | "related">;

/** Returns a foreign key's name without `Id`; another name is unchanged. */
function parentName(column: string): string {
  return /.Id$/.test(column) ? column.slice(0, -2) : column;
}

/** Returns the relation to the row that a key refers to, under the key's name. */
function parentWay(name: string, from: RelatedTable, graph: RelationGraph): Way | undefined {
  for (const [column, relation] of from.relations) {
    if (parentName(column) !== name || (column !== name && from.table.columns.has(name))) continue;
    const target = graph.tables.get(relation.table);
    if (target) return { direction: "parent", target, own: column, related: relation.column };
  }
  return undefined;
}

/** Returns every foreign key that refers to the table, of other tables and its own, as `<table>.<column>`. */
function childWays(from: RelatedTable, graph: RelationGraph): ReadonlyMap<string, Way> {
  const ways = [...graph.tables.values()].flatMap((target) =>
    [...target.relations].flatMap(([column, relation]): [string, Way][] =>
      relation.table === from.table.name
        ? [[`${target.table.name}.${column}`, {
          direction: "children",
          target,
          own: relation.column,
          related: column,
        }]]
        : []
    )
  );
  return new Map(ways);
}

/** Returns every name that a rule of the table may follow. */
function knownNames(from: RelatedTable, graph: RelationGraph): readonly string[] {
  const parents = [...from.relations.keys()].map(parentName)
    .filter((name) => parentWay(name, from, graph));
  return [...parents, ...childWays(from, graph).keys()];
}

/** True for the name of a relation. In conditions this includes the name of a table that has a fitting key. */
export function namesRelation(name: string, from: RelatedTable, graph: RelationGraph): boolean {
  const ways = [...childWays(from, graph).keys()];
  return knownNames(from, graph).includes(name) ||
    ways.some((way) => way.startsWith(`${name}.`));
}

/** Returns the word with its table's own name, if it has the spelling of URLs. */
function ownName({ text, place }: Token, analysis: Analysis): string {
  const [written = "", ...column] = text.split(".");
  const table = tableMeant({ text: written, place }, analysis)?.name ?? written;
  return [table, ...column].join(".");
}

/**
 * Returns the relation that a word names; anything else is reported. With `takesTables`, a table's name refers to its only key.
 */
export function requireRelation(
  word: Token,
  from: RelatedTable,
  { graph, report, takesTables }: {
    readonly graph: RelationGraph;
    readonly report: Report;
    readonly takesTables: boolean;
  },
): FoundRelation | undefined {
  const { table } = from;
  const { place } = word;
  const text = ownName(word, graph.analysis);
  const children = childWays(from, graph);
  const fitting = [...children].filter(([name]) => name.startsWith(`${text}.`));
  const way = parentWay(text, from, graph) ?? children.get(text) ??
    (takesTables && fitting.length === 1 ? fitting[0]?.[1] : undefined);
  if (way) return tenantOf(text, way, { from, graph, report, place });
  if (!table.isComplete || graph.analysis.brokenFiles.size > 0) return undefined;
  const known = knownNames(from, graph);
  const isColumn = table.columns.has(text);
  const meant = isColumn && from.relations.has(text)
    ? parentName(text)
    : fitting.length === 1
    ? fitting[0]?.[0] ?? null
    : nearest(text, known);
  report.add("RELATION_UNKNOWN", place, {
    relation: text,
    table: table.name,
    isColumn,
    fitting: fitting.map(([name]) => name),
    nearest: meant,
    known,
  });
  return undefined;
}

/** Returns the relation with the scope that both sides share; a target without one is reported. */
function tenantOf(
  name: string,
  way: Way,
  { from, graph, report, place }: {
    readonly from: RelatedTable;
    readonly graph: RelationGraph;
    readonly report: Report;
    readonly place: Token["place"];
  },
): FoundRelation | undefined {
  if (!graph.analysis.config.model.multiTenant) return { name, ...way, tenant: null };
  for (const scope of ["organization", "team"] as const) {
    const [own, related] = [from.table, way.target.table].map((table) =>
      [...table.columns.values()].find(({ type }) => scopeOf(type) === scope)?.name
    );
    if (own !== undefined && related !== undefined) {
      return { name, ...way, tenant: { own, related } };
    }
    if (own !== undefined) break;
  }
  const unscoped = [way.target.table, from.table].find((table) =>
    ![...table.columns.values()].some(({ type }) => scopeOf(type) === "organization")
  );
  report.add("RELATION_UNSCOPED", place, {
    relation: name,
    table: from.table.name,
    unscoped: unscoped?.name ?? way.target.table.name,
  });
  return undefined;
}

/** Returns the relation that a rule follows, with its columns. */
export function rowRelation(
  { name, direction, target: { table }, own, related, tenant }: FoundRelation,
  of: RowPredicate,
  { analysis }: RelationGraph,
): RowRelation {
  const deletedAt = table.softDelete ? "deletedAt" : null;
  const asked = new Set([
    primaryKeyOf(table)?.name ?? "id",
    related,
    ...(tenant === null ? [] : [tenant.related]),
    ...(deletedAt === null ? [] : [deletedAt]),
    ...columnsAsked(of),
  ]);
  const columns = [...table.columns.values()].flatMap((column): RelatedColumn[] =>
    asked.has(column.name) && column.type
      ? [{ name: column.name, sqlName: sqlNameOf(column, analysis), type: column.type }]
      : []
  );
  return {
    name,
    direction,
    table: table.name,
    sqlName: table.sqlName,
    idStrategy: idStrategyOf(table, analysis.config),
    idPrefix: idPrefixOf(table),
    columns,
    own,
    related,
    tenant,
    deletedAt,
  };
}
