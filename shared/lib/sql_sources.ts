/** Names that hand-written SQL reads and calls: its tables and its functions (contract 4.4 rule 3, definitions 5). */
import { isKeyword, isName, refuseConstruct, type Token } from "./sql_tokens.ts";

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

/**
 * The functions that SQL by hand may call (docs/decisions/scoped_db.md): those of SQLite's own pages
 * "lang_corefunc", "lang_aggfunc", "windowfunctions", "lang_datefunc" and "json1" that neither read files, load code nor
 * tell of the engine. `declared` are the places of names that a parenthesis follows without a call: tables with their
 * columns.
 */
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

const TABLE_FUNCTIONS: ReadonlySet<string> = new Set(["json_each", "json_tree"]);

/** Words that end a FROM clause; none of them can be a name. */
const ENDS: ReadonlySet<string> = new Set(
  "where group having order limit union intersect except returning set".split(" "),
);

/** A common table expression, and the tokens that see it. */
interface Declared {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The places in which a statement names what it reads (SQLite's grammar, "join-clause" and "table-or-subquery"): the
 * project's tables, common table expressions that stand around the place, `json_each` and `json_tree`. Whatever else an
 * engine reads by name is refused: its modules list folders, files and pages, and are tables without being the
 * project's. Refuses other sources; gives the places of names that a list in parentheses follows without a call.
 */
export function requireSources(
  tokens: readonly Token[],
  tables: { has(name: string): boolean },
  isNone = "is no table of the project that a handler may read",
): ReadonlySet<number> {
  const heads = new Set<number>();
  const declared = declarations(tokens, heads);
  for (const at of sourcesIn(tokens)) {
    const token = tokens[at];
    if (!isName(token)) {
      refuseConstruct(`"${tokens[at]?.text ?? ""}"`, "stands where a table is read");
    }
    const { value } = token;
    const isCall = tokens[at + 1]?.text === "(";
    const isKnown = isCall
      ? TABLE_FUNCTIONS.has(value)
      : tables.has(value) || TABLE_FUNCTIONS.has(value) ||
        declared.some(({ name, from, to }) => name === value && from <= at && at < to);
    if (!isKnown || tokens[at + 1]?.text === ".") {
      refuseConstruct(`"${value}"`, isNone);
    }
    heads.add(at);
  }
  for (const at of tokens.keys()) if (isKeyword(tokens, at - 1, "into")) heads.add(at);
  return heads;
}

/** The names of each WITH clause, seen within the parentheses around it. `heads` gets their places. */
function declarations(tokens: readonly Token[], heads: Set<number>): readonly Declared[] {
  return tokens.flatMap((_, at) => {
    // At the beginning, of parentheses too, or between the columns of an INSERT and what it selects.
    if (
      !isKeyword(tokens, at, "with") || !(at === 0 || tokens[at - 1]?.text === "(" ||
        (tokens[at]?.depth === 0 && tokens[at - 1]?.text === ")"))
    ) return [];
    const to = endOfScope(tokens, at);
    return namesOf(tokens, isKeyword(tokens, at + 1, "recursive") ? at + 2 : at + 1).map((name) => {
      heads.add(name);
      return { name: tokens[name]?.value ?? "", from: at, to };
    });
  });
}

/** `name [(columns)] AS [[NOT] MATERIALIZED] (…)`, parted by commas. */
function namesOf(tokens: readonly Token[], first: number): readonly number[] {
  const names: number[] = [];
  for (let at = first; isName(tokens[at]);) {
    let next = tokens[at + 1]?.text === "(" ? closingOf(tokens, at + 1) + 1 : at + 1;
    if (!isKeyword(tokens, next, "as")) break;
    next += 1;
    if (isKeyword(tokens, next, "not")) next += 1;
    if (isKeyword(tokens, next, "materialized")) next += 1;
    if (tokens[next]?.text !== "(") break;
    names.push(at);
    next = closingOf(tokens, next) + 1;
    if (tokens[next]?.text !== ",") break;
    at = next + 1;
  }
  return names;
}

/** Up to the parenthesis around it; of an INSERT's SELECT up to what follows it. */
function endOfScope(tokens: readonly Token[], at: number): number {
  const depth = tokens[at]?.depth ?? 0;
  const end = tokens.findIndex((token, place) =>
    place > at && (token.depth < depth ||
      (at > 0 && depth === 0 && token.depth === 0 &&
        (isKeyword(tokens, place, "returning") ||
          (isKeyword(tokens, place, "on") && isKeyword(tokens, place + 1, "conflict")))))
  );
  return end < 0 ? tokens.length : end;
}

/** The place of the parenthesis that closes the one at `open`; -1: none. */
export function closingOf(tokens: readonly Token[], open: number): number {
  const depth = tokens[open]?.depth;
  return tokens.findIndex((token, at) => at > open && token.text === ")" && token.depth === depth);
}

interface Level {
  /** Inside of a FROM clause, where commas part tables. */
  isFrom: boolean;
  /** A table or a parenthesis comes next. */
  isNext: boolean;
}

/** The places where tables are read. */
export function sourcesIn(tokens: readonly Token[]): readonly number[] {
  const places: number[] = [];
  const levels: Level[] = [{ isFrom: false, isNext: false }];
  for (const [at, token] of tokens.entries()) {
    const level = levels.at(-1);
    if (!level) throw new Error("Parentheses do not match");
    if (token.text === ")") {
      levels.pop();
    } else if (token.text === "(") {
      const holdsTables = level.isNext &&
        !["select", "values", "with"].some((word) => isKeyword(tokens, at + 1, word));
      level.isNext = false;
      levels.push({ isFrom: holdsTables, isNext: holdsTables });
    } else if (level.isNext) {
      places.push(at);
      level.isNext = false;
    } else if (
      isKeyword(tokens, at, "from")
        ? !isKeyword(tokens, at - 1, "distinct")
        : isKeyword(tokens, at, "join") || isKeyword(tokens, at, "in")
    ) {
      // Parentheses after IN hold values, or a SELECT of their own.
      if (isKeyword(tokens, at, "in")) level.isNext = tokens[at + 1]?.text !== "(";
      else Object.assign(level, { isFrom: true, isNext: true });
    } else if (token.text === ",") {
      level.isNext = level.isFrom;
    } else if (isEnd(tokens, at)) {
      level.isFrom = false;
    }
  }
  return places;
}

/** WINDOW is a name everywhere but before a definition. */
function isEnd(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== "word" || tokens[at - 1]?.text === ".") return false;
  if (ENDS.has(token.value)) return true;
  return token.value === "window" && isName(tokens[at + 1]) && isKeyword(tokens, at + 2, "as");
}
