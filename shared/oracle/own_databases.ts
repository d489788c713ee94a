/**
 * Reads `tenancy: "perOrganization"` a second time (definitions 2): a request runs in one organization's database, so that no
 * role shows rows of another one.
 */
import type { ProjectModel } from "../model/mod.ts";

/** Returns the model that applies to callers, which is unchanged if all rows are in one database. */
export function inOwnDatabases(model: ProjectModel): ProjectModel {
  if (model.database.tenancy !== "perOrganization") return model;
  return {
    ...model,
    tables: model.tables.map((table) => ({
      ...table,
      firewall: table.firewall.map((predicate) =>
        predicate.kind === "organization" ? { ...predicate, roles: [], exceptRoles: [] } : predicate
      ),
    })),
  };
}
