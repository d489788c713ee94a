/**
 * Parses the SQL of a data step as the database would: over the tables and columns at the time when it runs (definitions 1).
 */
import { bindStatement, type KnownColumns } from "../../../lib/bind_statement.ts";
import { nearest } from "../../../lib/nearest.ts";
import { statementsIn } from "../../../lib/sql_script.ts";
import { MisreadSqlError } from "../../../lib/sql_reader.ts";
import { requireFunctions, requireSources, sourcesIn } from "../../../lib/sql_sources.ts";
import { isKeyword, isName, RefusedSqlError, tokensOf } from "../../../lib/sql_tokens.ts";
import { positionAt } from "../../diagnostics/lines.ts";
import type { Report } from "../../diagnostics/report.ts";

/** SQL names of the tables at the time when a step runs, each with its columns; null: its columns are not known. */
export type SchemaNames = ReadonlyMap<string, readonly string[] | null>;

/**
 * Returns the tables that the statements name; null: something was reported. `service` lists tables that only the service
 * writes.
 */
export function readScript(
  step: {
    readonly file: string;
    readonly text: string;
  },
  { tables: known, service }: {
    readonly tables: SchemaNames;
    readonly service: readonly string[];
  },
  report: Report,
): ReadonlySet<string> | null {
  const named = new Set<string>();
  let isSound = true;
  const statements = statementsIn(step.text);
  const names = [...known.keys()];
  for (const { sql, start } of statements) {
    const placeAt = (at: number) => ({
      file: step.file,
      ...positionAt(step.text, start + at),
      length: 1,
    });
    const place = placeAt(0);
    try {
      const { tables, written } = readStatement(sql, names);
      for (const name of tables) named.add(name);
      if (service.includes(written)) {
        report.add("DATA_STEP_SERVICE_TABLE", place, { table: written });
        isSound = false;
      }
      bindStatement(sql, knownColumns(known));
    } catch (error) {
      isSound = false;
      if (error instanceof MisreadSqlError) {
        report.add("DATA_STEP_SQL", placeAt(error.start), { problem: error.message });
      } else if (error instanceof UnknownTable) {
        const { table } = error;
        report.add("DATA_STEP_TABLE", place, { table, nearest: nearest(table, names) });
      } else if (error instanceof RefusedSqlError) {
        report.add("DATA_STEP_SQL", place, { problem: error.message });
      } else {
        throw error;
      }
    }
  }
  if (statements.length === 0) {
    const place = { file: step.file, line: 1, column: 1, length: 1 };
    report.add("DATA_STEP_SQL", place, { problem: "This data step has no statement" });
  }
  return isSound && statements.length > 0 ? named : null;
}

class UnknownTable extends Error {
  constructor(readonly table: string) {
    super(`There is no table '${table}'`);
  }
}

const VERBS: ReadonlySet<string> = new Set(["insert", "replace", "update", "delete", "with"]);

/** Returns the tables of one statement, and the one that it writes. Throws `RefusedSqlError` and `UnknownTable`. */
function readStatement(sql: string, known: readonly string[]) {
  const tokens = tokensOf(sql);
  const [first] = tokens;
  if (first?.kind !== "word" || !VERBS.has(first.value)) {
    throw new RefusedSqlError(`"${first?.text ?? ""}"`, "begins no statement of a data step");
  }
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  const parameter = tokens.find(({ kind }) => kind === "parameter");
  if (parameter) throw new RefusedSqlError(`"${parameter.text}"`, "has nothing to stand for");
  // Finds the table of `INSERT INTO x` or `UPDATE [OR REPLACE] x`. The table of `DELETE FROM x` follows FROM like any source.
  const verb = tokens.findIndex((token, at) =>
    token.depth === 0 && ["insert", "replace", "update", "delete"].includes(token.value) &&
    isKeyword(tokens, at, token.value) && (at === 0 || first.value === "with")
  );
  if (verb < 0) throw new RefusedSqlError('"with"', "changes no row");
  const after = tokens.findIndex((token, at) =>
    at > verb && !(token.kind === "word" && LEADING.has(token.value))
  );
  const target = tokens[after];
  const written = isName(target) ? names.get(target.value) : undefined;
  if (!isName(target) || written === undefined) throw new UnknownTable(target?.value ?? "");
  if (tokens[after + 1]?.text === ".") {
    throw new RefusedSqlError(`"${target.text}."`, "is refused: name tables without their schema");
  }
  const heads = requireSources(tokens, names, "is no table that a data step may read");
  requireFunctions(tokens, new Set([...heads, after]));
  const read = sourcesIn(tokens).flatMap((at) => names.get(tokens[at]?.value ?? "") ?? []);
  return { tables: new Set([written, ...read]), written };
}

/** Words that may occur between a verb and the table that it writes. */
const LEADING: ReadonlySet<string> = new Set(
  "into from or replace ignore abort fail rollback".split(" "),
);

/** Returns the columns in lower case, as SQLite compares them. */
function knownColumns(tables: SchemaNames): KnownColumns {
  return new Map(
    [...tables].flatMap(([table, columns]) =>
      columns === null
        ? []
        : [[table.toLowerCase(), columns.map((column) => column.toLowerCase())] as const]
    ),
  );
}

/** A column that a statement gives a value; SQL names in lower case. */
interface Assignment {
  readonly table: string;
  readonly column: string;
}

/** Returns the columns that the updates of a step write; null: one of its statements cannot run over these tables. */
export function updatesOf(text: string, tables: SchemaNames): readonly Assignment[] | null {
  const names = [...tables.keys()];
  const found: Assignment[] = [];
  for (const { sql } of statementsIn(text)) {
    try {
      const { written: table } = readStatement(sql, names);
      const { written, isUpdate } = bindStatement(sql, knownColumns(tables));
      if (isUpdate) {
        found.push(...written.map((column) => ({ table: table.toLowerCase(), column })));
      }
    } catch (error) {
      if (error instanceof RefusedSqlError || error instanceof UnknownTable) return null;
      throw error;
    }
  }
  return found;
}
