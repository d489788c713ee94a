/** Reads stored rows of the development database, for the playground of `dev` only. */
import { openDatabase } from "../../library/platform/mod.ts";
import type { StoredRows } from "../../playground/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { storedRowsIn } from "./stored_rows.ts";

/** Returns rows by id; missing rows are left out. Empty for a table that the project does not have. */
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
