/**
 * The functions that a handler's statement may call (docs/decisions/scoped_db.md): those of SQLite's own pages "lang_corefunc",
 * "lang_aggfunc", "windowfunctions", "lang_datefunc" and "json1" that neither read files, load code nor tell of the engine.
 */
import { refuseConstruct } from "./scoped_db_error.ts";
import { isName, type Token } from "./sql_tokens.ts";

const SCALAR =
  "abs char coalesce concat concat_ws format glob hex ifnull iif instr length like likelihood " +
  "likely lower ltrim max min nullif octet_length printf quote random randomblob replace round rtrim sign soundex " +
  "substr substring trim typeof unhex unicode unlikely upper zeroblob";
const AGGREGATE =
  "avg count group_concat json_group_array json_group_object jsonb_group_array jsonb_group_object " +
  "string_agg sum total";
const WINDOW =
  "cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number";
const DATE = "date datetime julianday strftime time timediff unixepoch";
const JSON_FUNCTIONS =
  "json json_array json_array_length json_error_position json_extract json_insert json_object " +
  "json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid jsonb jsonb_array " +
  "jsonb_extract jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set";

const FUNCTIONS: ReadonlySet<string> = new Set(
  [SCALAR, AGGREGATE, WINDOW, DATE, JSON_FUNCTIONS].flatMap((names) => names.split(" ")),
);

/** Words before a parenthesis that is no call. None of them is the name of a function. */
const KEYWORDS: ReadonlySet<string> = new Set(
  ("all and as between by case cast conflict distinct else escape except exists filter from having in intersect is join " +
    "limit materialized not offset on or over returning select set then union using values when where")
    .split(" "),
);

/** Operators that call a function of their name. */
const CALLING_OPERATORS: ReadonlySet<string> = new Set(["match", "regexp"]);

/** `declared` are the places of names that a parenthesis follows without a call: tables with their columns. */
export function requireFunctions(tokens: readonly Token[], declared: ReadonlySet<number>): void {
  for (const [at, token] of tokens.entries()) {
    if (!isName(token) || declared.has(at)) continue;
    const isOperator = token.kind === "word" && CALLING_OPERATORS.has(token.value) &&
      tokens[at - 1]?.text !== ".";
    if (!isOperator && (!isCall(tokens, at) || FUNCTIONS.has(token.value))) continue;
    refuseConstruct(
      `"${token.value}()"`,
      "is refused: statements call SQLite's core, aggregate, window, date and JSON functions, " +
        "but for those that tell of the engine",
    );
  }
}

/** True for a name before a parenthesis, that of a table with its columns included. */
export function isCall(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return isName(token) && tokens[at + 1]?.text === "(" &&
    !(token.kind === "word" && KEYWORDS.has(token.value));
}
