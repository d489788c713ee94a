/** Tables of an SQL schema or dump of PostgreSQL, MySQL or SQLite: CREATE and ALTER TABLE, enum types, unique indexes. */
import * as cst from "sql-parser-cst";
import { isJsonObject } from "../../shared/lib/json.ts";
import type { DraftType, ForeignColumn, ForeignSchema, OnDelete, Reference } from "./draft.ts";
import { decimalOf, DraftError, foreignColumn, WIDE_DECIMAL } from "./draft.ts";

type Dialect = "postgresql" | "mysql" | "sqlite";
interface SqlStatement {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** Statements that say how tables look; rows, grants, functions and policies are no part of a schema. */
const READ =
  /^(create\s+(unlogged\s+)?table|alter\s+table|create\s+type|create\s+unique\s+index)\b/i;

/** Throws `DraftError` for a file without tables and for a table that cannot be read. */
export function readSql(sql: string): ForeignSchema {
  const dialect = /`|\bengine\s*=|\bauto_increment\b/i.test(sql)
    ? "mysql"
    : /\bautoincrement\b|\bpragma\b|\bwithout\s+rowid\b/i.test(sql)
    ? "sqlite"
    : "postgresql";
  const schema = new SqlSchema(dialect);
  for (const statement of statementsOf(sql).filter(({ text }) => READ.test(text))) {
    schema.read(statement);
  }
  if (schema.tables.size === 0) {
    throw new DraftError(
      "It has no CREATE TABLE: give it a schema, such as pg_dump --schema-only makes",
    );
  }
  return {
    tables: [...schema.tables.values()].map(({ name, primaryKey, unique, columns }) => (
      { name, primaryKey, unique, columns }
    )),
    questions: schema.questions,
  };
}

interface OpenTable {
  readonly name: string;
  primaryKey: readonly string[];
  readonly unique: (readonly string[])[];
  columns: ForeignColumn[];
}

class SqlSchema {
  readonly tables = new Map<string, OpenTable>();
  readonly questions: string[] = [];
  readonly #enums = new Map<string, readonly string[]>();
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  read({ text: written, line }: SqlStatement): void {
    const text = this.#dialect === "mysql"
      ? MYSQL_ONLY.reduce((plain, [pattern, instead]) => plain.replace(pattern, instead), written)
      : written;
    for (const statement of this.#parsed(text, line)) {
      switch (statement.type) {
        case "create_table_stmt":
          this.#createTable(statement, text);
          break;
        case "create_type_stmt":
          if (statement.definition?.type === "enum_type_definition") {
            const values = statement.definition.values.expr.items.map(({ value }) => value);
            this.#enums.set(nameOf(statement.name), values);
          }
          break;
        case "create_index_stmt": {
          const table = this.tables.get(nameOf(statement.table));
          const isPartial = statement.clauses.some(({ type }) => type === "where_clause");
          if (table && !isPartial) addUnique(table, namesIn(statement.columns));
          break;
        }
        case "alter_table_stmt": {
          const named = statement.table.type === "table_without_inheritance" ||
              statement.table.type === "table_with_inheritance"
            ? statement.table.table
            : statement.table;
          const table = this.tables.get(nameOf(named));
          for (const action of statement.actions.items) {
            if (table && action.type === "alter_action_add_constraint") {
              constrain(table, action.constraint);
            }
          }
          break;
        }
      }
    }
  }

  /** A table must be readable; of anything else a person is told. */
  #parsed(text: string, line: number): readonly cst.Statement[] {
    const options: cst.ParserOptions = { dialect: this.#dialect, includeRange: true };
    try {
      return cst.parse(text, options).statements;
    } catch (error) {
      const [reason = ""] = error instanceof Error ? error.message.split("\n") : [];
      if (/^create\s+(unlogged\s+)?table/i.test(text)) {
        throw new DraftError(
          `Line ${line}: this table cannot be read as ${this.#dialect}: ${reason}`,
        );
      }
      this.questions.push(`The statement on line ${line} was not read: ${reason}`);
      return [];
    }
  }

  #createTable({ name, columns }: cst.CreateTableStmt, text: string): void {
    const table: OpenTable = { name: nameOf(name), primaryKey: [], unique: [], columns: [] };
    const items = columns?.expr.items ?? [];
    for (const item of items) {
      if (item.type === "column_definition") this.#addColumn(table, item, text);
    }
    for (const item of items) {
      const constraint = item.type === "constraint" ? item.constraint : item;
      if (constraint.type !== "column_definition") constrain(table, constraint);
    }
    this.tables.set(table.name, table);
  }

  #addColumn(table: OpenTable, item: cst.ColumnDefinition, text: string): void {
    const name = nameOf(item.name);
    const [start, end] = item.dataType?.range ?? [0, 0];
    const { type, question } = this.#typeOf(text.slice(start, end));
    const facts: { -readonly [Key in keyof ForeignColumn]?: ForeignColumn[Key] } = { question };
    for (const one of item.constraints) {
      const constraint = one.type === "constraint" ? one.constraint : one;
      switch (constraint.type) {
        case "constraint_not_null":
          facts.isRequired = true;
          break;
        case "constraint_primary_key":
          table.primaryKey = [name];
          break;
        case "constraint_unique":
          facts.isUnique = true;
          break;
        case "constraint_default": {
          const [from, to] = constraint.expr.range ?? [0, 0];
          facts.fallback = fallbackOf(text.slice(from, to), type);
          break;
        }
        case "constraint_generated":
          if (constraint.expr.type === "identity_column") break;
          facts.question = "the database worked it out: callers write it now, or your code";
          break;
        case "references_specification":
          facts.references = referenceOf(constraint);
          break;
      }
    }
    table.columns.push(foreignColumn(name, type, facts));
  }

  #typeOf(written: string): { readonly type: DraftType; readonly question: string | null } {
    const name = written.toLowerCase().replace(/"/g, "").replace(/^\w+\./, "").trim();
    const values = this.#enums.get(name) ?? enumOf(written);
    if (values) return { type: { kind: "enum", values }, question: null };
    const decimal = decimalOf(/^(?:numeric|decimal)\s*\(([^)]*)\)/.exec(name)?.[1] ?? "");
    if (decimal) return { type: decimal, question: null };
    const [, kind, question = null] = TYPES.find(([pattern]) => pattern.test(name)) ?? [];
    return kind
      ? { type: { kind }, question }
      : { type: { kind: "text" }, question: `type ${written || "(none)"} became text` };
  }
}

