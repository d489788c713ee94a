/** Opens an API over a fresh database file with given rows, for the requests of one caller. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ifThere } from "../../../library/platform/if_there.ts";
import { insertSeeds, type SeedRow, TWIN_FOREIGN, TWIN_HOME } from "../../../proof/rows/mod.ts";
import type { TwinApi } from "../../../proof/leakcheck/leakcheck.ts";
import type { ProjectModel } from "../../../shared/model/mod.ts";
import type { Database, Statement } from "../../../shared/runtime/mod.ts";
import type { CompiledCode } from "./compiled_code.ts";
import type { SteppingClock } from "./fixed_world.ts";
import { twinApi } from "./twin_api.ts";

export async function openTwin(code: CompiledCode, options: {
  readonly clock: SteppingClock;
  readonly rows: readonly SeedRow[];
  /** Folder of the database while the API runs. */
  readonly folder: string;
  /** Wraps the database before the API gets it. */
  readonly wrap?: (database: Database) => Database;
}): Promise<TwinApi> {
  const file = join(options.folder, "twin.db");
  const database = await code.platform.openDatabase({
    url: pathToFileURL(file).href,
    synchronous: "NORMAL",
  });
  await prepare(database, { code, ...options });
  const api = twinApi(code, { ...options, database: options.wrap?.(database) ?? database });
  return {
    ...api,
    async close() {
      await api.close();
      await database.close();
      // A properly closed database leaves no log file.
      for (const suffix of ["", "-wal", "-shm"]) await ifThere(Deno.remove(file + suffix));
    },
  };
}

async function prepare(
  database: Database,
  { code, rows }: { readonly code: CompiledCode; readonly rows: readonly SeedRow[] },
): Promise<void> {
  const { runtime, platform, folder, project } = code;
  const migrations = await platform.readMigrations(join(folder, "quickback/drizzle/features"));
  await runtime.applyMigrations(database, migrations);
  await database.write(async (transaction) => {
    for (const statement of accountStatements(project)) await transaction.run(statement);
  });
  await insertSeeds({ database, homes: [] }, rows);
}

const STAMP = "2026-01-01T00:00:00.000Z";

/** Returns statements that insert the users, the organization and its members: events of handlers may be for members. */
function accountStatements(project: ProjectModel): readonly Statement[] {
  const users = [TWIN_HOME.userId, TWIN_FOREIGN.userId];
  return [
    ...users.map((id) => ({
      sql:
        "INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?)",
      args: [id, id, `${id}@example.com`, STAMP, STAMP],
    })),
    {
      sql: "INSERT INTO auth_organization (id, name, slug, created_at) VALUES (?, ?, ?, ?)",
      args: [TWIN_HOME.organizationId, "Home", "home", STAMP],
    },
    ...users.map((id) => ({
      sql:
        "INSERT INTO auth_member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, ?, ?)",
      args: [`member-${id}`, TWIN_HOME.organizationId, id, project.auth.roles.join(","), STAMP],
    })),
  ];
}
