/** Opens the copy of the database that `DATABASE_REPLICA` names (definitions 8). */
import type { Database, DatabaseCopy, Logger } from "../../shared/runtime/ports.ts";
import type { CopyOptions } from "./libsql/copy/open_copy.ts";
import type { Environment } from "./read_environment.ts";

/** Opens the copy. Null: none is configured. Resolves when it has all that the database has. */
export async function openDatabaseCopy(
  { databaseReplica, databaseUrl, databaseAuthToken }: Pick<
    Environment,
    "databaseReplica" | "databaseUrl" | "databaseAuthToken"
  >,
  { database, logger, ...times }:
    & { readonly database: Database; readonly logger: Logger }
    & Pick<CopyOptions, "pullMaxMs" | "answerMaxMs" | "now">,
): Promise<DatabaseCopy | null> {
  if (databaseReplica === null) return null;
  // The engine would log each attempt to reach a primary that is down.
  if (!Deno.env.has("RUST_LOG")) Deno.env.set("RUST_LOG", "off");
  const { openCopy } = await import("./libsql/copy/open_copy.ts");
  return await openCopy({
    path: databaseReplica,
    url: databaseUrl,
    authToken: databaseAuthToken,
    database,
    logger,
    ...times,
  });
}
