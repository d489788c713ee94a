/** Ways from one table to another that rules may follow, by the names that rules write (docs/decisions/relations.md). */
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
  /** By name. */
  readonly tables: ReadonlyMap<string, RelatedTable>;
}

/** For what is read before the tables know each other, or belongs to no table: no rule there follows a relation. */
export function noRelations(analysis: Analysis): RelationGraph {
  return { analysis, tables: new Map() };
}

/** One way, before anything is asked of its rows. */
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

/** A foreign key without `Id`, else its whole name. */
function parentName(column: string): string {
  return /.Id$/.test(column) ? column.slice(0, -2) : column;
}

/** The row that a key refers to, under the key's name. */
function parentWay(name: string, from: RelatedTable, graph: RelationGraph): Way | undefined {
  for (const [column, relation] of from.relations) {
    if (parentName(column) !== name || (column !== name && from.table.columns.has(name))) continue;
    const target = graph.tables.get(relation.table);
    if (target) return { direction: "parent", target, own: column, related: relation.column };
  }
  return undefined;
}

/** Every foreign key of another table, or of its own, that refers to the table, as `<table>.<column>`. */
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

/** Every name that a rule of the table may follow. */
function knownNames(from: RelatedTable, graph: RelationGraph): readonly string[] {
  const parents = [...from.relations.keys()].map(parentName)
    .filter((name) => parentWay(name, from, graph));
  return [...parents, ...childWays(from, graph).keys()];
}

/** True for a name of a relation: in conditions also a table's name, where one of its keys fits. */
export function namesRelation(name: string, from: RelatedTable, graph: RelationGraph): boolean {
  const ways = [...childWays(from, graph).keys()];
  return knownNames(from, graph).includes(name) ||
    ways.some((way) => way.startsWith(`${name}.`));
}

/** The word with its table's own name, where it has that of URLs. */
function ownName({ text, place }: Token, analysis: Analysis): string {
  const [written = "", ...column] = text.split(".");
  const table = tableMeant({ text: written, place }, analysis)?.name ?? written;
  return [table, ...column].join(".");
}

/** The relation that a word names; anything else is reported. `takesTables`: a table's name stands for its only key. */
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

/** The relation with the scope that both sides share; a target that has none is reported. */
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

/** The relation that a rule follows, with the columns that it asks for. */
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
