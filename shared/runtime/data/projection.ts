/** Members of a record for a caller: columns with masks applied, and labels of foreign keys (contract 2.4). */
import { admissionOf, columnNamed, readRuleOf, type Sight, sightOf } from "../../surface/mod.ts";
import { storageOf } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { ACCOUNTS_TABLE, type ColumnModel, type LabelModel } from "../../model/mod.ts";
import type { ResourceModel, TableModel } from "../../model/mod.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import type { Catalog } from "./catalog.ts";
import { cellSql, ruleSql, visibleSql } from "./conditions.ts";
import { shownAccountSql } from "./members.ts";
import { type Member, type ProjectionShape, recordPlan, selectArgsOf } from "./record_plan.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";
import type { Firewall, Projection } from "./types.ts";

/** Alias of the resource's own table in every statement. */
export const ROW = "t";

/**
 * Alias for conditions beside a list of keys. SQLite assumes 25 rows for a list and fewer for a tenant's range, so it would
 * scan the whole tenant. A unary plus keeps value and collation but excludes the index.
 */
export const BESIDE_KEYS = `+${ROW}`;

/** True for the key of a row or of its parent. A list of such keys names no more rows than the tenant's range. */
export function namesRows({ primaryKey }: TableModel, { name, references }: ColumnModel): boolean {
  return name === primaryKey || references !== null;
}

interface ProjectionSql {
  readonly shape: ProjectionShape;
  readonly selectArgs: readonly SqlValue[];
  readonly joinArgs: readonly SqlValue[];
}

/** SQLite joins 64 tables at most; labels beyond these are looked up in the place of their member. */
const JOINED_LABELS = 32;

/** A label as this caller may see it. */
interface LabelSight {
  readonly label: LabelModel;
  readonly alias: string;
  /** The table that the foreign key refers to. */
  readonly table: TableModel;
  /** Condition on the row of that table. */
  readonly firewall: Firewall;
  readonly sight: Sight;
  /** Condition under which the target may be read and its key seen. */
  readonly visible: Fragment;
}

/** Makes the select list and the joins of a projection for one caller. */
export function projectionSql(
  catalog: Catalog,
  projection: Projection,
  firewall: Firewall,
): ProjectionSql {
  const { resource, columns } = projection;
  const labels: LabelSight[] = [];
  for (const label of resource.labels) {
    if (!columns.includes(label.column)) continue;
    const sight = labelSight(label, {
      catalog,
      source: resource,
      firewall,
      alias: `l${labels.length}`,
    });
    if (sight) labels.push(sight);
  }
  const { table, principal } = firewall;
  const masked = Object.keys(resource.masks)
    .map((name) => sightOf(resource, name, principal).kind);
  const joined = labels.map(({ label, sight, visible }) => [label.field, sight.kind, visible.sql]);
  const membersOf = () =>
    columns.flatMap((name) => {
      const member = memberOf({ firewall, alias: ROW }, name, sightOf(resource, name, principal));
      const label = resource.labels.find((candidate) => candidate.column === name);
      return label ? [member, labelMember(label, { labels, from: table })] : [member];
    });
  // Only masks that depend on the row bind values.
  const joinedLabels = labels.slice(0, JOINED_LABELS);
  const asksRow = [...masked, ...labels.map(({ sight }) => sight.kind)]
    .some((kind) => kind === "ownerOnly" || kind === "byRow");
  const members = asksRow || labels.length > JOINED_LABELS ? membersOf() : null;
  const shown = members?.flatMap(({ shown }) => shown?.sql ?? []) ?? [];
  const key = JSON.stringify([resource.name, columns, masked, joined, ...shown]);
  const shape = catalog.shapes(key, () => {
    const joins = joinedLabels.map((label) => {
      const { source, matched } = targetSql(label, table);
      return ` LEFT JOIN ${source} ON ${matched} AND ${label.visible.sql}`;
    }).join("");
    return { key, plan: recordPlan(members ?? membersOf()), joins };
  });
  return {
    shape,
    selectArgs: members === null ? [] : selectArgsOf(members, principal.userId),
    joinArgs: joinedLabels.flatMap(({ visible }) => visible.args),
  };
}

function memberOf(
  { firewall, alias }: { readonly firewall: Firewall; readonly alias: string },
  name: string,
  sight: Sight,
): Member {
  const { table } = firewall;
  const column = columnNamed(name, table);
  const owner = cellSql(columnNamed(table.ownerColumn, table), alias);
  const isText = storageOf(column.type, table).sql === "text" &&
    // A client may have chosen ids of other types before the project made them texts.
    (name !== table.primaryKey || table.idStrategy !== false);
  return {
    key: name,
    column,
    table: table.sqlName,
    cell: cellSql(column, alias),
    sight,
    owner,
    shown: sight.kind === "byRow" ? ruleSql(sight.rows, { firewall, alias, reading: "row" }) : null,
    isText,
    source: null,
  };
}

