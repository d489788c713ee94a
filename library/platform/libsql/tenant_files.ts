/** Databases of organizations as files in a folder (definitions 8, `DATABASE_TENANTS`). */
import { join } from "node:path";
import type { Database, TenantStore } from "../../../shared/runtime/ports.ts";
import { ifThere } from "../if_there.ts";
import { OWN_FOLDER } from "../own_file.ts";
import { closedConnections } from "./closed_connections.ts";
import { openEmbedded, TURNS } from "./embedded_database.ts";
import { brokenError } from "./driver_errors.ts";
import { readingTurns, type StatementLimits } from "./reading_turns.ts";

/** The database file, and the files beside it while it is open. */
const ENDINGS = ["", "-wal", "-shm"];

export async function openTenantFiles(options: {
  /** Created if it is missing, accessible by its owner only. */
  readonly folder: string;
  /** Milliseconds to wait for another process's lock. */
  readonly busyTimeout: number;
  readonly synchronous: "FULL" | "NORMAL";
  /** Absent: statements have no time limit. */
  readonly limits?: StatementLimits | null | undefined;
}): Promise<TenantStore> {
  const { folder, limits = null, ...settings } = options;
  try {
    await Deno.mkdir(folder, OWN_FOLDER);
  } catch (cause) {
    throw new Error(`Cannot start: the folder '${folder}' of DATABASE_TENANTS cannot be made`, {
      cause,
    });
  }
  const turns = readingTurns(TURNS);
  const closed = closedConnections();
  const pathOf = (name: string) => join(folder, `${name}.db`);
  const open = (name: string): Database =>
    openEmbedded({ path: pathOf(name), ...settings, limits, turns, closed });
  return {
    has: (name) => isThere(pathOf(name)),
    make: (name) => Promise.resolve(open(name)),
    async open(name) {
      if (!await isThere(pathOf(name))) {
        throw brokenError(`The database file '${pathOf(name)}' is missing: bring it back`);
      }
      return open(name);
    },
    async remove(name) {
      for (const ending of ENDINGS) await ifThere(Deno.remove(`${pathOf(name)}${ending}`));
    },
    close: () => Promise.try(() => closed.close()),
  };
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw brokenError(`The database file '${path}' cannot be reached`, { cause: error });
  }
}
