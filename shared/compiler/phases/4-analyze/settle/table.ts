/** Turns a checked draft into the model's table, with its indexes (definitions 3 and 4.1). */
import { accountOf, rulesOf, scopeOf } from "../../../../column_types/mod.ts";
import { INDEX } from "../../../../definition_language/resource.ts";
import { sequenceOf } from "../../../../model/mod.ts";
import type { ColumnModel, IndexModel, ResourceModel, TableModel } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { readField, readFields, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, invalidValue } from "../read/reader.ts";
import { listOf } from "../read/scalars.ts";
import { columnTokens, textsOf } from "../resources/resource_scope.ts";
import { type Analysis, sqlNameOf } from "../tables/analysis.ts";
import type { ColumnDraft, TableDraft } from "../tables/draft.ts";
import { idPrefixOf, idStrategyOf, primaryKeyOf, searchedColumns } from "../tables/draft.ts";
import type { FirewallDraft } from "../tables/firewall.ts";
import type { Relations } from "../tables/relations.ts";

interface TableParts {
  readonly analysis: Analysis;
  readonly firewall: FirewallDraft;
  readonly relations: Relations;
  readonly resource: ResourceModel | null;
  readonly displayColumn: string | null;
  /** Columns that rules of other tables compare, as an index needs them. */
  readonly ruled: readonly Columns[];
  /** Names in lower case that no further index may have: those of the tables before it, and of the service. */
  readonly indexNames: Set<string>;
}

export function tableModel(parts: TableParts): TableModel {
  const { analysis, firewall, relations, resource } = parts;
  const { table } = firewall;
  const { database } = analysis.config.model;
  const columns = columnModels(parts);
  const find = (scope: string) =>
    [...table.columns.values()].find(({ type }) => scopeOf(type) === scope)
      ?.name ?? null;
  const scope = { organization: find("organization"), owner: find("owner"), team: find("team") };
  const sqlNames = new Map(columns.map((column) => [column.name, column.sqlName]));
  const indexes = indexesOf({ table, relations, resource, scope, ruled: parts.ruled });
  // An index is named after its table and columns; two that would share a name get a number.
  const sqlNameOf = (column: string) => sqlNames.get(column) ?? column;
  return {
    name: table.name,
    sqlName: table.sqlName,
    feature: table.feature,
    origin: table.origin,
    columns,
    primaryKey: primaryKeyOf(table)?.name ?? "id",
    idStrategy: idStrategyOf(table, analysis.config),
    idPrefix: idPrefixOf(table),
    allowClientIds: (table.options && read(table.options, "allowClientIds")) ??
      database.allowClientIds,
    scope,
    softDelete: table.softDelete,
    revision: columns.find((column) => column.manager === "revision")?.name ?? null,
    ownerColumn: scope.owner ?? "createdBy",
    firewall: firewall.predicates,
    indexes: indexes.map((index) => {
      const suffix = index.unique ? "unique" : "idx";
      const base = [table.sqlName, ...index.columns.map(sqlNameOf), suffix].join("_");
      let name = base;
      for (let count = 2; parts.indexNames.has(name.toLowerCase()); count++) {
        name = `${base}_${count}`;
      }
      parts.indexNames.add(name.toLowerCase());
      return { name, ...index };
    }),
    displayColumn: parts.displayColumn,
  };
}

function columnModels({ analysis, firewall, relations }: TableParts): readonly ColumnModel[] {
  const columns = [...firewall.table.columns.values()];
  const searched = searchedColumns(firewall.table, relations);
  return columns.flatMap((column): ColumnModel[] => {
    if (!column.type) return [];
    return [{
      name: column.name,
      sqlName: sqlNameOf(column, analysis),
      type: column.type,
      // Keys, scopes and revisions are never null; any other column may be, unless it is required.
      nullable: ["client", "system", "computed"].includes(column.manager) && !column.required,
      default: settledDefault(column, firewall.table),
      manager: column.manager,
      references: relations.get(column.name) ?? null,
      searchable: searched.includes(column),
      ...(rulesOf(column.type).isList
        ? { filters: rulesOf(column.type).isAsked ? [] : ["null"] }
        : {}),
      ...(column.filters === null ? {} : { filters: column.filters }),
      ...(column.computed === null ? {} : { computed: column.computed }),
      ...(column.rollup === null ? {} : { rollup: column.rollup }),
      ...(column.description === null ? {} : { description: column.description }),
    }];
  });
}

/** Returns the default of a column. Rows without an organization share one sequence. */
function settledDefault(column: ColumnDraft, { columns }: TableDraft): ColumnModel["default"] {
  const sequence = sequenceOf(column);
  const isScoped = [...columns.values()].some(({ type }) => scopeOf(type) === "organization");
  if (sequence === null || isScoped) return column.default;
  return { kind: "made", value: { kind: "sequence", ...sequence, per: "table" } };
}

interface Indexed {
  readonly table: TableDraft;
  readonly relations: Relations;
  readonly resource: ResourceModel | null;
  /** Scope columns by kind. */
  readonly scope: TableModel["scope"];
  readonly ruled: readonly Columns[];
}

type Columns = readonly string[];

/**
 * Returns the indexes without those that are a prefix of another, in a fixed order: unique ones, foreign keys, lists, then the
 * author's.
 */
