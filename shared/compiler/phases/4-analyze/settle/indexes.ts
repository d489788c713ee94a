/** The indexes of a table: asked for, and made without asking (definitions 3). */
import { INDEX } from "../../../../definition_language/resource.ts";
import type { IndexModel } from "../../../../model/table.ts";
import type { ResourceModel } from "../../../../model/resource.ts";
import type { Value } from "../../values.ts";
import { readField, readFields, requireField } from "../read/fields.ts";
import { type At, invalidValue, type Reader } from "../read/reader.ts";
import { listOf } from "../read/scalars.ts";
import { columnTokens, textsOf } from "../resources/resource_scope.ts";
import { primaryKeyOf, type TableDraft } from "../tables/draft.ts";
import type { Relations } from "../tables/relations.ts";

interface Indexed {
  readonly table: TableDraft;
  readonly relations: Relations;
  readonly resource: ResourceModel | null;
  /** Scope columns by kind. */
  readonly scope: {
    readonly organization: string | null;
    readonly owner: string | null;
    readonly team: string | null;
  };
}

type Columns = readonly string[];

/** Without repeats, in a fixed order: unique ones, then foreign keys, lists, and what the author asked for. */
export function indexesOf(indexed: Indexed): readonly Omit<IndexModel, "name">[] {
  const { table, relations } = indexed;
  const columns = [...table.columns.values()];
  const tenant = indexed.scope.organization ?? indexed.scope.team;
  const unique = [
    ...columns.filter((column) => column.unique && !column.primaryKey).map(({ name }) => [name]),
    ...readLists(table, "unique"),
  ].map((list) => tenant === null || list.includes(tenant) ? list : [tenant, ...list]);
  const plain = [
    ...[...relations.keys()].map((name) => [name]),
    ...scopeLists(indexed),
    ...sortLists(indexed),
    ...columns.filter((column) => column.indexed || column.listed).map(({ name }) => [name]),
    ...readLists(table, "indexes"),
  ];
  return [
    ...distinct(unique).map((list) => ({ columns: list, unique: true })),
    ...distinct(plain).map((list) => ({ columns: list, unique: false })),
  ];
}

/** (`organizationId`, `deletedAt`, `createdAt`, `id`) and its likes. */
function scopeLists(indexed: Indexed): Columns[] {
  const { organization, owner, team } = indexed.scope;
  return [organization, owner, team].flatMap((column) =>
    column === null ? [] : [listing(indexed, column, ["createdAt"])]
  );
}

/** Every default sort and every column that a view sorts or filters by, behind the scope that bounds it. */
function sortLists(indexed: Indexed): Columns[] {
  const { resource } = indexed;
  const { organization, team, owner } = indexed.scope;
  const scope = organization ?? team ?? owner;
  const views = resource?.read?.views ?? [];
  const lists = [
    ...[resource, ...views].flatMap((sorted) =>
      sorted ? [sorted.defaultSort.map((key) => key.column)] : []
    ),
    ...views.flatMap((view) => [...(view.sortable ?? []), ...(view.filterable ?? [])])
      .map((column) => [column]),
  ];
  return lists.map((columns) => listing(indexed, scope, columns));
}

/** The order of a page: its scope, live rows, its sort, and the key that ends every order. */
function listing({ table }: Indexed, scope: string | null, columns: Columns): Columns {
  const key = primaryKeyOf(table)?.name ?? "id";
  const prefix = [
    ...(scope === null ? [] : [scope]),
    ...(table.columns.has("deletedAt") ? ["deletedAt"] : []),
  ];
  return [...new Set([...prefix, ...columns, key])];
}

/** `unique: [{ columns }]` and `indexes: [{ columns }]`. */
function readLists(table: TableDraft, key: "unique" | "indexes"): readonly Columns[] {
  return (table.options && readField(table.options, key, listOf(columnsReader(table)))) ?? [];
}

function columnsReader(table: TableDraft): Reader<Columns> {
  return (value: Value, at: At) => {
    const fields = readFields(value, INDEX, at);
    const tokens = fields && requireField(fields, "columns", columnTokens({ table }));
    const entry = fields?.entries.get("columns");
    if (entry?.value.kind === "array" && entry.value.items.length === 0) {
      return invalidValue(entry.value, "at least one column", at);
    }
    return tokens && tokens.length > 0 ? textsOf(tokens) : undefined;
  };
}

function distinct(lists: readonly Columns[]): readonly Columns[] {
  const byText = new Map(lists.map((list) => [list.join(","), list]));
  return [...byText.values()];
}

/** Names them after table and columns; two that would share a name are counted. */
export function namedIndexes(
  sqlTable: string,
  indexes: readonly Omit<IndexModel, "name">[],
  { sqlNameOf, taken }: {
    readonly sqlNameOf: (column: string) => string;
    readonly taken: Set<string>;
  },
): readonly IndexModel[] {
  return indexes.map((index) => {
    const suffix = index.unique ? "unique" : "idx";
    const base = [sqlTable, ...index.columns.map(sqlNameOf), suffix].join("_");
    const name = freeName(base, taken);
    taken.add(name);
    return { name, ...index };
  });
}

function freeName(base: string, taken: ReadonlySet<string>): string {
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
  return name;
}
