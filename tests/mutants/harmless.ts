/** Mutants that change nothing which a caller could ever see, each with the reason: they do not count, and are listed. */

export interface Harmless {
  readonly module: string;
  /** The line of the module, trimmed. */
  readonly text: string;
  readonly change: string;
  readonly reason: string;
}

const SCOPED_DB = "shared/runtime/data/scoped_db";

export const HARMLESS: readonly Harmless[] = [
  {
    module: "shared/runtime/data/comparisons.ts",
    text: "if (other === null || other instanceof Uint8Array || one instanceof Uint8Array) {",
    change: "`||` → `&&`",
    reason: "an operand is neither NULL nor a BLOB here",
  },
  {
    module: "shared/runtime/data/judged_rows.ts",
    text: "if (rules.length === 0) return true;",
    change: "`rules.length === 0` → `false`",
    reason: "a rule of no parts holds on every row, and is judged without the database",
  },
  {
    module: "shared/runtime/data/judged_rows.ts",
    text: "if (!followsRelations(whole)) return rowSatisfies(whole, row, firewall);",
    change: "`!followsRelations(whole)` → `false`",
    reason: "the database says the same of a rule that follows no relation",
  },
  {
    module: "shared/runtime/records/judge_written.ts",
    text: "if (related === null && following === null) return null;",
    change: "`related === null && following === null` → `false`",
    reason: "rules that ask for nothing are asked, and hold",
  },
  {
    module: "shared/runtime/data/conditions.ts",
    text: "if (value === undefined) throw new Error(`The stored row has no column '${name}'`);",
    change: "`value === undefined` → `false`",
    reason: "a rule names columns of its row alone; the driver takes no undefined either",
  },
  {
    module: "shared/runtime/data/conditions.ts",
    text: "if (!table.softDelete || !deletedAt) return null;",
    change: "`||` → `&&`",
    reason: "a table has the column deletedAt exactly when its deletes are soft",
  },
  {
    module: `${SCOPED_DB}/parsed_statement.ts`,
    text: "for (let at = from; at < to; at += 1) {",
    change: "`<` → `<=`",
    reason: "behind a value stands a comma, a bracket or a keyword",
  },
  {
    module: `${SCOPED_DB}/clauses.ts`,
    text: "for (let at = from; at < to; at += 1) {",
    change: "`<` → `<=`",
    reason: "the end is what it answers in any case",
  },
  {
    module: `${SCOPED_DB}/parsed_statement.ts`,
    text: "if (makesText(bound.tokens, value)) return boundedValue({ sql, args });",
    change: "`makesText(bound.tokens, value)` → `true`",
    reason: "values that make no text pass the bound",
  },
  {
    module: `${SCOPED_DB}/parsed_statement.ts`,
    text: "return value.to - value.from === 1 ? { sql, args } : { sql: `(${sql})`, args };",
    change: "`===` → `!==`",
    reason: "a value stands between commas, or in a SELECT of its own",
  },
  {
    module: `${SCOPED_DB}/parsed_statement.ts`,
    text: "const names = tokens.filter((token, at) =>",
    change: "`filter` dropped",
    reason: "tables that are mentioned without being read get a scope that nothing reads",
  },
  {
    module: `${SCOPED_DB}/read_origins.ts`,
    text:
      "this.#members.set(holder, members.set(member, [...members.get(member) ?? [], ...origins]));",
    change: "`...members.get(member) ?? []` dropped",
    reason: "the second account of a member, by its SQL, names all that the first does",
  },
  {
    module: `${SCOPED_DB}/result_columns.ts`,
    text: 'if (isCompound || !isKeyword(tokens, body.from, "select")) {',
    change: '`isCompound || !isKeyword(tokens, body.from, "select")` → `false`',
    reason: "the other parts of a UNION count as tables of the first then, and so for every column",
  },
  {
    module: `${SCOPED_DB}/result_columns.ts`,
    text: "for (let at = from; at < to; at += 1) {",
    change: "`<` → `<=`",
    reason: "behind a run of names stands a comma, a bracket or a keyword",
  },
  {
    module: `${SCOPED_DB}/run_statement.ts`,
    text:
      "return sql.length > TEXT_KEPT_MAX ? parse() : home.parsed(`${allowRawSql} ${sql}`, parse);",
    change: "`sql.length > TEXT_KEPT_MAX` → `true`",
    reason: "a statement is read again each time, and says the same",
  },
  {
    module: `${SCOPED_DB}/run_statement.ts`,
    text: "const at = write === null ? -1 : appended.indexOf(write.table.primaryKey);",
    change: "`write === null` → `false`",
    reason: "only writes are rehearsed, so there is a table",
  },
  {
    module: `${SCOPED_DB}/scope.ts`,
    text: "if (known) return known;",
    change: "`known` → `false`",
    reason: "the same firewall is made again",
  },
  {
    module: `${SCOPED_DB}/result_columns.ts`,
    text: "if (isName(alias)) qualify(alias.value, table ? [table] : [...mentioned]);",
    change: "`...mentioned` dropped",
    reason: "a source that is no table counts for every column by itself",
  },
  {
    module: `${SCOPED_DB}/scope.ts`,
    text: "return [...firewalls]",
    change: "`filter` dropped",
    reason: "a table without predicates is read through a form that keeps every row",
  },
  {
    module: `${SCOPED_DB}/allowed_sql.ts`,
    text: "declared.some(({ name, from, to }) => name === value && from <= at && at < to);",
    change: "`<=` → `<`",
    reason: "the first place is that of the word WITH",
  },
  {
    module: `${SCOPED_DB}/sql_tokens.ts`,
    text: 'return (quote === "[" ? inner : inner.replaceAll(quote + quote, quote)).toLowerCase();',
    change: '`quote === "["` → `false`',
    reason: "no table and no column of a project has [[ in its name",
  },
  {
    module: `${SCOPED_DB}/written_values.ts`,
    text:
      "if (!parent) throw new Error(`Column '${column.name}' refers to no table of the model`);",
    change: "`throw` dropped",
    reason: "the compiler resolves every foreign key; the next line throws all the same",
  },
  {
    module: "shared/runtime/destination/check_destination.ts",
    text: 'return hostname.startsWith("[") ? refused("is not a URL") : readName(hostname);',
    change: '`hostname.startsWith("[")` → `false`',
    reason: "a bracket is in no host's name, so it is refused with another reason",
  },
  {
    module: "shared/runtime/layers/1-authentication/bearer_token.ts",
    text: "if (iat === undefined || exp === undefined) return INVALID;",
    change: "`||` → `&&`",
    reason: "the library has refused a token without them; the line is there for the types",
  },
  {
    module: "shared/runtime/layers/1-authentication/delegated.ts",
    text:
      'if (typeof said !== "object" || said === null) throw new VerifierError("must return an object");',
    change: "`||` → `&&`",
    reason: "null is nobody already; for a text the next line throws",
  },
  {
    module: "shared/runtime/layers/1-authentication/token_mint.ts",
    text: 'if (userId === null) throw new Error("Only a user or a scope can bear a token");',
    change: "`throw` dropped",
    reason: "tokens are minted for a session and for a scope; a token without `sub` is refused",
  },
];
