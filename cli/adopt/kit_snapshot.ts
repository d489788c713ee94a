/** Reads a snapshot of drizzle-kit, in the formats of its versions 6 and 7, as tables of this compiler. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../shared/model/sql_table.ts";
import { DraftError } from "./foreign_schema.ts";

export interface KitSchema {
  readonly tables: readonly SqlTable[];
  /** Parts that no table of this compiler has, one sentence each. */
  readonly decisions: readonly string[];
}

const name = z.string().regex(/^[^\p{Cc}]+$/u);
const text = z.union([z.string(), z.number(), z.boolean()]).nullish();

const sixSchema = z.object({
  tables: z.record(
    z.string(),
    z.object({
      name,
      columns: z.record(
        z.string(),
        z.object({
          name,
          type: z.string(),
          primaryKey: z.boolean(),
          notNull: z.boolean(),
          autoincrement: z.boolean().default(false),
          default: text,
          generated: z.unknown().optional(),
        }),
      ),
      indexes: z.record(
        z.string(),
        z.object({
          name,
          columns: z.array(name),
          isUnique: z.boolean(),
          where: z.string().optional(),
        }),
      ),
      foreignKeys: z.record(
        z.string(),
        z.object({
          tableTo: name,
          columnsFrom: z.array(name),
          columnsTo: z.array(name),
          onDelete: z.string().optional(),
          onUpdate: z.string().optional(),
        }),
      ),
      compositePrimaryKeys: z.record(z.string(), z.object({ columns: z.array(name) })),
      uniqueConstraints: z.record(z.string(), z.unknown()),
      checkConstraints: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
  views: z.record(z.string(), z.unknown()).default({}),
});

const inTable = { table: name };
const sevenSchema = z.object({
  ddl: z.array(z.discriminatedUnion("entityType", [
    z.object({ entityType: z.literal("tables"), name }),
    z.object({
      entityType: z.literal("columns"),
      ...inTable,
      name,
      type: z.string(),
      notNull: z.boolean(),
      autoincrement: z.boolean().nullish(),
      default: text,
      generated: z.unknown().optional(),
    }),
    z.object({
      entityType: z.literal("indexes"),
      ...inTable,
      name,
      columns: z.array(z.object({ value: name, isExpression: z.boolean() })),
      isUnique: z.boolean(),
      where: z.string().nullish(),
    }),
    z.object({
      entityType: z.literal("fks"),
      ...inTable,
      columns: z.array(name),
      tableTo: name,
      columnsTo: z.array(name),
      onDelete: z.string(),
      onUpdate: z.string(),
    }),
    z.object({ entityType: z.literal("pks"), ...inTable, columns: z.array(name) }),
    z.object({ entityType: z.literal("uniques"), ...inTable, name }),
    z.object({ entityType: z.literal("checks"), ...inTable, name }),
    z.object({ entityType: z.literal("views"), name }),
  ])),
});

/** Table as both versions describe it. */
interface KitTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly notNull: boolean;
    readonly autoincrement: boolean;
    readonly default?: z.infer<typeof text>;
    readonly isGenerated: boolean;
  }[];
  readonly key: readonly string[];
  readonly indexes: readonly SqlIndex[];
  readonly foreignKeys: readonly {
    readonly columns: readonly string[];
    readonly tableTo: string;
    readonly columnsTo: readonly string[];
    readonly onDelete: string;
    readonly onUpdate: string;
  }[];
  /** Names of checks, and of unique rules that are no index: they are part of the table and are lost when it is rebuilt. */
  readonly checks: readonly string[];
  readonly uniques: readonly string[];
}

/** Returns the schema of a snapshot. Refuses another version or dialect, and a damaged snapshot. */
export function readKitSnapshot(path: string, content: string): KitSchema {
  const value = parsedJson(content);
  const { data: head } = z.object({ version: z.string(), dialect: z.string() }).safeParse(value);
  if (!head) throw new DraftError(`${path} is no snapshot of drizzle-kit that can be read`);
  if (head.dialect !== "sqlite") {
    throw new DraftError(`${path} is of ${head.dialect}: only SQLite's schemas can be taken over`);
  }
  if (head.version !== "6" && head.version !== "7") {
    throw new DraftError(
      `${path} is of version ${head.version}, and 6 and 7 can be read: bring it up with "drizzle-kit up"`,
    );
  }
  const read = head.version === "6" ? sixTables(value) : sevenTables(value);
  if (read === null) throw new DraftError(`${path} is damaged: it is not what drizzle-kit writes`);
  const settled = read.tables.map(settle);
  return {
    tables: settled.flatMap(({ table }) => table ? [table] : []),
    decisions: [
      ...settled.flatMap(({ decisions }) => decisions),
      ...read.views.map((view) => `View "${view}" is not taken over: there are none here`),
    ],
  };
}

interface KitRead {
  readonly tables: readonly KitTable[];
  readonly views: readonly string[];
}

function sixTables(value: unknown): KitRead | null {
  const { data } = sixSchema.safeParse(value);
  if (!data) return null;
  return {
    views: Object.keys(data.views),
    tables: Object.values(data.tables).map((table): KitTable => {
      const columns = Object.values(table.columns);
      const [composite] = Object.values(table.compositePrimaryKeys);
      return {
        name: table.name,
        columns: columns.map((column) => ({
          ...column,
          isGenerated: column.generated !== undefined,
        })),
        key: composite?.columns ??
          columns.filter(({ primaryKey }) => primaryKey).map((column) => column.name),
        indexes: Object.values(table.indexes).map((index) => ({
          name: index.name,
          columns: index.columns,
          unique: index.isUnique,
          where: index.where ?? null,
        })),
        foreignKeys: Object.values(table.foreignKeys).map((key) => ({
          ...key,
          columns: key.columnsFrom,
          onDelete: key.onDelete ?? "no action",
          onUpdate: key.onUpdate ?? "no action",
        })),
        checks: Object.keys(table.checkConstraints),
        uniques: Object.keys(table.uniqueConstraints),
      };
    }),
  };
}

function sevenTables(value: unknown): KitRead | null {
  const { data } = sevenSchema.safeParse(value);
  if (!data) return null;
  const { ddl } = data;
  type Entity = (typeof ddl)[number];
  const of = <Kind extends Entity["entityType"]>(kind: Kind) =>
    ddl.filter((entity): entity is Extract<Entity, { entityType: Kind }> =>
      entity.entityType === kind
    );
  return {
    views: of("views").map((view) => view.name),
    tables: of("tables").map(({ name }): KitTable => {
      const own = <T extends { readonly table: string }>(entities: readonly T[]) =>
        entities.filter(({ table }) => table === name);
      return {
        name,
        columns: own(of("columns")).map((column) => ({
          ...column,
          autoincrement: column.autoincrement ?? false,
          isGenerated: column.generated !== null && column.generated !== undefined,
        })),
        key: own(of("pks"))[0]?.columns ?? [],
        indexes: own(of("indexes")).map((index) => ({
          name: index.name,
          columns: index.columns.map(({ value }) => value),
          unique: index.isUnique,
          where: index.where ?? null,
        })),
        foreignKeys: own(of("fks")),
        checks: own(of("checks")).map((check) => check.name),
        uniques: own(of("uniques")).map((unique) => unique.name),
      };
    }),
  };
}

interface Settled {
  /** Table; null: no table of this compiler can be like it. */
  readonly table: SqlTable | null;
  readonly decisions: readonly string[];
}

function settle(kit: KitTable): Settled {
  const names = kit.columns.map((column) => column.name);
  const leftOut = reasonToLeaveOut(kit);
  if (leftOut !== null) {
    const way = "it stays in the database as it is; define another table for its rows";
    return { table: null, decisions: [`Table "${kit.name}" is left out, for ${leftOut}: ${way}`] };
  }
  const [plain, computed] = parted(
    kit.indexes,
    ({ columns }) => columns.every((column) => names.includes(column)),
  );
  const table = {
    name: kit.name,
    columns: kit.columns.map((column) => settledColumn(column, kit)),
    indexes: plain,
  };
  const gone = [
    ...computed.map((index) => `index "${index.name}", which is on an expression`),
    ...kit.checks.map((check) => `check "${check}"`),
    ...kit.foreignKeys.filter(({ onUpdate }) => onUpdate.toLowerCase() !== "no action")
      .map(({ columns, onUpdate }) => `ON UPDATE ${onUpdate} of "${columns.join(", ")}"`),
  ];
  return {
    table,
    decisions: gone.map((part) =>
      `Table "${kit.name}" loses its ${part}: say in its definition what should hold instead`
    ),
  };
}

const TYPES: readonly SqlColumn["type"][] = ["text", "integer", "real", "blob"];

/** Returns the stored type; SQLite ignores a length. */
function storedType(type: string): SqlColumn["type"] | undefined {
  const plain = type.toLowerCase().replace(/\s*\(.*\)$/, "");
  return TYPES.find((known) => known === plain);
}

function reasonToLeaveOut({ columns, key, foreignKeys }: KitTable): string | null {
  if (key.length > 1) return `its primary key of ${key.length} columns`;
  const generated = columns.find(({ isGenerated }) => isGenerated);
  if (generated) return `its generated column "${generated.name}"`;
  const odd = columns.find(({ type }) => storedType(type) === undefined);
  if (odd) return `the type ${odd.type} of its column "${odd.name}"`;
  const wide = foreignKeys.find((one) => one.columns.length !== 1);
  return wide ? `its foreign key of ${wide.columns.length} columns` : null;
}

const ON_DELETE = ["cascade", "set null", "restrict", "no action"] as const;

/** Settles a column. A key that may be null requires a rebuilt table, which loses the old checks and unique rules inside it. */
function settledColumn(
  column: KitTable["columns"][number],
  { key, foreignKeys, checks, uniques }: KitTable,
): SqlColumn {
  const isKey = key.includes(column.name);
  const type = storedType(column.type) ?? "text";
  const reference = foreignKeys.find(({ columns }) => columns[0] === column.name);
  return {
    name: column.name,
    type,
    notNull: isKey ? checks.length + uniques.length === 0 : column.notNull,
    primaryKey: isKey,
    autoIncrement: column.autoincrement,
    default: defaultOf(column.default, type),
    references: reference
      ? {
        table: reference.tableTo,
        column: reference.columnsTo[0] ?? "id",
        onDelete: ON_DELETE.find((one) => one === reference.onDelete.toLowerCase()) ??
          "no action",
      }
      : null,
  };
}

/** Reads a default. SQLite reads TRUE and FALSE as 1 and 0, which is how this compiler writes them. */
function defaultOf(value: z.infer<typeof text>, type: SqlColumn["type"]): string | null {
  if (value === null || value === undefined) return null;
  const said = String(value);
  if (type !== "integer") return said;
  if (said.toLowerCase() === "true") return "1";
  return said.toLowerCase() === "false" ? "0" : said;
}

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
