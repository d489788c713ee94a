/** `q.enum([…])`: one of a fixed set of texts. */
import { z } from "zod";
import { sqlString } from "../lib/sql_text.ts";
import { type ColumnTypeRecord, PLAIN_VALUES, typed, type ValueType } from "./column_type.ts";
import { TEXT_RULES, TEXT_STORAGE } from "./texts.ts";

interface EnumType {
  readonly kind: "enum";
  readonly values: readonly string[];
}

export const enumeration: ColumnTypeRecord<EnumType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => TEXT_STORAGE,
  fitsSql: (cell, { values }) => oneOfSql(cell, values),
  rules: TEXT_RULES,
  values: (type) => enumValues(type.values),
};

/** Returns SQL that is true for one of the texts. For three or more in a list SQLite would build a table. */
export function oneOfSql(cell: string, values: readonly string[]): string {
  return values.length > COMPARED_MAX
    ? `${cell} IN (${values.map(sqlString).join(", ")})`
    : `(${values.map((value) => `${cell} = ${sqlString(value)}`).join(" OR ")})`;
}

const COMPARED_MAX = 6;

export function enumValues(values: readonly string[]): ValueType {
  const querySchema = { type: "string", enum: values } as const;
  const listed = values.join(", ");
  return {
    ...PLAIN_VALUES,
    schema: querySchema,
    words: `one of ${values.map((value) => `\`${value}\``).join(", ")}`,
    enum: values,
    choices: values,
    body: () => z.enum([...values], { error: typed(`Must be one of ${listed}`) }),
    querySchema,
    hasText: true,
    hasCase: true,
    read: (text) => values.includes(text) ? text : undefined,
    expected: `one of ${listed}`,
    mismatch: (value) => {
      if (typeof value !== "string") return "a string";
      return values.includes(value)
        ? null
        : `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`;
    },
    example: () => values[0] ?? "",
    sample: () => values[0] ?? "",
    twins: (at) => {
      const [one, other] = [values[at % values.length], values[(at + 1) % values.length]];
      return one === undefined || other === undefined || one === other ? null : [one, other];
    },
  };
}