/** A label is null if this caller can never see it, as if the row could not be seen. */
function labelMember(
  label: LabelModel,
  { labels, from }: { readonly labels: readonly LabelSight[]; readonly from: TableModel },
): Member {
  const at = labels.findIndex((candidate) => candidate.label === label);
  const seen = labels[at];
  if (!seen) {
    const nothing = {
      column: NO_VALUE,
      table: label.table,
      cell: "NULL",
      sight: PLAIN,
      owner: "NULL",
      shown: null,
      isText: false,
      source: null,
    };
    return { ...nothing, key: label.field };
  }
  const member = { ...memberOf(seen, label.display, seen.sight), key: label.field };
  if (at < JOINED_LABELS) return member;
  const { source, matched } = targetSql(seen, from);
  const { sql, args } = seen.visible;
  return { ...member, source: fragment(`FROM ${source} WHERE ${matched} AND ${sql}`, ...args) };
}

const PLAIN: Sight = { kind: "plain" };
const NO_VALUE: Member["column"] = {
  name: "label",
  sqlName: "label",
  type: { kind: "text", maxLength: null, enum: null },
  nullable: true,
  default: null,
  manager: "client",
  references: null,
  searchable: false,
};

/** The table of a label, and the condition of the row that the foreign key refers to. */
function targetSql(
  { label, alias, table }: LabelSight,
  from: TableModel,
): { readonly source: string; readonly matched: string } {
  const foreignKey = columnNamed(label.column, from);
  const key = columnNamed(foreignKey.references?.column ?? table.primaryKey, table);
  return {
    source: `${sqlIdentifier(table.sqlName)} AS ${alias}`,
    matched: `${cellSql(key, alias)} = ${cellSql(foreignKey, ROW)}`,
  };
}

/**
 * Joins a label's target with its own firewall and read access, so that the label shows what a read would. Null: the caller may
 * not read the target, or it has no routes.
 */
function labelSight(
  label: LabelModel,
  { catalog, source, firewall, alias }: {
    readonly catalog: Catalog;
    readonly source: ResourceModel;
    readonly firewall: Firewall;
    readonly alias: string;
  },
): LabelSight | null {
  if (label.table === ACCOUNTS_TABLE.name) return accountSight(label, { source, firewall, alias });
  const table = catalog.tables.get(label.table);
  const resource = catalog.resourceByTable.get(label.table);
  const key = keySeen(label, source, firewall);
  const rule = resource ? readRuleOf(resource) : null;
  if (!table || !resource || rule === null || key === null) return null;
  const { principal, organizationId } = firewall;
  const admission = admissionOf(rule, principal);
  if (admission.kind === "refused") return null;
  const reading = "row" as const;
  const scope = { firewall: firewallFor(table, { principal, organizationId }), alias, reading };
  return {
    label,
    alias,
    table,
    firewall: scope.firewall,
    sight: sightOf(resource, label.display, principal),
    visible: allOf([
      ...key,
      visibleSql(admission.kind === "conditional" ? admission.rule : null, scope),
    ]),
  };
}

/** The name of an account; null: the caller may not see it, or its key. */
function accountSight(
  label: LabelModel,
  { source, firewall, alias }: {
    readonly source: ResourceModel;
    readonly firewall: Firewall;
    readonly alias: string;
  },
): LabelSight | null {
  const key = keySeen(label, source, firewall);
  const shown = shownAccountSql(columnNamed(label.column, firewall.table), firewall, ROW);
  if (key === null || shown === null) return null;
  return {
    label,
    alias,
    table: ACCOUNTS_TABLE,
    firewall: firewallFor(ACCOUNTS_TABLE, firewall),
    sight: PLAIN,
    visible: allOf([...key, shown]),
  };
}

/** True when the foreign key is visible. A label would reveal a masked one. */
function keySeen(
  { column }: LabelModel,
  source: ResourceModel,
  firewall: Firewall,
): readonly Fragment[] | null {
  const { table, principal } = firewall;
  switch (sightOf(source, column, principal).kind) {
    case "plain":
      return [];
    case "ownerOnly": {
      const owner = cellSql(columnNamed(table.ownerColumn, table), ROW);
      return [fragment(`${owner} IS ?`, principal.userId)];
    }
    case "byRow":
      return [shownSql(source, column, firewall)];
    case "masked":
      return null;
  }
}

/** Returns SQL for the rows on which a column is plain, for masks that depend on the row. */
export function shownSql(source: ResourceModel, column: string, firewall: Firewall): Fragment {
  const sight = sightOf(source, column, firewall.principal);
  if (sight.kind !== "byRow") throw new Error(`"${column}" is not seen by rows`);
  return ruleSql(sight.rows, { firewall, alias: ROW, reading: "row" });
}