/** MySQL that the parser does not know and a draft does without, each with what takes its place. */
const MYSQL_ONLY: readonly (readonly [RegExp, string])[] = [
  [/\b(unsigned|zerofill)\b/gi, ""],
  [/\bcharacter set \w+|\bcollate \w+|\bon update current_timestamp(\(\d*\))?/gi, ""],
  [/\bunique (key|index)\s+`[^`]*`/gi, "unique"],
  [/,\s*((fulltext|spatial)\s+)?(key|index)\s+`[^`]*`\s*\(([^()]|\([^()]*\))*\)/gi, ""],
  [/\)\s*engine\b[\s\S]*$/i, ")"],
];

const BIG = "whole numbers beyond 2^53 need text";

type PlainKind = Exclude<DraftType["kind"], "enum" | "decimal">;

/** The first that fits: types of PostgreSQL, MySQL and SQLite in lower case. */
const TYPES: readonly (readonly [RegExp, PlainKind, string?])[] = [
  [/\[\]$|^json|^array/, "json"],
  [/^(bool|tinyint\s*\(1\))/, "bool"],
  [/^(bigint|int8|bigserial)/, "int", BIG],
  [/^(int|smallint|mediumint|tinyint|serial|smallserial)/, "int"],
  [/^(numeric|decimal|money)/, "text", WIDE_DECIMAL],
  [/^(real|double|float)/, "real"],
  [/^(timestamp|datetime)/, "timestamp"],
  [/^date$/, "date"],
  [
    /^(text|char|varchar|character|citext|uuid|name|nvarchar|nchar|(tiny|medium|long)text|clob)/,
    "text",
  ],
  [/^(bytea|blob|binary|varbinary)/, "text", "bytes became text"],
];

function enumOf(written: string): readonly string[] | undefined {
  if (!/^enum\s*\(/i.test(written)) return undefined;
  return [...written.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = ""]) =>
    value.replaceAll("''", "'")
  );
}

