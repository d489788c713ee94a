/** A checked draft as the model's table (definitions 3 and 4.1). */
import { rulesOf, scopeOf } from "../../../../column_types/mod.ts";
import type { ColumnModel, TableModel } from "../../../../model/table.ts";
import type { ResourceModel } from "../../../../model/resource.ts";
import { type Analysis, sqlNameOf } from "../tables/analysis.ts";
import { read } from "../read/read_member.ts";
import type { ColumnDraft, TableDraft } from "../tables/draft.ts";
import { primaryKeyOf } from "../tables/draft.ts";
import type { FirewallDraft } from "../tables/firewall.ts";
import { indexesOf, namedIndexes } from "./indexes.ts";
import { idPrefixOf, idStrategyOf } from "../tables/keys.ts";
import type { Relations } from "../tables/relations.ts";

interface TableParts {
  readonly analysis: Analysis;
  readonly firewall: FirewallDraft;
  readonly relations: Relations;
  readonly resource: ResourceModel | null;
  readonly displayColumn: string | null;
  /** Index names of the tables before it. */
  readonly indexNames: Set<string>;
}

export function tableModel(parts: TableParts): TableModel {
  const { analysis, firewall, relations, resource } = parts;
  const { table } = firewall;
  const { database } = analysis.config.model;
  const columns = columnModels(parts);
  const scope = scopesOf(table);
  const sqlNames = new Map(columns.map((column) => [column.name, column.sqlName]));
  const indexes = indexesOf({ table, relations, resource, scope });
  return {
    name: table.name,
    sqlName: table.sqlName,
    feature: table.feature,
    origin: table.origin,
    columns,
    primaryKey: primaryKeyOf(table)?.name ?? "id",
    idStrategy: idStrategyOf(table, analysis.config),
    idPrefix: idPrefixOf(table),
    allowClientIds: (table.options && read(table.options, "allowClientIds")) ??
      database.allowClientIds,
    scope,
    softDelete: table.softDelete,
    revision: columns.find((column) => column.manager === "revision")?.name ?? null,
    ownerColumn: scope.owner ?? "createdBy",
    firewall: firewall.predicates,
    indexes: namedIndexes(table.sqlName, indexes, {
      sqlNameOf: (column) => sqlNames.get(column) ?? column,
      taken: parts.indexNames,
    }),
    displayColumn: parts.displayColumn,
  };
}

function columnModels({ analysis, firewall, relations }: TableParts): readonly ColumnModel[] {
  const columns = [...firewall.table.columns.values()];
  const chosen = columns.some((column) => column.searchable);
  return columns.flatMap((column): ColumnModel[] => {
    if (!column.type) return [];
    const isSearched = chosen
      ? column.searchable
      : column.manager === "client" && rulesOf(column.type).isText && !relations.has(column.name);
    return [{
      name: column.name,
      sqlName: sqlNameOf(column, analysis),
      type: column.type,
      nullable: isNullable(column),
      default: column.default,
      manager: column.manager,
      references: relations.get(column.name) ?? null,
      searchable: isSearched,
      ...(column.filters === null ? {} : { filters: column.filters }),
    }];
  });
}

/** Keys, scopes and revisions are always there; everything else only when it is required. */
function isNullable({ manager, required }: ColumnDraft): boolean {
  return manager === "client" || manager === "system" ? !required : false;
}

function scopesOf(table: TableDraft): TableModel["scope"] {
  const find = (scope: string) =>
    [...table.columns.values()].find(({ type }) => scopeOf(type) === scope)
      ?.name ?? null;
  return { organization: find("organization"), owner: find("owner"), team: find("team") };
}
