/** `q.revision()`: starts at 1 and grows by one with every write. */
import { type ColumnTypeRecord, SCALAR_RULES, type Storage } from "./column_type.ts";
import { INTEGER_STORAGE, INTEGERS } from "./int.ts";

const REVISION_STORAGE: Storage = { ...INTEGER_STORAGE, default: 1 };

export const revision: ColumnTypeRecord<{ readonly kind: "revision" }, number> = {
  plain: { kind: "revision" },
  aliases: [],
  manager: "revision",
  storage: () => REVISION_STORAGE,
  // `| 0` changes every value but an integer, and is cheaper than calling typeof().
  fitsSql: (cell) => `(${cell} | 0) = ${cell}`,
  rules: SCALAR_RULES,
  values: () => INTEGERS,
};
