/** Caches statements by text: each text is parsed once, however often it ran and whatever values it bound. */
import type { Parameter, Statement } from "sql-parser-cst";
import { parameterNumbers, parseSql, startOf } from "./parsed_sql.ts";
import type { RecordedStatement, SqlValue } from "./statement_record.ts";
import { tableUses, type Uses } from "./table_uses.ts";

/** Statement with its bound values. */
export interface BoundSql {
  readonly statement: Statement;
  readonly uses: Uses;
  /** Returns the value of a placeholder; undefined if the statement binds fewer values than it has placeholders. */
  valueOf(parameter: Parameter): SqlValue | undefined;
}

interface ParsedText {
  readonly statement: Statement;
  readonly uses: Uses;
  readonly numbers: ReadonlyMap<number, number>;
}

export class SqlTexts {
  readonly #known = new Map<string, ParsedText | null>();

  /** Returns the parsed statement; null if the text is not one statement of SQLite's. */
  parsed({ sql, args }: Pick<RecordedStatement, "sql" | "args">): BoundSql | null {
    const known = this.#of(sql);
    if (known === null) return null;
    const { statement, uses, numbers } = known;
    return {
      statement,
      uses,
      valueOf: (parameter) => args[numbers.get(startOf(parameter)) ?? args.length],
    };
  }

  #of(sql: string): ParsedText | null {
    const old = this.#known.get(sql);
    if (old !== undefined) return old;
    const statement = parseSql(sql);
    const known = statement === null
      ? null
      : { statement, uses: tableUses(statement), numbers: parameterNumbers(statement) };
    this.#known.set(sql, known);
    return known;
  }
}
