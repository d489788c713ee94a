/**
 * Tables as a statement sees them: each name stands for the rows behind the caller's firewall, by a common table
 * expression of the same name. SQLite resolves names to those first, wherever in the statement a table is read: joins,
 * subqueries, compounds, other expressions, RETURNING. Only a schema's name leads past them, and none is allowed.
 */
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { ProjectModel } from "../../../model/project.ts";
import { serviceTables } from "../../../model/service_tables.ts";
import type { TableModel } from "../../../model/table.ts";
import type { Firewall } from "../../layers/3-firewall/firewall.ts";
import { firewallSql } from "../conditions.ts";
import { ROW } from "../projection.ts";
import type { Fragment } from "../sql.ts";

/** Tables by their SQL names in lower case. */
export interface TableIndex {
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly serviceTables: ReadonlySet<string>;
}

export function tableIndexOf(project: ProjectModel): TableIndex {
  return {
    tables: new Map(project.tables.map((table) => [table.sqlName.toLowerCase(), table])),
    serviceTables: new Set(serviceTables(project).map(({ name }) => name.toLowerCase())),
  };
}

/** Common table expressions for these tables; a table without any predicate needs none. */
export function scopedForms(firewalls: Iterable<Firewall>): readonly Fragment[] {
  return [...firewalls]
    .filter((firewall) => firewall.predicates.length > 0)
    .map((firewall) => scopedForm(firewall));
}

function scopedForm(firewall: Firewall): Fragment {
  const name = sqlIdentifier(firewall.table.sqlName);
  const where = firewallSql(firewall, ROW);
  return {
    sql: `${name} AS NOT MATERIALIZED (SELECT * FROM main.${name} AS ${ROW} WHERE ${where.sql})`,
    args: where.args,
  };
}

/** `WITH …` of all of them, or nothing. */
export function withClause(forms: readonly Fragment[]): Fragment {
  if (forms.length === 0) return { sql: "", args: [] };
  return {
    sql: `WITH ${forms.map((form) => form.sql).join(", ")} `,
    args: forms.flatMap((form) => form.args),
  };
}
