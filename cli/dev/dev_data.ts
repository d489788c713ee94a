/** The development database's rows as they are stored, for the playground of `dev` alone. */
import { openDatabase } from "../../library/platform/mod.ts";
import type { StoredRows } from "../../playground/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { storedRowsIn } from "./stored_rows.ts";

/** By id; a row that is not there is left out. Empty for a table that the project does not have. */
export async function storedRows(
  project: ProjectModel,
  databaseUrl: string,
  question: { readonly table: string; readonly ids: readonly string[] },
): Promise<StoredRows> {
  const database = await openDatabase({ url: databaseUrl });
  try {
    return await storedRowsIn(database, project, question);
  } finally {
    await database.close();
  }
}
