/** A fresh database with the tables of a model. */
import { changeSql } from "../../shared/compiler/migrations/schema_change.ts";
import { sqlTables } from "../../shared/compiler/phases/5-plan/sql_tables.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { Database, Statement } from "../../shared/runtime/ports.ts";
import { withDatabase } from "./databases.ts";

/** An embedded database for the length of one test. */
export function withModelDatabase<T>(
  project: ProjectModel,
  body: (database: Database) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database) => {
    await database.migrate(schemaOf(project));
    return await body(database);
  });
}

export function schemaOf(project: ProjectModel): readonly Statement[] {
  const tables = sqlTables(project);
  return [
    ...tables.flatMap((table) => changeSql({ kind: "createTable", table })),
    ...tables.flatMap((table) =>
      table.indexes.flatMap((index) => changeSql({ kind: "createIndex", table: table.name, index }))
    ),
    ...tables.flatMap(({ name, search }) =>
      search ? changeSql({ kind: "createSearch", table: name, search }) : []
    ),
    ...tables.flatMap(({ name, rollups = [] }) =>
      rollups.flatMap((rollup) => changeSql({ kind: "createRollup", table: name, rollup }))
    ),
  ].map((sql) => ({ sql, args: [] }));
}
