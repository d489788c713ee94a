/**
 * Reads tables from an SQL schema, a dump or a folder of migrations. It tries PostgreSQL, MySQL and SQLite for each file and
 * statement.
 */
import * as foreign from "./foreign_schema.ts";
import { Ledger } from "./ledger.ts";
import { readDefault } from "./sql/defaults.ts";
import { checkOf, expressionOf, parsedExpression } from "./sql/expressions.ts";
import {
  findTable,
  type OpenColumn,
  type OpenRelation,
  type OpenTable,
} from "./sql/open_tables.ts";
import { policyCondition } from "./sql/policies.ts";
import { readStatement, type Statement } from "./sql/read_statement.ts";
import { SqlSchema } from "./sql/schema.ts";
import { type SqlFile, type SqlStatement, statementsOf } from "./sql/statements.ts";
import { type Dialect, DIALECTS } from "./sql/tokens.ts";
import { readType } from "./sql/types.ts";

/** Reads the files. Throws `DraftError` if they create no table. */
export function readSql(files: string | readonly SqlFile[]): foreign.ForeignSchema {
  const ledger = new Ledger();
  const schema = new SqlSchema(ledger);
  const all = typeof files === "string" ? [{ path: "the file", text: files }] : files;
  for (const file of all) applyFile(file, all.length === 1, schema, ledger);
  if (schema.tables.size === 0) {
    throw new foreign.DraftError(
      "It has no CREATE TABLE: give it a schema, such as pg_dump --schema-only makes",
    );
  }
  return { tables: new Finished(schema, ledger).tables(), ledger };
}

function applyFile(file: SqlFile, isAlone: boolean, schema: SqlSchema, ledger: Ledger): void {
  const tries = DIALECTS.map((dialect) => {
    const { statements, blocks } = statementsOf(file, dialect, isAlone);
    const read = statements.map((statement) => readStatement(statement.tokens, dialect));
    const faults = read.reduce((sum, one) => sum + one.faults, 0) +
      foreignWords(file.text, statements, dialect);
    return { dialect, statements, blocks, read, faults };
  });
  const best = tries.reduce((one, other) => other.faults < one.faults ? other : one);
  for (const { what, place } of best.blocks) {
    ledger.leaveOut(ledger.open("statement", place), what);
  }
  best.statements.forEach((statement, at) => {
    const read = best.read[at];
    const found = read && read.faults === 0
      ? read.statements
      : readAnyhow(statement, best.dialect, read?.faults ?? 0);
    for (const one of found) schema.apply(one, statement.place);
  });
}

/** Counts words and quotes of other dialects in a text that all three can read: the dialect with the fewest is chosen. */
function foreignWords(
  text: string,
  statements: readonly SqlStatement[],
  dialect: Dialect,
): number {
  const isForeign = ({ kind, value, raw }: SqlStatement["tokens"][number]) =>
    (kind === "name" && raw.startsWith("`") && dialect === "postgresql") ||
    (kind === "word" && value === "auto_increment" && dialect !== "mysql") ||
    (kind === "word" && value === "autoincrement" && dialect !== "sqlite") ||
    (kind === "sign" && value === "::" && dialect !== "postgresql");
  const words = statements.reduce((sum, { tokens }) => sum + tokens.filter(isForeign).length, 0);
  // Only MySQL runs the content of such a comment.
  const isRun = dialect !== "mysql" && /^\/\*!\d{5}/m.test(text);
  return words / 1000 + (isRun ? 1 : 0);
}

/** Reads a statement in the dialect with the fewest faults. */
function readAnyhow(
  { tokens }: SqlStatement,
  own: Dialect,
  faults: number,
): readonly Statement[] {
  const others = DIALECTS.filter((dialect) => dialect !== own);
  const tried = [own, ...others].map((dialect) => readStatement(tokens, dialect));
  const best = tried.reduce((one, other) => other.faults < one.faults ? other : one);
  return best.faults < faults ? best.statements : tried[0]?.statements ?? [];
}

