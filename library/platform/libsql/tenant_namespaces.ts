/**
 * Databases of organizations as namespaces of libSQL's server. Its admin interface creates and removes them (definitions 8,
 * `DATABASE_ADMIN_URL`).
 */
import { sqlIdentifier } from "../../../shared/lib/sql_text.ts";
import type { Database, TenantStore } from "../../../shared/runtime/ports.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";
import { unreachableError } from "./driver_errors.ts";
import type { StatementLimits } from "./reading_turns.ts";
import { openRemote } from "./remote_database.ts";

interface NamespacesOptions {
  readonly url: string;
  readonly authToken: string | null;
  /** Null: the server's operator creates namespaces. Errors name the missing ones. */
  readonly adminUrl: string | null;
  /** URLs with `{tenant}` in place of the name; null or absent: all have one URL. */
  readonly urlTemplate?: string | null;
  readonly adminToken: string | null;
  /** Milliseconds that a write waits for a lock. */
  readonly busyTimeout: number;
  /** Absent: statements have no time limit. */
  readonly limits?: StatementLimits | null | undefined;
}

/** Milliseconds within which the admin interface must answer. */
const ANSWER_MAX_MS = 10_000;

export function openNamespaces(options: NamespacesOptions): TenantStore {
  const { adminUrl, urlTemplate = null } = options;
  // A host name cannot contain an underscore.
  const nameOf = (name: string) => urlTemplate === null ? name : name.replaceAll("_", "-");
  const remote = (name: string) => remoteOf(nameOf(name), options);
  if (adminUrl === null) return madeByHand(remote, nameOf);
  const admin = { ...options, adminUrl };
  return {
    has: async (name) => (await asked(admin, "GET", `${nameOf(name)}/config`)) !== "unknown",
    async make(name) {
      await asked(admin, "POST", `${nameOf(name)}/create`);
      return remote(name);
    },
    async open(name) {
      if (await asked(admin, "GET", `${nameOf(name)}/config`) === "unknown") {
        throw unreachableError(new Error(`The server has no namespace "${name}"`), "undone");
      }
      return remote(name);
    },
    async remove(name) {
      await asked(admin, "DELETE", nameOf(name));
    },
    close: () => Promise.resolve(),
  };
}

function remoteOf(
  name: string,
  { url, authToken, busyTimeout, limits, urlTemplate = null }: NamespacesOptions,
): Database {
  const common = { authToken, busyTimeout, limits };
  return urlTemplate === null
    ? openRemote({ ...common, url, namespace: name })
    : openRemote({ ...common, url: urlTemplate.replace("{tenant}", name) });
}

/** Databases that the server's operator creates and removes. Removing one here empties it. */
function madeByHand(
  remote: (name: string) => Database,
  nameOf: (name: string) => string,
): TenantStore {
  const reached = async (name: string): Promise<Database> => {
    const database = remote(name);
    try {
      await database.run({ sql: "SELECT 1", args: [] });
      return database;
    } catch (cause) {
      await database.close();
      const reason = `No database '${
        nameOf(name)
      }' answers: make it on the server of DATABASE_TENANT_URL`;
      throw unreachableError(new Error(reason, { cause }), "undone");
    }
  };
  return {
    async has(name) {
      try {
        const database = await reached(name);
        const sql = "SELECT count(*) FROM sqlite_master";
        const { rows: [row] } = await database.run({ sql, args: [] });
        await database.close();
        // An empty database is free for use.
        return Number(row?.[0]) > 0;
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) return false;
        throw error;
      }
    },
    make: reached,
    open: reached,
    async remove(name) {
      const database = await reached(name);
      const { rows } = await database.run({
        sql: `SELECT one.name FROM sqlite_master AS one
          JOIN pragma_table_list AS known ON known.schema = 'main' AND known.name = one.name
          WHERE one.type = 'table' AND one.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            AND known.type <> 'shadow'`,
        args: [],
      });
      await database.migrate(
        rows.map(([table]) => ({
          sql: `DROP TABLE IF EXISTS ${sqlIdentifier(String(table))}`,
          args: [],
        })),
      );
      await database.close();
    },
    close: () => Promise.resolve(),
  };
}

type Outcome = "done" | "unknown" | "known";

/** Asks the admin interface. `unknown`: there is no such namespace. `known`: it exists already. */
async function asked(
  { adminUrl, adminToken }: NamespacesOptions & { readonly adminUrl: string },
  method: "GET" | "POST" | "DELETE",
  path: string,
): Promise<Outcome> {
  const base = adminUrl.endsWith("/") ? adminUrl : `${adminUrl}/`;
  let status: number;
  let text: string;
  try {
    const answer = await fetch(new URL(`v1/namespaces/${path}`, base), {
      method,
      headers: {
        "content-type": "application/json",
        ...(adminToken === null ? {} : { authorization: `Basic ${adminToken}` }),
      },
      ...(method === "POST" ? { body: "{}" } : {}),
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    });
    status = answer.status;
    text = await answer.text();
  } catch (cause) {
    throw unreachableError(cause, "undone");
  }
  if (status < 300) return "done";
  if (status === 404 || /doesn't exist|does not exist/i.test(text)) return "unknown";
  if (/already exists/i.test(text)) return "known";
  throw unreachableError(new Error(`DATABASE_ADMIN_URL answered ${status}: ${text}`), "undone");
}
