/** `deno task tenant …`: its command line, and the files that it writes and reads (definitions 8). */
import { dirname, resolve } from "node:path";
import type { Database, ExportFiles, TenantCommand } from "../../shared/runtime/ports.ts";
import { commandLine } from "./command_line.ts";
import { folderStore } from "./files/folder_store.ts";
import { ifThere } from "./if_there.ts";
import { filePathOf, openDatabase } from "./open_database.ts";
import { OWN_FOLDER } from "./own_file.ts";

export const TENANT_USAGE = `deno task tenant list | migrate
  export <organization> --to <file> | export --all --to <folder>
  import <file>
  restore <organization> --from <folder> [--at <time>]
  move <organization> --to <file:folder | URL of a server | default>
  delete <organization> --yes
  split --from <DATABASE_URL of the shared database>
each with [--json]`;

const PLACE = /^(?:file:.|(?:https?|libsql|wss?):\/\/.)/;

/** An invalid command line. */
export class TenantUsageError extends Error {
  override readonly name = "TenantUsageError";
}

/** Parses the command line. Throws `TenantUsageError` with a message for the user. */
export function readTenantCommand(
  args: readonly string[],
): { readonly command: TenantCommand; readonly isJson: boolean } {
  const { values, positionals: [verb = "", ...named] } = commandLine(args, OPTIONS, misused);
  const one = (what: string): string => {
    const [name, ...others] = named;
    if (name !== undefined && others.length === 0) return name;
    return misused(`tenant ${verb} needs one ${what}`);
  };
  const needed = (name: "to" | "from"): string =>
    values[name] ?? misused(`tenant ${verb} needs --${name}`);
  const isJson = values.json ?? false;
  switch (verb) {
    case "list":
    case "migrate":
      return { command: { kind: verb }, isJson };
    case "export": {
      const organizationId = values.all ? null : one("organization, or --all");
      return { command: { kind: verb, organizationId, to: needed("to") }, isJson };
    }
    case "import":
      return { command: { kind: verb, from: one("file") }, isJson };
    case "restore": {
      const at = values.at ?? null;
      if (at !== null && Number.isNaN(Date.parse(at))) {
        misused(`--at needs a time such as 2026-01-31T10:20:30Z, not '${at}'`);
      }
      const organizationId = one("organization");
      return { command: { kind: verb, organizationId, from: needed("from"), at }, isJson };
    }
    case "move": {
      const to = needed("to");
      if (to !== "default" && !PLACE.test(to)) {
        misused(`--to needs 'file:<folder>', the URL of a server or 'default', not '${to}'`);
      }
      const organizationId = one("organization");
      const place = to.startsWith("file:") ? `file:${resolve(filePathOf(to))}` : to;
      return {
        command: { kind: verb, organizationId, to: to === "default" ? null : place },
        isJson,
      };
    }
    case "delete": {
      const organizationId = one("organization");
      if (!values.yes) misused(`This deletes '${organizationId}' for ever: add --yes`);
      return { command: { kind: verb, organizationId }, isJson };
    }
    case "split":
      return { command: { kind: verb, from: needed("from") }, isJson };
  }
  return misused(verb === "" ? "tenant needs a command" : `There is no tenant ${verb}`);
}

function misused(why: string): never {
  throw new TenantUsageError(`${why}:\n${TENANT_USAGE}`);
}

const OPTIONS = {
  to: { type: "string" },
  from: { type: "string" },
  at: { type: "string" },
  all: { type: "boolean" },
  yes: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/**
 * Makes the files of exports: a file of SQLite, and a folder of the same name if there are files of records. `authToken` is
 * that of the server with a shared database; null: none.
 */
export function exportFiles(authToken: string | null): ExportFiles {
  return {
    async make(path, body) {
      const objects = objectsBeside(path);
      for (const place of [path, objects]) {
        if (await isThere(place)) throw new Error(`'${place}' is there already: name another file`);
      }
      const { vacuumInto } = await import("./libsql/vacuum.ts");
      await Deno.mkdir(dirname(path), OWN_FOLDER);
      const folder = await Deno.makeTempDir({ dir: dirname(path), prefix: ".export-" });
      try {
        const database = await openDatabase({ url: `file:${folder}/rows.db` });
        const place = { database, objects: folderStore(`${folder}/files`) };
        const written = await body(place).finally(() => database.close());
        // Rows are moved last, so that whoever sees them finds their files.
        const hasObjects = await isThere(`${folder}/files`);
        if (hasObjects) await Deno.rename(`${folder}/files`, objects);
        try {
          await vacuumInto(`${folder}/rows.db`, path);
        } catch (error) {
          if (hasObjects) await Deno.remove(objects, { recursive: true });
          throw error;
        }
        return written;
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
    async open(path) {
      if (!await isThere(path)) throw new Error(`There is no file '${path}'`);
      const log = await ifThere(Deno.stat(`${path}-wal`));
      if (log !== null && log.size > 0) {
        throw new Error(
          `'${path}-wal' has changes that are not in '${path}' yet: end what writes it, then run ` +
            "'PRAGMA wal_checkpoint(TRUNCATE)' in it",
        );
      }
      // Migrations are applied to a copy, because an export must not change.
      const folder = await Deno.makeTempDir({ dir: dirname(path), prefix: ".import-" });
      await Deno.copyFile(path, `${folder}/copy.db`);
      const database = await openDatabase({ url: `file:${folder}/copy.db` });
      return {
        database: closingWith(database, () => Deno.remove(folder, { recursive: true })),
        objects: folderStore(objectsBeside(path)),
      };
    },
    async list(folder) {
      const names: string[] = [];
      for await (const { name, isFile } of Deno.readDir(folder)) if (isFile) names.push(name);
      return names;
    },
    source: (url) => openDatabase({ url, ...(authToken === null ? {} : { authToken }) }),
  };
}

/** Returns `a.files` for `a.db`. */
function objectsBeside(path: string): string {
  return `${path.replace(/\.db$/, "")}.files`;
}

function closingWith(database: Database, after: () => Promise<void>): Database {
  return {
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    write: (body) => database.write(body),
    migrate: (statements) => database.migrate(statements),
    async close() {
      await database.close();
      await after();
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return await ifThere(Deno.stat(path)) !== null;
}
