/**
 * Checks the names in a handler's statement (contract 4.4 rule 3, definitions 5). SQLite resolves tables to their scoped forms
 * before the statement; this file refuses names that would bypass those.
 */
import type { TableModel } from "../../../model/mod.ts";
import { sourcesIn } from "../../../lib/sql_sources.ts";
import { isName, refuseConstruct, type Token } from "../../../lib/sql_tokens.ts";

/** All words that drizzle's builders and helper functions write. */
const BUILDER_WORDS: ReadonlySet<string> = new Set(
  ("with as select distinct from where group by having order limit offset inner left right full cross join on union " +
    "all intersect except and or not is null in like ilike between exists asc desc count sum avg min max cast text " +
    "json_array json_group_array coalesce values true false insert into update set delete returning conflict do " +
    "nothing lower upper recursive excluded").split(" "),
);

const STATEMENTS: ReadonlySet<string> = new Set(["select", "values", "insert", "update", "delete"]);

/** Schemas with the unscoped tables. */
const SCHEMAS: ReadonlySet<string> = new Set(["main", "temp"]);

/** Prefixes of tables and functions of the engine and of the service. */
const RESERVED_PREFIX = /^(?:sqlite_|pragma_|libsql_|_cf_|__drizzle)/;

export interface AllowedSql {
  /** True when the author declared `allowRawSql: true`. */
  readonly raw: boolean;
  /** The project's tables, by their SQL names in lower case. */
  readonly tables: ReadonlyMap<string, TableModel>;
  /** SQL names of the service's own tables, lower case. */
  readonly serviceTables: ReadonlySet<string>;
  /** SQL names of the columns of the project's tables, lower case. */
  readonly columns: ReadonlySet<string>;
}

export function requireAllowed(tokens: readonly Token[], allowed: AllowedSql): void {
  const sources = new Set(sourcesIn(tokens));
  for (const [at, token] of tokens.entries()) {
    if (!allowed.raw) {
      const isRaw = token.kind === "string" ||
        (token.kind === "word" && !BUILDER_WORDS.has(token.value));
      if (isRaw) {
        refuseConstruct(
          `Raw SQL (${token.text})`,
          "is refused: use drizzle's builders and helper functions, or declare `allowRawSql: true` on the action",
        );
      }
    }
    if (isName(token)) {
      const { value } = token;
      const isKept = RESERVED_PREFIX.test(value) || allowed.serviceTables.has(value);
      if (isKept && (sources.has(at) || !isColumnOrText(tokens, at, allowed))) {
        refuseConstruct(`"${value}"`, "is refused: handlers reach the project's own tables only");
      }
      if (tokens[at + 1]?.text === ".") {
        if (SCHEMAS.has(value) || tokens[at + 3]?.text === ".") {
          refuseConstruct(`"${value}."`, "is refused: name tables without their schema");
        }
      }
    }
  }
}

/** Keywords that a table follows. */
const BEFORE_TABLES: ReadonlySet<string> = new Set(["from", "join", "into", "update", "in"]);

/** True for a column's name or a text that is not called, not before a dot, and not behind a keyword that a table follows. */
function isColumnOrText(tokens: readonly Token[], at: number, { columns }: AllowedSql): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  const after = tokens[at + 1]?.text;
  if (!token || after === "." || after === "(") return false;
  const isAfterDistinct = tokens[at - 2]?.value === "distinct";
  if (before?.kind === "word" && BEFORE_TABLES.has(before.value) && !isAfterDistinct) return false;
  return token.kind === "string" || columns.has(token.value);
}

/** The first word of the statement proper. */
export function requireStatement(verb: Token | undefined): string {
  if (verb?.kind === "word" && STATEMENTS.has(verb.value)) return verb.value;
  return refuseConstruct(
    `A statement that begins with "${verb?.text ?? ""}"`,
    "is refused: handlers select, insert, update and delete",
  );
}