function indexesOf(indexed: Indexed): readonly Omit<IndexModel, "name">[] {
  const { table, relations } = indexed;
  const columns = [...table.columns.values()];
  const tenant = indexed.scope.organization ?? indexed.scope.team;
  const unique = [
    ...columns.filter((column) =>
      (column.unique || sequenceOf(column) !== null) && !column.primaryKey
    )
      .map(({ name }) => [name]),
    ...readLists(table, "unique"),
  ].map((list) => tenant === null || list.includes(tenant) ? list : [tenant, ...list]);
  // Adds the listing indexes, such as (`organizationId`, `deletedAt`, `createdAt`, `id`).
  const { organization, owner, team } = indexed.scope;
  const plain = [
    ...[...relations.keys()].map((name) => childListing(indexed, name)),
    ...[organization, owner, team].flatMap((column) =>
      column === null ? [] : [listing(indexed, column, ["createdAt"])]
    ),
    ...sortLists(indexed),
    ...columns.filter((column) => column.indexed || column.listed).map(({ name }) => [name]),
    // When a member leaves, the API looks for the rows that name the account.
    ...columns.filter(({ type }) => accountOf(type)?.onMemberRemoved !== undefined)
      .map(({ name }) => tenant === null ? [name] : [tenant, name]),
    ...readLists(table, "indexes"),
    ...indexed.ruled,
  ];
  return [
    ...distinct(unique).map((list) => ({ columns: list, unique: true })),
    ...longest(distinct(plain)).map((list) => ({ columns: list, unique: false })),
  ];
}

/** Returns every default sort and every column that a view sorts or filters by, after the scope that bounds it. */
function sortLists(indexed: Indexed): Columns[] {
  const { resource } = indexed;
  const { organization, team, owner } = indexed.scope;
  const scope = organization ?? team ?? owner;
  const all = resource?.read?.views ?? [];
  const grouped = all.filter(({ groupBy }) => groupBy);
  const views = all.filter(({ groupBy }) => !groupBy);
  const lists = [
    ...[resource, ...views].flatMap((sorted) =>
      sorted ? [sorted.defaultSort.map((key) => key.column)] : []
    ),
    // A grouping reads the rows in the order of its columns.
    ...grouped.map(({ fields }) => fields),
    ...grouped.flatMap(({ filterable }) => (filterable ?? []).map((column) => [column])),
    ...views.flatMap((view) => [...(view.sortable ?? []), ...(view.filterable ?? [])])
      .map((column) => [column]),
  ];
  return lists.map((columns) => listing(indexed, scope, columns));
}

/**
 * Returns the index for the rows of one parent, a page at a time. Without it SQLite would use the tenant's index for each
 * parent, because it has more equal columns.
 */
function childListing(indexed: Indexed, foreignKey: string): Columns {
  const { organization, team, owner } = indexed.scope;
  const sort = indexed.resource?.defaultSort.map(({ column }) => column) ?? [];
  const page = listing(indexed, organization ?? team ?? owner, sort);
  return [...new Set([foreignKey, ...page])];
}

/** Returns the order of a page: its scope, live rows, its sort, and the key that ends every order. */
function listing({ table }: Indexed, scope: string | null, columns: Columns): Columns {
  const key = primaryKeyOf(table)?.name ?? "id";
  const prefix = [
    ...(scope === null ? [] : [scope]),
    ...(table.columns.has("deletedAt") ? ["deletedAt"] : []),
  ];
  return [...new Set([...prefix, ...columns, key])];
}

/** Reads `unique: [{ columns }]` and `indexes: [{ columns }]`. */
function readLists(table: TableDraft, key: "unique" | "indexes"): readonly Columns[] {
  return (table.options && readField(
    table.options,
    key,
    listOf((value: Value, at: At) => {
      const fields = readFields(value, INDEX, at);
      const tokens = fields && requireField(fields, "columns", columnTokens({ table }));
      const entry = fields?.entries.get("columns");
      if (entry?.value.kind === "array" && entry.value.items.length === 0) {
        return invalidValue(entry.value, "at least one column", at);
      }
      for (const { text, place } of tokens ?? []) {
        const type = table.columns.get(text)?.type;
        if (!type || !rulesOf(type).isAsked) continue;
        at.report.add("VECTOR_MISPLACED", place, { column: text, owner: `"${key}"` });
      }
      const file = tokens?.find(({ text }) => isFile(table.columns.get(text)?.type));
      if (file && entry) return invalidValue(entry.value, `no file such as "${file.text}"`, at);
      return tokens && tokens.length > 0 ? textsOf(tokens) : undefined;
    }),
  )) ?? [];
}

function isFile(type: ColumnModel["type"] | null | undefined): boolean {
  return type ? rulesOf(type).isFile : false;
}

function distinct(lists: readonly Columns[]): readonly Columns[] {
  const byText = new Map(lists.map((list) => [list.join(","), list]));
  return [...byText.values()];
}

/** Drops indexes that are a prefix of another, which serves the same queries. */
function longest(lists: readonly Columns[]): readonly Columns[] {
  return lists.filter((list) =>
    !lists.some((other) => other !== list && list.every((column, at) => other[at] === column))
  );
}
