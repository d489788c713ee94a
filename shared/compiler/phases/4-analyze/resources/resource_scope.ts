/** Context in which the parts of one resource are read. */
import { CHILDREN, type WRITE } from "../../../../definition_language/resource.ts";
import { accountOf } from "../../../../column_types/mod.ts";
import { type Access, type ChildrenModel, isPerOrganization } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { type Analysis, requireColumn, tableMeant } from "../tables/analysis.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, invalidValue, type Reader, type Token, wrongType } from "../read/reader.ts";
import { readTokens } from "../read/scalars.ts";
import type { ResourceFields, TableDraft } from "../tables/draft.ts";
import type { RelationGraph } from "../tables/relation_graph.ts";
import type { Relations } from "../tables/relations.ts";
import { NOBODY, readAccess } from "./access.ts";

export interface ResourceScope {
  readonly analysis: Analysis;
  readonly table: TableDraft;
  readonly options: ResourceFields;
  readonly relations: Relations;
  readonly graph: RelationGraph;
}

/** Returns the rule of an operation. Without a rule no one may use the operation, which is reported once. */
export function accessOf(
  fields: Fields<Pick<(typeof WRITE)["members"], "access">>,
  scope: ResourceScope,
): Access {
  const reader = accessReader(scope);
  if (!fields.entries.has("access")) {
    fields.at.report.add("ACCESS_MISSING", fields.place, { operation: fields.at.path });
    return NOBODY;
  }
  return readField(fields, "access", reader) ?? NOBODY;
}

export function accessReader({ analysis, table, graph }: ResourceScope): Reader<Access> {
  return readAccess({ table, hierarchy: analysis.config.hierarchy, graph });
}

/** Returns a reader of a list of column names; it returns those that exist. */
export function columnTokens(
  { table }: Pick<ResourceScope, "table">,
): (value: Parameters<typeof readTokens>[0], at: At) => readonly Token[] | undefined {
  return (value, at) =>
    readTokens(value, at)?.filter((token) => requireColumn(token, table, at.report) !== undefined);
}

/** Returns the columns whose accounts may be shown, because they are in the same database as the rows. */
export function accountColumns({ table, analysis }: ResourceScope): readonly string[] {
  if (isPerOrganization(analysis.config.model)) return [];
  return [...table.columns.values()].filter(({ type }) => accountOf(type) !== null)
    .map(({ name }) => name);
}

/** Returns a reader of a list of foreign-key columns. */
export function foreignKeyTokens(scope: ResourceScope): Reader<readonly Token[]> {
  return (value, at) =>
    columnTokens(scope)(value, at)?.filter((token) => {
      const column = scope.table.columns.get(token.text);
      // A foreign key that did not resolve was reported at its own place.
      if (scope.relations.has(token.text) || column?.references || !column?.type) return true;
      if (accountColumns(scope).includes(token.text)) return true;
      at.report.add("INCLUDE_NOT_KEY", token.place, { column: token.text });
      return false;
    });
}

/**
 * Includes of a resource: its own foreign keys, and those of other tables that refer to it. A later rule checks that they
 * exist.
 */
export interface Includes {
  readonly keys: readonly Token[];
  readonly children: readonly ChildrenModel[];
}

export function includesReader(scope: ResourceScope): Reader<Includes> {
  return (value, at) => {
    if (value.kind !== "array") return wrongType(value, "a list of foreign keys", at);
    const isChild = (item: Value) =>
      item.kind === "object" || item.kind === "string" && item.value.includes(".");
    const own = { ...value, items: value.items.filter((item) => !isChild(item)) };
    const keys = foreignKeyTokens(scope)(own, at);
    const children = value.items.filter(isChild).map((item) => {
      const fields = item.kind === "object" ? readFields(item, CHILDREN, at) : null;
      const from = fields ? read(fields, "from") : item.kind === "string" ? item.value : undefined;
      const [, written, column] = /^([A-Za-z][\w-]*)\.([A-Za-z]\w*)$/.exec(from ?? "") ?? [];
      if (from === undefined) return undefined;
      if (written === undefined || column === undefined) {
        return invalidValue(item, '"<table>.<foreign key>"', at);
      }
      const meant = tableMeant({ text: written, place: item.place }, scope.analysis);
      const table = meant?.name ?? written;
      const name = fields ? read(fields, "as") : table;
      if (name === undefined) return undefined;
      return /^[A-Za-z]\w*$/.test(name)
        ? { name, table, column }
        : invalidValue(item, "a name of letters and digits", at);
    });
    const known = children.filter((child) => child !== undefined);
    return keys && known.length === children.length ? { keys, children: known } : undefined;
  };
}

export function textsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.map((token) => token.text);
}
