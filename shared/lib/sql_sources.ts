/** Tables and functions that hand-written SQL names (contract 4.4 rule 3, definitions 5). */
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

/** Words that may precede a parenthesis without being a call. None of them is a function. */
const KEYWORDS: ReadonlySet<string> = new Set(
  ("all and as between by case cast conflict distinct else escape except exists filter from having in intersect is join " +
    "limit materialized not offset on or over returning select set then union using values when where")
    .split(" "),
);

/** Operators that call the function of their name. */
const CALLING_OPERATORS: ReadonlySet<string> = new Set(["match", "regexp"]);

/**
 * Refuses functions that hand-written SQL may not call (docs/decisions/scoped_db.md). Allowed are those on SQLite's pages
 * "lang_corefunc", "lang_aggfunc", "windowfunctions", "lang_datefunc" and "json1" that read no files, load no code and reveal
 * nothing about the engine. `declared` are indexes of names before a parenthesis that is no call, such as a table with its
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

/** True for a name before a parenthesis. This includes a table with its columns. */
export function isCall(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return isName(token) && tokens[at + 1]?.text === "(" &&
    !(token.kind === "word" && KEYWORDS.has(token.value));
}

const TABLE_FUNCTIONS: ReadonlySet<string> = new Set(["json_each", "json_tree"]);

/** Words that end a FROM clause. None of them can be a name. */
const ENDS: ReadonlySet<string> = new Set(
  "where group having order limit union intersect except returning set".split(" "),
);

/** A common table expression, with the range of tokens in which it is visible. */
interface Declared {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Refuses sources that a statement may not read (SQLite's grammar, "join-clause" and "table-or-subquery"). Allowed are the
 * project's tables, common table expressions in scope, `json_each` and `json_tree`. Others are the engine's modules, which list
 * folders, files and pages. Returns the indexes of names that are followed by a list in parentheses and are no calls.
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

/** Returns the names of each WITH clause with their scopes. `heads` receives their indexes. */
function declarations(tokens: readonly Token[], heads: Set<number>): readonly Declared[] {
  return tokens.flatMap((_, at) => {
    // A WITH is at the beginning of the statement or of parentheses, or between the columns of an INSERT and its SELECT.
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

/** Reads `name [(columns)] AS [[NOT] MATERIALIZED] (…)`, separated by commas. */
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

/** Returns the end of the scope: the parenthesis around it, or what follows the SELECT of an INSERT. */
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

/** Returns the index of the parenthesis that closes the one at `open`; -1: none does. */
export function closingOf(tokens: readonly Token[], open: number): number {
  const depth = tokens[open]?.depth;
  return tokens.findIndex((token, at) => at > open && token.text === ")" && token.depth === depth);
}

interface Level {
  /** True inside a FROM clause, where commas separate tables. */
  isFrom: boolean;
  /** True when a table or a parenthesis comes next. */
  isNext: boolean;
}

/** Returns the indexes at which tables are read. */
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
      // Parentheses after IN contain values, or a SELECT with its own FROM.
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

/** True at a word that ends a FROM clause. WINDOW is a name unless a definition follows. */
function isEnd(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== "word" || tokens[at - 1]?.text === ".") return false;
  if (ENDS.has(token.value)) return true;
  return token.value === "window" && isName(tokens[at + 1]) && isKeyword(tokens, at + 2, "as");
}
