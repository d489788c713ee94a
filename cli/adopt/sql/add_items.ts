/** Adds columns, keys and constraints to an open table, each with its clause. */
import type { Ledger } from "../ledger.ts";
import { sqlText } from "./cursor.ts";
import type { ColumnItem, Item } from "./items.ts";
import * as open from "./open_tables.ts";
import { readType } from "./types.ts";

/** Parts of the schema that items refer to. */
export interface SchemaParts {
  /** Tables by path in lower case. */
  readonly tables: ReadonlyMap<string, open.OpenTable>;
  /** Enums by name in lower case. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly domains: ReadonlyMap<string, ColumnItem>;
  readonly ledger: Ledger;
}

export const NO_TABLE = "its table is not in the file";

export function copyColumns(schema: SchemaParts, table: open.OpenTable, from: string): void {
  const parent = open.findTable(schema.tables, from);
  if (!parent) {
    return schema.ledger.leaveOut(
      schema.ledger.open("statement", `${table.path.join(".")}, like ${from}`),
      NO_TABLE,
    );
  }
  for (const column of parent.columns) {
    if (open.findColumn(table, column.name)) continue;
    const place = placeOf(table, column.name);
    const copied = <Part>(kind: "length" | "default" | "generated", part: Part | null) =>
      part && { ...part, clause: schema.ledger.open(kind, place) };
    table.columns.push({
      ...column,
      clause: schema.ledger.open("column", place),
      length: copied("length", column.length),
      fallback: copied("default", column.fallback),
      generated: copied("generated", column.generated),
      comment: null,
    });
  }
}

/** Copies keys and indexes, as MySQL's `LIKE` does. */
export function copyKeys(schema: SchemaParts, table: open.OpenTable, from: string): void {
  const parent = open.findTable(schema.tables, from);
  const { key = null, unique = [], indexes = [] } = parent ?? {};
  if (key) add(schema, table, { ...key, kind: "primary" });
  for (const one of unique) add(schema, table, { ...one, kind: "unique" });
  for (const one of indexes) add(schema, table, { ...one, kind: "index" });
}

export function add(schema: SchemaParts, table: open.OpenTable, item: Item): void {
  const place = (columns: readonly string[]) => placeOf(table, columns.join(", "));
  switch (item.kind) {
    case "column":
      return addColumn(schema, table, item);
    case "primary":
      if (table.key) open.leaveDropped(table.key.clause, schema.ledger);
      table.key = { ...item, clause: schema.ledger.open("key", place(item.columns)) };
      return;
    case "unique":
      return void table.unique.push({
        ...item,
        clause: schema.ledger.open("unique", place(item.columns)),
      });
    case "index":
      return void table.indexes.push({
        ...item,
        clause: schema.ledger.open("index", place(item.columns)),
      });
    case "foreign":
      return void table.relations.push({
        ...item,
        clause: schema.ledger.open("relation", place(item.columns)),
      });
    case "check":
      return void table.checks.push({
        clause: schema.ledger.open("check", placeOf(table, sqlText(item.condition).slice(0, 80))),
        name: item.name,
        tokens: item.condition,
      });
    case "using": {
      const index = table.unique.find(({ name }) => name === item.index);
      if (!index || item.of === "unique") return;
      table.unique = table.unique.filter((one) => one !== index);
      schema.ledger.carry(index.clause);
      table.key = { ...index, clause: schema.ledger.open("key", place(index.columns)) };
      return;
    }
    case "exclude": {
      const clause = schema.ledger.open("check", placeOf(table, "exclude"));
      return schema.ledger.leaveOut(
        clause,
        "rows that exclude each other are an action's to judge",
      );
    }
    case "like":
      return copyColumns(schema, table, item.table);
  }
}

export function addColumn(schema: SchemaParts, table: open.OpenTable, item: ColumnItem): void {
  const { name, fallback, generated, comment } = item;
  const domain = schema.domains.get(item.type.words.toLowerCase());
  const type = domain ? domain.type : item.type;
  const place = placeOf(table, name);
  const isLong = readType(type, schema.enums).maxLength !== null;
  const default_ = fallback ?? domain?.fallback ?? null;
  table.columns.push({
    clause: schema.ledger.open("column", place),
    name,
    type,
    isRequired: item.isRequired || item.isPrimary || domain?.isRequired === true,
    isCounted: item.isCounted || readType(type, schema.enums).isCounted,
    length: isLong ? { clause: schema.ledger.open("length", place) } : null,
    fallback: isNullDefault(default_)
      ? null
      : default_ && { clause: schema.ledger.open("default", place), tokens: default_ },
    generated: generated && { clause: schema.ledger.open("generated", place), tokens: generated },
    comment: comment === null || comment === ""
      ? null
      : { clause: schema.ledger.open("comment", place), text: comment },
  });
  const columns = [name];
  if (item.isPrimary) add(schema, table, { kind: "primary", name: null, columns, obstacle: null });
  if (item.isUnique) add(schema, table, { kind: "unique", name: null, columns, obstacle: null });
  if (item.references) {
    add(schema, table, { kind: "foreign", name: null, columns, references: item.references });
  }
  const own = (condition: typeof item.checks[number]) =>
    condition.map((token) =>
      token.kind === "word" && token.value === "value" ? { ...token, raw: `"${name}"` } : token
    );
  for (const condition of [...item.checks, ...(domain?.checks.map(own) ?? [])]) {
    add(schema, table, { kind: "check", name: null, condition });
  }
}

export function retype(
  schema: SchemaParts,
  table: open.OpenTable,
  column: open.OpenColumn,
  type: open.OpenColumn["type"],
): void {
  if (column.length) open.leaveDropped(column.length.clause, schema.ledger);
  const isLong = readType(type, schema.enums).maxLength !== null;
  column.type = type;
  column.length = isLong
    ? { clause: schema.ledger.open("length", placeOf(table, column.name)) }
    : null;
}

export function isNullDefault(tokens: ColumnItem["fallback"]): boolean {
  return tokens?.[0]?.kind === "word" && tokens[0].value === "null";
}

export function placeOf({ path }: open.OpenTable, rest: string): string {
  return rest === "" ? path.join(".") : `${path.join(".")}.${rest}`;
}
