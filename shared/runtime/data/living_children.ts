/**
 * Finds rows that prevent the deletion of others: living rows that refer to them, where a resource declares `children:
 * "refuse"` (contract 3.1).
 */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { TableModel } from "../../model/mod.ts";
import { admissionOf, columnNamed, readRuleOf, type RowRule } from "../../surface/mod.ts";
import { type Firewall, firewallFor, type Lifted } from "../layers/3-firewall/firewall.ts";
import { ConstraintError, type Transaction } from "../ports.ts";
import type { Catalog, ChildRelation } from "./catalog.ts";
import { cellSql, firewallSql, liveSql, visibleSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import { allOf, anyOf, type Fragment, fragment } from "./sql.ts";

/** Error that is thrown before anything is deleted. */
export class LivingChildrenError extends ConstraintError {
  constructor(
    /** Number of the children that the caller may read, by resource; resources without any are left out. */
    readonly children: Readonly<Record<string, number>>,
  ) {
    super("foreignKey", []);
  }
}

/** True when a deletion must check for living children first. */
export function refusesChildren({ resourceByTable }: Catalog, { name }: TableModel): boolean {
  return resourceByTable.get(name)?.delete?.children === "refuse";
}

/** Alias of the child table, different from that of the deleted rows. */
const CHILD = "qb_c";

/**
 * Throws `LivingChildrenError` if one of the rows (a condition on `ROW`) has a living child, whether or not the caller sees it.
 * A row's reference to itself does not count, nor does a key that the deletion clears.
 */
export async function requireChildless(
  catalog: Catalog,
  transaction: Transaction,
  { firewall, rows }: { readonly firewall: Firewall; readonly rows: Fragment },
): Promise<void> {
  const parent = firewall.table;
  if (!refusesChildren(catalog, parent)) return;
  const relations = (catalog.childrenOf.get(parent.name) ?? [])
    .filter(({ onDelete }) => onDelete !== "set null");
  const children = [...Map.groupBy(relations, ({ table }) => table)].map(([table, keys]) => ({
    table,
    living: livingSql(table, keys, { firewall, rows }),
  }));
  if (children.length === 0) return;
  const found = await transaction.run({
    ...oneRow(
      children.map(({ living }) => fragment(`EXISTS (SELECT 1${living.sql})`, ...living.args)),
    ),
    beyondScope: "livingChildren",
  });
  const kept = children.filter((_, at) => Number(found.rows[0]?.[at]) === 1);
  if (kept.length > 0) {
    throw new LivingChildrenError(await countRead(catalog, transaction, { kept, firewall }));
  }
}

interface Children {
  readonly table: TableModel;
  /** SQL of the form ` FROM … WHERE …`. */
  readonly living: Fragment;
}

/** Predicates that the check skips: all but the tenant. */
const WITHIN_TENANT: readonly Lifted[] = ["owner", "team", "notDeleted", "custom", "rule"];

function livingSql(
  child: TableModel,
  keys: readonly ChildRelation[],
  { firewall, rows }: { readonly firewall: Firewall; readonly rows: Fragment },
): Fragment {
  const parent = firewall.table;
  const referring = anyOf(keys.map(({ column, parentColumn }) => {
    const key = cellSql(column, CHILD);
    const own = columnNamed(parentColumn, parent);
    const isOther = child.name === parent.name ? ` AND ${key} IS NOT ${cellSql(own, CHILD)}` : "";
    return fragment(
      `(${key} IN (SELECT ${cellSql(own, ROW)} FROM ${
        sqlIdentifier(parent.sqlName)
      } AS ${ROW} WHERE ${rows.sql})${isOther})`,
      ...rows.args,
    );
  }));
  // The children may belong to any owner in the tenant.
  const { principal, organizationId, lifted } = firewall;
  const tenant = firewallFor(child, {
    principal,
    organizationId,
    lifted: [...lifted, ...WITHIN_TENANT],
  });
  const where = allOf([referring, firewallSql(tenant, CHILD), liveSql(tenant, CHILD)]);
  return fragment(
    ` FROM ${sqlIdentifier(child.sqlName)} AS ${CHILD} WHERE ${where.sql}`,
    ...where.args,
  );
}

/** Counts the children as a list of each resource would for the caller. */
async function countRead(
  { resourceByTable }: Catalog,
  transaction: Transaction,
  { kept, firewall: { principal, organizationId } }: {
    readonly kept: readonly Children[];
    readonly firewall: Firewall;
  },
): Promise<Readonly<Record<string, number>>> {
  const readable = kept.flatMap(({ table, living }) => {
    const resource = resourceByTable.get(table.name);
    const ruled = resource && readRuleOf(resource);
    const admission = ruled && admissionOf(ruled, principal);
    if (!resource || !admission || admission.kind === "refused") return [];
    const rule: RowRule | null = admission.kind === "conditional" ? admission.rule : null;
    const firewall = firewallFor(table, { principal, organizationId });
    const seen = visibleSql(rule, { firewall, alias: CHILD });
    const count = fragment(
      `(SELECT count(*)${living.sql} AND ${seen.sql})`,
      ...living.args,
      ...seen.args,
    );
    return [{ name: resource.name, count }];
  });
  if (readable.length === 0) return {};
  const { rows: [counts = []] } = await transaction.run(oneRow(readable.map(({ count }) => count)));
  const counted = readable.map(({ name }, at) => [name, Number(counts[at])] as const);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

function oneRow(members: readonly Fragment[]): Fragment {
  return fragment(
    `SELECT ${members.map(({ sql }) => sql).join(", ")}`,
    ...members.flatMap(({ args }) => args),
  );
}