/** Converts open tables to the final schema. */
class Finished {
  readonly #schema: SqlSchema;
  readonly #ledger: Ledger;
  /** Names of tables: the last part, if no other table has it. */
  readonly #names: ReadonlyMap<OpenTable, string>;

  constructor(schema: SqlSchema, ledger: Ledger) {
    this.#schema = schema;
    this.#ledger = ledger;
    const all = [...schema.tables.values()];
    const lastOf = ({ path }: OpenTable) => (path.at(-1) ?? "").toLowerCase();
    this.#names = new Map(all.map((table) => {
      const isOne = all.filter((other) => lastOf(other) === lastOf(table)).length === 1;
      return [table, isOne ? table.path.at(-1) ?? "" : table.path.slice(-2).join(".")];
    }));
  }

  tables(): readonly foreign.ForeignTable[] {
    return [...this.#schema.tables.values()].map((table) => this.#table(table));
  }

  #table(table: OpenTable): foreign.ForeignTable {
    const name = this.#names.get(table) ?? "";
    const own = (names: readonly string[]) => names.map((one) => ownColumn(table, one));
    return {
      clause: table.clause,
      name,
      columns: table.columns.map((column) => this.#column(column)),
      key: table.key && { clause: table.key.clause, columns: own(table.key.columns) },
      unique: table.unique.map((one) => ({ ...one, columns: own(one.columns) })),
      indexes: table.indexes.map((one) => ({ ...one, columns: own(one.columns) })),
      relations: table.relations.map((relation) => this.#relation(table, relation)),
      checks: table.checks.map(({ clause, tokens }) => ({ clause, condition: checkOf(tokens) })),
      policies: table.policies.map(({ tokens, ...policy }) => ({
        ...policy,
        condition: policyCondition(
          tokens,
          table.path.at(-1) ?? "",
          (called) => {
            const found = findTable(this.#schema.tables, called);
            return found && new Set(found.columns.map((one) => one.name.toLowerCase()));
          },
        ),
      })),
      comment: table.comment,
    };
  }

  #relation(table: OpenTable, { clause, columns, references }: OpenRelation): foreign.Relation {
    const target = findTable(this.#schema.tables, references.table);
    return {
      clause,
      columns: columns.map((one) => ownColumn(table, one)),
      table: target ? this.#names.get(target) ?? "" : references.table,
      targets: references.targets === null || !target
        ? references.targets
        : references.targets.map((one) => ownColumn(target, one)),
      onDelete: references.onDelete,
      question: references.question,
    };
  }

  #column(column: OpenColumn): foreign.ForeignColumn {
    const { enums, sequences } = this.#schema;
    const { type, question, maxLength } = readType(column.type, enums);
    const { generated, fallback, length } = column;
    const parsed = generated && parsedExpression(generated.tokens);
    // An auto-incrementing number needs no clause of its own for that.
    const counted = column.isCounted && fallback === null
      ? { clause: this.#ledger.open("default", column.clause.place), value: COUNTED }
      : null;
    return {
      clause: column.clause,
      name: column.name,
      type,
      question,
      isRequired: column.isRequired,
      length: length && { clause: length.clause, max: maxLength ?? 0 },
      fallback: fallback
        ? { clause: fallback.clause, value: readDefault(fallback.tokens, sequences) }
        : counted,
      generated: generated &&
        { clause: generated.clause, expression: parsed && expressionOf(parsed) },
      comment: column.comment,
    };
  }
}

const COUNTED: foreign.ForeignDefault = { kind: "sequence", start: 1 };

/** Returns the name as the column's own definition spells it. */
function ownColumn({ columns }: OpenTable, name: string): string {
  return columns.find((one) => one.name.toLowerCase() === name.toLowerCase())?.name ?? name;
}
