/** `q.text()`: any text, or one of its `enum`. */
import type { ColumnTypeRecord } from "./column_type.ts";
import { enumValues, oneOfSql } from "./enum.ts";
import { shapedValues } from "./shaped_texts.ts";
import { TEXT_RULES, TEXT_STORAGE } from "./texts.ts";

interface TextType {
  readonly kind: "text";
  /** Most code points; null: no limit. */
  readonly maxLength: number | null;
  readonly enum: readonly string[] | null;
  /** Fewest code points. Absent: no limit. */
  readonly minLength?: number;
  /** Pattern as in JSON Schema: unanchored, with the flag `u`. It is proved to match in linear time. */
  readonly pattern?: string;
  /** Texts that match the pattern. They are given, because none can be derived from it. */
  readonly examples?: readonly string[];
}

export const text: ColumnTypeRecord<TextType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => TEXT_STORAGE,
  fitsSql: (cell, type) => type.enum ? oneOfSql(cell, type.enum) : null,
  rules: { ...TEXT_RULES, holdsIds: true, key: "text" },
  values: (type) => type.enum ? enumValues(type.enum) : shapedValues(type),
};
