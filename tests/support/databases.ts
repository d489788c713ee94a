/** Every driver behind the `Database` port, so that one suite runs against each. */
import { openDatabase } from "../../platform/open_database.ts";
import type { Database } from "../../shared/runtime/ports.ts";
import { startHranaServer } from "./hrana_server.ts";
import { withTempFolder } from "./temp_folder.ts";

export interface DriverUnderTest {
  readonly name: "embedded" | "remote";
  /** Gives the body a fresh, empty database. */
  with<T>(body: (database: Database) => Promise<T>): Promise<T>;
}

export const DRIVERS: readonly DriverUnderTest[] = [
  { name: "embedded", with: withDatabase },
  { name: "remote", with: withRemoteDatabase },
];

/** A fresh embedded database for the length of one test. */
export function withDatabase<T>(body: (database: Database) => Promise<T>): Promise<T> {
  return withTempFolder((folder) => using({ url: `file:${folder}/test.db` }, body));
}

function withRemoteDatabase<T>(body: (database: Database) => Promise<T>): Promise<T> {
  return withTempFolder(async (folder) => {
    const server = startHranaServer({ path: `${folder}/test.db`, authToken: "secret" });
    try {
      return await using({ url: server.url, authToken: "secret" }, body);
    } finally {
      await server.close();
    }
  });
}

async function using<T>(
  options: Parameters<typeof openDatabase>[0],
  body: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(options);
  try {
    return await body(database);
  } finally {
    await database.close();
  }
}
