/** Rows put into a model's tables past the API, as they are stored. */
import type { ProjectModel } from "../../shared/model/project.ts";
import { sqlIdentifier } from "../../shared/lib/sql_text.ts";
import type { Database, SqlValue } from "../../shared/runtime/ports.ts";

export type StoredValues = Readonly<Record<string, SqlValue>>;

/** By API column names; columns that a row leaves out are null. */
export async function insertRows(
  database: Database,
  project: ProjectModel,
  rows: Readonly<Record<string, readonly StoredValues[]>>,
): Promise<void> {
  const statements = Object.entries(rows).flatMap(([name, ofTable]) => {
    const table = project.tables.find((candidate) => candidate.name === name);
    if (!table) throw new Error(`The model has no table "${name}"`);
    const names = table.columns.map(({ sqlName }) => sqlIdentifier(sqlName)).join(", ");
    const marks = table.columns.map(() => "?").join(", ");
    const sql = `INSERT INTO ${sqlIdentifier(table.sqlName)} (${names}) VALUES (${marks})`;
    return ofTable.map((row) => ({ sql, args: table.columns.map((one) => row[one.name] ?? null) }));
  });
  await database.write(async (transaction) => {
    for (const statement of statements) await transaction.run(statement);
  });
}
