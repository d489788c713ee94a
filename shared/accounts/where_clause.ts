/** better-auth's conditions as SQL with bound values. */
import type { CleanedWhere } from "better-auth/adapters";
import type { SqlValue } from "../runtime/ports.ts";
import { type AuthTable, columnOf } from "./auth_columns.ts";

interface Clause {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

type Operator = NonNullable<CleanedWhere["operator"]>;

/** `WHERE …` or nothing: all AND conditions, and one of the OR conditions if there are any. */
export function whereClause(table: AuthTable, where: readonly CleanedWhere[] = []): Clause {
  const clauses = where.map((condition) => ({
    connector: condition.connector ?? "AND",
    ...conditionClause(table, condition),
  }));
  const all = clauses.filter(({ connector }) => connector === "AND");
  const any = clauses.filter(({ connector }) => connector === "OR");
  const parts = [...all.map(({ sql }) => sql)];
  if (any.length > 0) parts.push(`(${any.map(({ sql }) => sql).join(" OR ")})`);
  return {
    sql: parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`,
    args: [...all, ...any].flatMap(({ args }) => args),
  };
}

/** A value as SQLite keeps it. */
export function sqlValue(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "number") return value;
  throw new Error(`Accounts cannot store a value of type ${typeof value}`);
}

function conditionClause(table: AuthTable, condition: CleanedWhere): Clause {
  const { field, operator = "eq", value, mode } = condition;
  const folds = mode === "insensitive";
  const column = folds ? `lower(${columnOf(table, field)})` : columnOf(table, field);
  const bound = folds ? "lower(?)" : "?";
  if (operator === "in" || operator === "not_in") {
    return listClause({ column, bound, negated: operator === "not_in" }, value);
  }
  if (value === null) return { sql: nullTest(column, operator), args: [] };
  return comparison({ column, bound, operator }, sqlValue(value));
}

function nullTest(column: string, operator: Operator): string {
  if (operator === "eq") return `${column} IS NULL`;
  if (operator === "ne") return `${column} IS NOT NULL`;
  throw new Error(`Accounts cannot compare null with "${operator}"`);
}

function listClause(
  { column, bound, negated }: { column: string; bound: string; negated: boolean },
  value: unknown,
): Clause {
  if (!Array.isArray(value)) throw new Error("A list condition needs a list");
  const list = value.map(() => bound).join(", ");
  return { sql: `${column} ${negated ? "NOT IN" : "IN"} (${list})`, args: value.map(sqlValue) };
}

const COMPARISONS = { eq: "=", ne: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

function comparison(
  { column, bound, operator }: {
    column: string;
    bound: string;
    operator: Exclude<Operator, "in" | "not_in">;
  },
  value: SqlValue,
): Clause {
  switch (operator) {
    case "contains":
      return { sql: `instr(${column}, ${bound}) > 0`, args: [value] };
    case "starts_with":
      return { sql: `instr(${column}, ${bound}) = 1`, args: [value] };
    case "ends_with":
      return {
        sql: `substr(${column}, length(${column}) - length(?) + 1) = ${bound}`,
        args: [value, value],
      };
    default:
      return { sql: `${column} ${COMPARISONS[operator]} ${bound}`, args: [value] };
  }
}
