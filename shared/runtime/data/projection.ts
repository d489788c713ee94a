/** Which members a record has for this caller: columns as they may see them, labels of foreign keys (contract 2.4). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { ColumnModel } from "../../model/column.ts";
import type { LabelModel, ResourceModel } from "../../model/resource.ts";
import type { TableModel } from "../../model/table.ts";
import { admissionOf } from "../../surface/admission.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { cellSql, visibleSql } from "./condition_sql.ts";
import { sightOf } from "./masking.ts";
import type { Member } from "./record_plan.ts";
import { type RecordPlan, recordPlan } from "./record_plan.ts";
import { type Fragment, fragment } from "./sql.ts";
import type { Firewall, Projection } from "./types.ts";

/** Alias of the resource's own table in every statement. */
export const ROW = "t";

export interface ProjectionSql {
  readonly plan: RecordPlan;
  /** `LEFT JOIN`s of the labels, in order; none of them adds or removes a row. */
  readonly joins: readonly Fragment[];
}

interface Label {
  readonly member: Member;
  readonly join: Fragment;
}

/** The select list and the joins of a projection for one caller. */
export function projectionSql(
  catalog: Catalog,
  projection: Projection,
  firewall: Firewall,
): ProjectionSql {
  const { resource, columns } = projection;
  const labels: Label[] = [];
  const members = columns.flatMap((name) => {
    const label = resource.labels.find((candidate) => candidate.column === name);
    const member = columnMember(resource, columnOf(firewall.table, name), firewall);
    if (!label) return [member];
    const joined = labelOf({ catalog, label, firewall, alias: `l${labels.length}` });
    if (!joined) return [member, absentLabel(label, member)];
    labels.push(joined);
    return [member, joined.member];
  });
  return { plan: recordPlan(members), joins: labels.map(({ join }) => join) };
}

function columnMember(resource: ResourceModel, column: ColumnModel, firewall: Firewall): Member {
  return {
    key: column.name,
    column,
    cell: cellSql(column, ROW),
    sight: sightOf(resource, column.name, firewall.principal),
    owner: ownerCell(firewall.table, ROW),
  };
}

/** A label that this caller can never see is null, like one whose row they cannot see. */
function absentLabel({ field }: LabelModel, member: Member): Member {
  return { ...member, key: field, cell: "NULL", sight: { kind: "plain" } };
}

interface LabelScope {
  readonly catalog: Catalog;
  readonly label: LabelModel;
  readonly firewall: Firewall;
  readonly alias: string;
}

/**
 * The target is joined through its own firewall and read access, so a label shows what a read of the target would.
 * Null: the caller may not read the target, or it has no routes and so nobody may.
 */
function labelOf({ catalog, label, firewall, alias }: LabelScope): Label | null {
  const target = catalog.tables.get(label.table);
  const resource = catalog.resourceByTable.get(label.table);
  if (!target || !resource?.read) return null;
  const { principal, organizationId } = firewall;
  const admission = admissionOf(resource.read.access, principal);
  if (admission.kind === "refused") return null;
  const scope = { firewall: firewallFor(target, { principal, organizationId }), alias };
  const visible = visibleSql(admission.kind === "conditional" ? admission.rule : null, scope);
  const foreignKey = columnOf(firewall.table, label.column);
  const display = columnOf(target, label.display);
  const key = columnOf(target, foreignKey.references?.column ?? target.primaryKey);
  return {
    member: {
      key: label.field,
      column: display,
      cell: cellSql(display, alias),
      sight: sightOf(resource, display.name, principal),
      owner: ownerCell(target, alias),
    },
    join: fragment(
      `LEFT JOIN ${sqlIdentifier(target.sqlName)} AS ${alias} ON ${cellSql(key, alias)} = ${
        cellSql(foreignKey, ROW)
      } AND ${visible.sql}`,
      ...visible.args,
    ),
  };
}

function ownerCell(table: TableModel, alias: string): string {
  return cellSql(columnOf(table, table.ownerColumn), alias);
}
