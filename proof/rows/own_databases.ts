/**
 * Adapts the rows of a world to organizations with a database each: no row refers to a row of another organization (definitions
 * 2).
 */
import type { JsonValue, ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { columnPredicates, homeOf } from "../../shared/model/mod.ts";
import type { Home } from "../../shared/oracle/principal_class.ts";
import type { SeedRow } from "./seed_row.ts";
import { isUnique } from "./unique_rows.ts";

type Placed = Pick<SeedRow, "table" | "values">;

/** Returns the organization whose database has the row; null: the directory has it. Throws for a row without a known owner. */
export function organizationOf(row: Placed, homes: readonly Home[]): string | null {
  if (homeOf(row.table) === "directory") return null;
  const found = knownOrganization(row, homes);
  if (found === null) throw new Error(`A row of "${row.table.name}" belongs to no organization`);
  return found;
}

function knownOrganization({ table, values }: Placed, homes: readonly Home[]): string | null {
  const organization = values[scopeColumn(table, "organization") ?? ""] ?? null;
  const team = values[scopeColumn(table, "team") ?? ""] ?? null;
  const home = homes.find(({ organizationId, teamId }) =>
    organization === null ? teamId === team : organizationId === organization
  );
  return home?.organizationId ?? null;
}

function scopeColumn({ scope, firewall }: TableModel, kind: "organization" | "team") {
  const isolating = columnPredicates(firewall).find((predicate) => predicate.kind === kind);
  return scope[kind] ?? isolating?.column ?? null;
}

/**
 * Returns the rows that can exist: a foreign key into another organization's database is replaced by one into its own, or by
 * none. Where all rows are in one database they stay unchanged.
 */
export function withinDatabases(
  rows: readonly SeedRow[],
  model: ProjectModel,
  homes: readonly Home[],
): readonly SeedRow[] {
  if (model.database.tenancy !== "perOrganization") return rows;
  let left: readonly SeedRow[] = rows.filter((row) =>
    homeOf(row.table) === "directory" || knownOrganization(row, homes) !== null
  );
  for (let before = -1; before !== left.length;) {
    before = left.length;
    left = repaired(left, homes);
  }
  return left;
}

function repaired(rows: readonly SeedRow[], homes: readonly Home[]): readonly SeedRow[] {
  const taken = new Set<string>();
  return rows.flatMap((row) => {
    const place = organizationOf(row, homes);
    const values: Record<string, JsonValue> = { ...row.values };
    for (const { name, references, nullable } of row.table.columns) {
      const value = values[name] ?? null;
      if (references === null || value === null) continue;
      const parents = rows.filter(({ table }) => table.name === references.table);
      const isOwn = (parent: SeedRow) => organizationOf(parent, homes) === place;
      const valueOf = (parent: SeedRow) => parent.values[references.column] ?? null;
      if (parents.some((parent) => valueOf(parent) === value && isOwn(parent))) continue;
      const key = (parent: JsonValue) => JSON.stringify([row.table.name, name, parent]);
      const other = parents.filter(isOwn).map(valueOf).find((parent) =>
        parent !== null && !(isUnique(name, row.table) && taken.has(key(parent)))
      );
      if (other === undefined && !nullable) return [];
      values[name] = nullable ? null : other ?? null;
      taken.add(key(values[name]));
    }
    return [{ ...row, values }];
  });
}
