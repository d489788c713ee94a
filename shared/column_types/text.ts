/** `q.text()`: any text, or one of its `enum`. */
import type { ColumnTypeRecord } from "./column_type.ts";
import { enumValues } from "./enum.ts";
import { TEXT_RULES, TEXT_STORAGE, textValues } from "./texts.ts";

interface TextType {
  readonly kind: "text";
  /** Code points. */
  readonly maxLength: number | null;
  readonly enum: readonly string[] | null;
}

export const text: ColumnTypeRecord<TextType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => TEXT_STORAGE,
  rules: { ...TEXT_RULES, holdsIds: true, key: "text" },
  values: (type) => type.enum ? enumValues(type.enum) : textValues(type.maxLength),
};
