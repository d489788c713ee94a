/**
 * The meaning of `tenancy: "perOrganization"`, read a second time (definitions 2): a request is asked in one organization's
 * database, so that no role lets anybody look past it.
 */
import type { ProjectModel, TableModel } from "../model/mod.ts";

/** The model as its callers meet it: the same one where all rows stand in one database. */
export function inOwnDatabases(model: ProjectModel): ProjectModel {
  if (model.database.tenancy !== "perOrganization") return model;
  return { ...model, tables: model.tables.map(bound) };
}

function bound(table: TableModel): TableModel {
  return {
    ...table,
    firewall: table.firewall.map((predicate) =>
      predicate.kind === "organization" ? { ...predicate, roles: [], exceptRoles: [] } : predicate
    ),
  };
}
