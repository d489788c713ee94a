/**
 * Stores a database schema in the format of drizzle's tools: version 6 of their SQLite snapshots. It is also the record of the
 * last compile.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { type ColumnType, isColumnType } from "../../column_types/mod.ts";
import { compareText } from "../../lib/texts.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../model/mod.ts";

const ACTIONS = ["cascade", "set null", "restrict", "no action"] as const;
const TYPES = ["text", "integer", "real", "blob"] as const;
const nothing = z.record(z.string(), z.unknown()).refine((value) =>
  Object.keys(value).length === 0
);

const nameSchema = z.string().regex(/^[^\p{Cc}]+$/u);

const columnSchema = z.object({
  name: nameSchema,
  type: z.union([z.enum(TYPES), z.templateLiteral(["F32_BLOB(", z.int(), ")"])]),
  primaryKey: z.boolean(),
  notNull: z.boolean(),
  autoincrement: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
});

const indexSchema = z.object({
  name: nameSchema,
  columns: z.array(nameSchema).min(1),
  isUnique: z.boolean(),
  where: z.string().optional(),
});

const foreignKeySchema = z.object({
  name: z.string(),
  tableFrom: nameSchema,
  tableTo: nameSchema,
  columnsFrom: z.array(nameSchema).length(1),
  columnsTo: z.array(nameSchema).length(1),
  onDelete: z.enum(ACTIONS).optional(),
  onUpdate: z.literal("no action").optional(),
});

const tableSchema = z.object({
  name: nameSchema,
  columns: named(columnSchema),
  indexes: named(indexSchema),
  foreignKeys: named(foreignKeySchema),
  compositePrimaryKeys: nothing,
  uniqueConstraints: nothing,
  checkConstraints: nothing.optional(),
}).refine(({ columns, indexes, foreignKeys }) =>
  [
    ...Object.values(indexes).flatMap((index) => index.columns),
    ...Object.values(foreignKeys).flatMap((key) => key.columnsFrom),
  ].every((name) => Object.hasOwn(columns, name))
);

/** JSON columns by table, if known. drizzle's format cannot express them. */
const jsonColumns = z.record(z.string(), z.array(nameSchema));

/** Digits of decimal columns, by table and column. In drizzle's format they are whole numbers. */
const decimalColumns = z.record(
  z.string(),
  z.record(z.string(), z.object({ precision: z.int(), scale: z.int() })),
);

/** Types of columns, by table and column. Drizzle's format records only how their values are stored. */
const columnTypes = z.record(z.string(), z.record(z.string(), z.custom<ColumnType>(isColumnType)));

/** Rings of rename hints that were applied, or that were in the configuration from the start. */
const rings = z.array(z.string());

/** Full-text indexes, by table. */
const searches = z.record(
  z.string(),
  z.object({
    key: nameSchema,
    columns: z.array(nameSchema).min(1),
    tenant: nameSchema.optional(),
  }),
);

/** Defaults that the service makes, by table and column. */
const madeColumns = z.record(
  z.string(),
  z.record(
    z.string(),
    z.discriminatedUnion("kind", [
      z.object({ kind: z.enum(["now", "userId"]) }),
      z.object({ kind: z.literal("random"), length: z.int() }),
      z.object({
        kind: z.literal("sequence"),
        before: z.string(),
        digits: z.int(),
        after: z.string(),
        start: z.int(),
        organization: z.nullable(z.string()),
      }),
    ]),
  ),
);

/** SQL of generated columns, by table and column. */
const generatedColumns = z.record(z.string(), z.record(z.string(), z.string()));

/** Totals over referring rows, by table. */
const rollups = z.record(
  z.string(),
  z.array(z.object({
    column: nameSchema,
    table: nameSchema,
    foreignKey: nameSchema,
    key: nameSchema,
    fn: z.enum(["count", "sum", "min", "max"]),
    source: z.nullable(z.array(z.string())),
    counts: z.array(z.string()),
    limit: z.nullable(z.string()),
  })),
);

/** A snapshot as this compiler writes it. One with views or checks comes from another tool. */
const snapshotSchema = z.object({
  version: z.literal("6"),
  dialect: z.literal("sqlite"),
  id: z.string().min(1),
  prevId: z.string().min(1),
  tables: named(tableSchema),
  views: nothing.optional(),
  internal: z.object({
    json: jsonColumns.optional(),
    decimals: decimalColumns.optional(),
    types: columnTypes.optional(),
    rings: rings.optional(),
    search: searches.optional(),
    made: madeColumns.optional(),
    generated: generatedColumns.optional(),
    rollups: rollups.optional(),
  }).optional(),
});

