/** Decides the visibility of a column for a caller: plain, masked, or plain on their own rows only (definitions 4.4). */
import type { MaskType, Principal, ProjectModel, ResourceModel, TableModel } from "../model/mod.ts";
import { holdsRole, type RowRule } from "./admission.ts";
import { tableOf } from "./tables.ts";

export type Sight =
  | { readonly kind: "plain" }
  | { readonly kind: "masked"; readonly type: MaskType }
  | { readonly kind: "ownerOnly"; readonly type: MaskType }
  /** The column is plain on the rows that meet this rule. */
  | { readonly kind: "byRow"; readonly type: MaskType; readonly rows: RowRule };

const PLAIN: Sight = { kind: "plain" };

/** Returns the caller's visibility of this column of the resource. */
export function sightOf(resource: ResourceModel, column: string, principal: Principal): Sight {
  const rule = Object.hasOwn(resource.masks, column) ? resource.masks[column] : undefined;
  if (!rule || rule.showRoles.some((role) => holdsRole(principal, role))) return PLAIN;
  if (rule.showRows) return { kind: "byRow", type: rule.type, rows: rule.showRows };
  if (rule.showOwner && principal.userId !== null) {
    return { kind: "ownerOnly", type: rule.type };
  }
  return { kind: "masked", type: rule.type };
}

/**
 * False when the column is masked and the caller has none of its query roles. An owner gets no exception, because a query reads
 * all rows.
 */
export function mayQueryBy(column: string, resource: ResourceModel, principal: Principal): boolean {
  if (!Object.hasOwn(resource.masks, column)) return true;
  const mask = resource.masks[column];
  return mask !== undefined && mask.queryRoles.some((role) => holdsRole(principal, role));
}

/** The tables with masks, by the names under which a value may contain their columns (contract 4.4 rule 1). */
export interface MaskSource {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** API names of columns, by API name and SQL name. */
  readonly columns: ReadonlyMap<string, string>;
}

export function maskSourcesOf(project: ProjectModel): readonly MaskSource[] {
  return project.resources.filter(({ masks }) => Object.keys(masks).length > 0)
    .map((resource) => {
      const table = tableOf(resource, project);
      const names = table.columns.flatMap(({ name, sqlName }) => [
        [name, name] as const,
        [sqlName, name] as const,
      ]);
      return { resource, table, columns: new Map(names) };
    });
}
