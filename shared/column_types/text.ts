/** `q.text()`: any text, or one of its `enum`. */
import type { ColumnTypeRecord } from "./column_type.ts";
import { enumValues, oneOfSql } from "./enum.ts";
import { shapedValues } from "./shaped_texts.ts";
import { TEXT_RULES, TEXT_STORAGE } from "./texts.ts";

interface TextType {
  readonly kind: "text";
  /** Code points. */
  readonly maxLength: number | null;
  readonly enum: readonly string[] | null;
  /** Code points; absent: none. */
  readonly minLength?: number;
  /** As JSON Schema reads it: unanchored, with the flag `u`. Proved to match in linear time. */
  readonly pattern?: string;
  /** Texts that meet the pattern: nothing makes one up. */
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
