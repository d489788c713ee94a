/** `q.scope(…)`: the id of the organization, owner or team of a row. */
import type { ScopeKind } from "../contract/mod.ts";
import { type ColumnTypeRecord, SCALAR_RULES } from "./column_type.ts";
import { TEXT_STORAGE, textValues } from "./texts.ts";

interface ScopeType {
  readonly kind: "scope";
  readonly scope: ScopeKind;
}

export const scope: ColumnTypeRecord<ScopeType, string> = {
  plain: null,
  aliases: [],
  manager: "scope",
  storage: () => TEXT_STORAGE,
  fitsSql: () => null,
  rules: { ...SCALAR_RULES, holdsIds: true },
  values: () => ({ ...textValues(null), neighbours: () => [] }),
};