/** Returns the schema of a map whose keys are its members' names. */
function named<T extends z.ZodType<{ readonly name: string }>>(member: T) {
  return z.record(z.string(), member).refine((members) =>
    Object.entries(members).every(([key, { name }]) => key === name)
  );
}

export type Snapshot = z.infer<typeof snapshotSchema>;
type SnapshotTable = z.infer<typeof tableSchema>;

export const FIRST_PREVIOUS_ID = "00000000-0000-0000-0000-000000000000";

/** Returns the snapshot in parsed JSON; null when this compiler did not write it. */
export function readSnapshot(value: unknown): Snapshot | null {
  return snapshotSchema.safeParse(value).data ?? null;
}

/** False when the id contradicts the content from which it was made. Ids of drizzle's tools are random and prove nothing. */
export function isAsWritten({ id, prevId, tables, internal }: Snapshot): boolean {
  return !isContentUuid(id) || id === idOf(prevId, tables, internal ?? {});
}

/** Facts that drizzle's format cannot express. */
type Beside = NonNullable<Snapshot["internal"]>;

function idOf(
  prevId: string,
  tables: Snapshot["tables"],
  { json, decimals, search, types, rings, made, generated, rollups }: Beside,
): string {
  const text = JSON.stringify([
    prevId,
    tables,
    ...(json === undefined ? [] : [json]),
    ...(decimals === undefined ? [] : [{ decimals }]),
    ...(search === undefined ? [] : [{ search }]),
    ...(types === undefined ? [] : [{ types }]),
    ...(rings === undefined ? [] : [{ rings }]),
    ...(made === undefined ? [] : [{ made }]),
    ...(generated === undefined ? [] : [{ generated }]),
    ...(rollups === undefined ? [] : [{ rollups }]),
  ]);
  const hex = contentHash(text);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** Returns the snapshot of a schema; its id is a hash of its content. */
export function snapshotOf(
  tables: readonly SqlTable[],
  prevId: string,
  applied: readonly string[] = [],
) {
  const sorted = [...tables].sort((a, b) => compareText(a.name, b.name));
  const content = Object.fromEntries(sorted.map((table) => [table.name, snapshotTable(table)]));
  const beside = factsBeside(sorted, applied);
  return {
    version: "6",
    dialect: "sqlite",
    id: idOf(prevId, content, beside),
    prevId,
    tables: content,
    views: {},
    enums: {},
    _meta: { schemas: {}, tables: {}, columns: {} },
    internal: { indexes: {}, ...beside },
  } as const;
}

/** Returns a table in the form of drizzle's snapshots. */
function snapshotTable(table: SqlTable) {
  return {
    name: table.name,
    columns: Object.fromEntries(table.columns.map((column) => [column.name, {
      name: column.name,
      type: column.type,
      primaryKey: column.primaryKey,
      notNull: column.notNull,
      autoincrement: column.autoIncrement,
      ...(column.default === null ? {} : { default: column.default }),
    }])),
    indexes: Object.fromEntries(table.indexes.map((index) => [index.name, {
      name: index.name,
      columns: [...index.columns],
      isUnique: index.unique,
      ...(index.where === null ? {} : { where: index.where }),
    }])),
    foreignKeys: Object.fromEntries(
      table.columns.flatMap((column): [string, SnapshotTable["foreignKeys"][string]][] => {
        const { name, references } = column;
        if (references === null) return [];
        const keyName = `${table.name}_${name}_${references.table}_${references.column}_fk`;
        return [[keyName, {
          name: keyName,
          tableFrom: table.name,
          tableTo: references.table,
          columnsFrom: [name],
          columnsTo: [references.column],
          onDelete: references.onDelete,
          onUpdate: "no action",
        }]];
      }),
    ),
    compositePrimaryKeys: {},
    uniqueConstraints: {},
    checkConstraints: {},
  };
}

/** Returns the facts of a schema that drizzle's format cannot express. */
function factsBeside(sorted: readonly SqlTable[], applied: readonly string[]) {
  const json = Object.fromEntries(sorted.flatMap(({ name, columns }): [string, string[]][] => {
    if (columns.every(({ json }) => json === undefined)) return [];
    return [[name, columns.filter(({ json }) => json).map((column) => column.name)]];
  }));
  const decimals = factsOfColumns(sorted, ({ decimal }) => decimal);
  const indexed = Object.fromEntries(
    sorted.flatMap(({ name, search }) =>
      search ? [[name, { ...search, columns: [...search.columns] }]] : []
    ),
  );
  const search = Object.keys(indexed).length === 0 ? {} : { search: indexed };
  const types = factsOfColumns(sorted, ({ of }) => of);
  const made = factsOfColumns(sorted, (column) => column.made);
  const generated = factsOfColumns(sorted, (column) => column.generated);
  const totals = sorted.flatMap(({ name, rollups = [] }) =>
    rollups.length === 0 ? [] : [
      [
        name,
        // The facts keep the order of the schema, on which the id depends.
        rollups.map(({ column, table, foreignKey, key, fn, source, counts, limit }) => ({
          ...{ column, table, foreignKey, key, fn },
          source: source && [...source],
          counts: [...counts],
          limit,
        })),
      ] as const,
    ]
  );
  return {
    json,
    ...(decimals === null ? {} : { decimals }),
    ...search,
    ...(types === null ? {} : { types }),
    ...(made === null ? {} : { made }),
    ...(generated === null ? {} : { generated }),
    ...(totals.length === 0 ? {} : { rollups: Object.fromEntries(totals) }),
    ...(applied.length === 0 ? {} : { rings: [...applied] }),
  };
}

/** Returns one fact of the columns that have it, by table and column; null: none has it. */
function factsOfColumns<Fact>(
  tables: readonly SqlTable[],
  factOf: (column: SqlColumn) => Fact | undefined,
): Record<string, Record<string, Fact>> | null {
  const facts = tables.flatMap(({ name, columns }) => {
    const own = columns.flatMap((column) => {
      const fact = factOf(column);
      return fact === undefined ? [] : [[column.name, fact] as const];
    });
    return own.length === 0 ? [] : [[name, Object.fromEntries(own)] as const];
  });
  return facts.length === 0 ? null : Object.fromEntries(facts);
}

/** Returns the schema in a snapshot, tables and indexes sorted by name. */
export function tablesOf(
  { tables, internal }: Pick<Snapshot, "tables" | "internal">,
): readonly SqlTable[] {
  return Object.values(tables).map((table): SqlTable => ({
    name: table.name,
    columns: Object.values(table.columns).map((column) => ({
      ...sqlColumn(column, table),
      json: internal?.json?.[table.name]?.includes(column.name),
      decimal: internal?.decimals?.[table.name]?.[column.name],
      of: internal?.types?.[table.name]?.[column.name],
      made: internal?.made?.[table.name]?.[column.name],
      generated: internal?.generated?.[table.name]?.[column.name],
    })),
    indexes: Object.values(table.indexes).map((index): SqlIndex => ({
      name: index.name,
      columns: index.columns,
      unique: index.isUnique,
      where: index.where ?? null,
    })).sort((a, b) => compareText(a.name, b.name)),
    search: internal?.search?.[table.name],
    rollups: internal?.rollups?.[table.name],
  })).sort((a, b) => compareText(a.name, b.name));
}

/** Returns the facts that a compile adds to the last snapshot when it makes no migration. */
export function factsOf({ internal }: Pick<Snapshot, "internal">) {
  return { types: internal?.types, rings: internal?.rings, made: internal?.made };
}

function sqlColumn(column: z.infer<typeof columnSchema>, table: SnapshotTable): SqlColumn {
  const key = Object.values(table.foreignKeys).find(({ columnsFrom }) =>
    columnsFrom[0] === column.name
  );
  const [target] = key?.columnsTo ?? [];
  return {
    name: column.name,
    type: column.type,
    notNull: column.notNull,
    primaryKey: column.primaryKey,
    autoIncrement: column.autoincrement,
    default: column.default === undefined ? null : String(column.default),
    references: key === undefined || target === undefined
      ? null
      : { table: key.tableTo, column: target, onDelete: key.onDelete ?? "no action" },
  };
}

/** Returns the SHA-256 of the text's UTF-8 bytes, in hexadecimal. */
export function contentHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** True for a UUID of the version that `contentUuid()` makes. */
export function isContentUuid(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-/.test(id);
}
