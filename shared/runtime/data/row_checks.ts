/** Checks rows of columns that a migration changes, before it changes anything (definitions 2, `compiler.migrations`). */
import { z } from "zod";
import { conversionOf, isFit, typeName } from "../../column_types/convert_type.ts";
import { type ColumnType, isColumnType } from "../../column_types/mod.ts";
import { parsedJson } from "../../lib/json.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { ROW_CHECK_MARK, type RowCheck } from "../../model/mod.ts";
import { MigrationError, type SqlValue, type Transaction } from "../ports.ts";
import { fragment } from "./sql.ts";

const columnType = z.custom<ColumnType>(isColumnType);

const rowCheck: z.ZodType<RowCheck> = z.object({
  table: z.string(),
  key: z.string(),
  column: z.string(),
  isRequired: z.boolean(),
  isMasked: z.boolean(),
  types: z.object({ from: columnType, to: columnType, isLossy: z.boolean() }).nullable(),
});

/** Reads the checks at the top of a migration's SQL. Throws `MigrationError` for an unreadable one. */
export function rowChecksOf(sql: string): readonly RowCheck[] {
  return sql.split("\n").filter((line) => line.startsWith(ROW_CHECK_MARK)).map((line) => {
    const { data } = rowCheck.safeParse(parsedJson(line.slice(ROW_CHECK_MARK.length)));
    if (data) return data;
    throw new MigrationError(`A check of the rows cannot be read: ${line}`);
  });
}

/** Rows read at a time. */
const PAGE = 1000;
const EXAMPLES = 3;
const EXAMPLE_LENGTH = 40;

/** Throws `MigrationError` with the column, the number of rows that do not fit, and the first of them. */
export async function checkRows(check: RowCheck, transaction: Transaction): Promise<void> {
  const [table, key, column] = [check.table, check.key, check.column].map(sqlIdentifier);
  const fits = valueCheck(check);
  const examples: string[] = [];
  let count = 0;
  let last: SqlValue | undefined;
  for (;;) {
    const { rows } = await transaction.run(fragment(
      `SELECT ${key}, ${column} FROM ${table}${last === undefined ? "" : ` WHERE ${key} > ?`} ` +
        `ORDER BY ${key} LIMIT ${PAGE}`,
      ...(last === undefined ? [] : [last]),
    ));
    for (const [id = null, value = null] of rows) {
      if (fits(value)) continue;
      count += 1;
      if (examples.length < EXAMPLES) examples.push(exampleOf(id, value, check));
    }
    if (rows.length < PAGE) break;
    last = rows.at(-1)?.[0] ?? null;
  }
  if (count > 0) throw new MigrationError(refusalOf(check, count, examples));
}

function valueCheck({ types, isRequired }: RowCheck): (value: SqlValue) => boolean {
  if (types === null) return (value) => value !== null;
  const conversion = conversionOf(types);
  if (conversion === null) {
    throw new MigrationError("A check of the rows names types that do not convert");
  }
  return (value) => {
    if (value === null) return !isRequired;
    if (value instanceof Uint8Array) return false;
    const said = conversion.read(value);
    return said !== undefined && isFit(types.to, said);
  };
}

function exampleOf(id: SqlValue, value: SqlValue, { isMasked }: RowCheck): string {
  if (isMasked || value === null) return String(id);
  const text = value instanceof Uint8Array ? "bytes" : String(value);
  const shown = [...text].slice(0, EXAMPLE_LENGTH).join("");
  return `${id} (${JSON.stringify(shown)}${shown === text ? "" : "…"})`;
}

function refusalOf(
  { table, column, types, isRequired }: RowCheck,
  count: number,
  examples: readonly string[],
): string {
  const wanted = [
    ...(types ? [`no ${typeName(types.to)} that the column takes from now on`] : []),
    ...(isRequired ? ["no value, which is required from now on"] : []),
  ].join(", or ");
  const more = count > examples.length ? `, and ${count - examples.length} more` : "";
  return `${count} ${count === 1 ? "row holds" : "rows hold"} in ${table}.${column} ${wanted}: ` +
    `${
      examples.join(", ")
    }${more}; change them and migrate again, or put the change into a data step`;
}
