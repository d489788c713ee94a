/** Context in which the parts of one resource are read. */
import type { WRITE } from "../../../../definition_language/resource.ts";
import type { Access } from "../../../../model/access.ts";
import { type Analysis, requireColumn } from "../tables/analysis.ts";
import { type Fields, readField } from "../read/fields.ts";
import type { At, Reader, Token } from "../read/reader.ts";
import { readTokens } from "../read/scalars.ts";
import type { ResourceFields, TableDraft } from "../tables/draft.ts";
import type { Relations } from "../tables/relations.ts";
import { NOBODY, readAccess } from "./access.ts";

export interface ResourceScope {
  readonly analysis: Analysis;
  readonly table: TableDraft;
  readonly options: ResourceFields;
  readonly relations: Relations;
}

type Ruled = Fields<Pick<(typeof WRITE)["members"], "access">>;

/** The rule of an operation; without one nobody may use it, which is said once. */
export function accessOf(fields: Ruled, scope: ResourceScope): Access {
  const reader = accessReader(scope);
  if (!fields.entries.has("access")) {
    fields.at.report.add("ACCESS_MISSING", fields.place, { operation: fields.at.path });
    return NOBODY;
  }
  return readField(fields, "access", reader) ?? NOBODY;
}

export function accessReader({ analysis, table }: ResourceScope): Reader<Access> {
  return readAccess({ table, hierarchy: analysis.config.hierarchy });
}

/** A list of column names, those that exist. */
export function columnTokens(
  { table }: Pick<ResourceScope, "table">,
): (value: Parameters<typeof readTokens>[0], at: At) => readonly Token[] | undefined {
  return (value, at) =>
    readTokens(value, at)?.filter((token) => requireColumn(token, table, at.report) !== undefined);
}

/** A list of foreign-key columns. */
export function foreignKeyTokens(scope: ResourceScope): Reader<readonly Token[]> {
  return (value, at) =>
    columnTokens(scope)(value, at)?.filter((token) => {
      const column = scope.table.columns.get(token.text);
      // A foreign key that did not resolve was reported where it stands.
      if (scope.relations.has(token.text) || column?.references || !column?.type) return true;
      at.report.add("INCLUDE_NOT_KEY", token.place, { column: token.text });
      return false;
    });
}

export function textsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.map((token) => token.text);
}