/** Null for what only that database can work out. */
function fallbackOf(written: string, { kind }: DraftType): ForeignColumn["fallback"] {
  const text = written.replace(/::[\w\s".[\]]+$/, "").trim();
  if (/^(now\(\)|current_timestamp|current_date|datetime\('now'\))/i.test(text)) {
    return { kind: "now" };
  }
  const quoted = /^'((?:[^']|'')*)'$/.exec(text)?.[1]?.replaceAll("''", "'");
  if (kind === "bool") {
    return /^(true|1|'1')$/i.test(text) ? true : /^(false|0|'0')$/i.test(text) ? false : null;
  }
  if (kind === "int" || kind === "real") {
    const number = Number(quoted ?? text);
    return text !== "" && Number.isFinite(number) ? number : null;
  }
  if (kind === "decimal") {
    const number = quoted ?? text;
    return /^-?\d+(\.\d+)?$/.test(number) ? number : null;
  }
  return kind === "text" || kind === "enum" ? quoted ?? null : null;
}

function constrain(
  table: OpenTable,
  constraint:
    | cst.TableConstraint
    | cst.CreateTableLikeClause
    | cst.AlterActionAddConstraint["constraint"],
): void {
  if (constraint.type === "constraint_primary_key") {
    table.primaryKey = namesIn(constraint.columns);
  }
  if (constraint.type === "constraint_unique") {
    addUnique(table, namesIn(constraint.columns));
  }
  if (constraint.type !== "constraint_foreign_key") return;
  const [column, ...others] = namesIn(constraint.columns);
  if (others.length > 0) return;
  const references = referenceOf(constraint.references);
  table.columns = table.columns.map((one) => one.name === column ? { ...one, references } : one);
}

function addUnique(table: OpenTable, columns: readonly string[]): void {
  const [only, ...others] = columns;
  if (others.length > 0) table.unique.push(columns);
  else {table.columns = table.columns.map((one) =>
      one.name === only ? { ...one, isUnique: true } : one
    );}
}

function referenceOf({ table, columns, options }: cst.ReferencesSpecification): Reference {
  const action = options.find((option) =>
    option.type === "referential_action" && option.eventKw.name === "DELETE"
  );
  const words = action?.type === "referential_action"
    ? [action.actionKw].flat().map(({ name }) => name.toLowerCase()).join(" ")
    : "";
  const known: readonly OnDelete[] = ["cascade", "set null", "restrict", "no action"];
  const [column = null] = columns ? namesIn(columns) : [];
  return { table: nameOf(table), column, onDelete: known.find((one) => one === words) ?? null };
}

/** The last part of `schema.name`. */
function nameOf(node: unknown): string {
  if (!isJsonObject(node)) return "";
  const { property, name } = node;
  return property === undefined ? String(name ?? "") : nameOf(property);
}

/** Columns of `(a, b)`, also where each has an order. */
function namesIn(list: unknown): readonly string[] {
  const inner = isJsonObject(list) ? list["expr"] : null;
  const items = isJsonObject(inner) && Array.isArray(inner["items"]) ? inner["items"] : [];
  return items.map((item: unknown) =>
    nameOf(isJsonObject(item) && item["expr"] ? item["expr"] : item)
  );
}

/** Cut at semicolons outside of texts, names, bodies and comments; a dump's rows are left out. */
function statementsOf(sql: string): readonly SqlStatement[] {
  const found: SqlStatement[] = [];
  let text = "";
  let line = 1;
  let begun = 1;
  const rowless = sql.replace(
    /^\s*COPY [^;]*;\n[\s\S]*?^\\\.$/gm,
    (rows) => rows.replace(/[^\n]/g, ""),
  );
  for (const [part] of rowless.matchAll(PART)) {
    if (text.trim() === "") begun = line;
    line += part.split("\n").length - 1;
    if (part === ";") {
      found.push({ text: text.trim(), line: begun });
      text = "";
    } else if (!/^(--|\/\*|#)/.test(part)) {
      // Only what stands before a statement may move its beginning.
      if (text.trim() === "" && part.trim() !== "") {
        begun = line - part.trimStart().split("\n").length + 1;
      }
      text += part;
    }
  }
  return [...found, { text: text.trim(), line: begun }].filter((one) => one.text !== "");
}

const PART =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|''|\\.)*'|"[^"]*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$|;|[^'"`;$/-]+|[$/-]/g;
