/** Every driver behind the `Database` port, so that one suite runs against each. */
import { existsSync } from "node:fs";
import { openDatabaseCopy } from "../../library/platform/open_database_copy.ts";
import { openDatabase } from "../../library/platform/open_database.ts";
import { openTenantFiles } from "../../library/platform/libsql/tenant_files.ts";
import { openNamespaces } from "../../library/platform/libsql/tenant_namespaces.ts";
import type { StatementLimits } from "../../library/platform/libsql/reading_turns.ts";
import type { Database, DatabaseCopy, TenantStore } from "../../shared/runtime/ports.ts";
import { startHranaServer } from "./hrana_server.ts";
import { sqld, withSqld } from "./sqld.ts";
import { withTempFolder } from "./temp_folder.ts";

export interface DriverUnderTest {
  readonly name: "embedded" | "remote" | "server" | "replica" | "perOrganization" | "namespaces";
  /**
   * Gives the body a fresh, empty database, and the copy that reads it where there is one, or the place of the databases of
   * organizations where they have their own.
   */
  with<T>(body: UseDatabase<T>): Promise<T>;
}

type UseDatabase<T> = (
  database: Database,
  copy: DatabaseCopy | null,
  store?: TenantStore | null,
) => Promise<T>;

/**
 * `TEST_TOPOLOGY=server` and `TEST_TOPOLOGY=replica` run tests that ask an API, and those of every driver, over libSQL's own
 * server, or over a copy of its database; `perOrganization` and `namespaces` over a database for each organization, as files and
 * on that server. Without it: over a file, and over a double of a server.
 */
const TOPOLOGIES: Readonly<Record<string, readonly DriverUnderTest[]>> = {
  "": [{ name: "embedded", with: withDatabase }, { name: "remote", with: withRemoteDatabase }],
  server: [{ name: "server", with: (body) => withServerDatabase(false, body) }],
  replica: [{ name: "replica", with: (body) => withServerDatabase(true, body) }],
  perOrganization: [{ name: "perOrganization", with: withTenantFiles }],
  namespaces: [{ name: "namespaces", with: withNamespaces }],
};

/** A database for each organization: as files, and on libSQL's own server where this machine has it. */
export const TENANT_DRIVERS: readonly DriverUnderTest[] = [
  { name: "perOrganization", with: withTenantFiles },
  ...(await sqld() === null ? [] : [{ name: "namespaces", with: withNamespaces } as const]),
];

const TOPOLOGY = Deno.env.get("TEST_TOPOLOGY") ?? "";

export const DRIVERS: readonly DriverUnderTest[] = TOPOLOGIES[TOPOLOGY] ?? [];

/** The one of tests that name none. */
export const DEFAULT_DRIVER: DriverUnderTest = driverNamed(TOPOLOGY);

/** Defines tests of what is in one database, for this reason: passed over where organizations have databases of their own. */
export function ofOneDatabase(reason: string) {
  const isApart = TENANT_DRIVERS.some(({ name }) => name === TOPOLOGY);
  return (test: string | Deno.TestDefinition, fn?: () => void | Promise<void>): void => {
    const asked = typeof test === "string" ? { name: test, fn: fn ?? (() => {}) } : test;
    Deno.test(
      isApart ? { ...asked, name: `${asked.name} (not here: ${reason})`, ignore: true } : asked,
    );
  };
}

function driverNamed(topology: string): DriverUnderTest {
  const [driver] = DRIVERS;
  if (driver === undefined) throw new Error(`There is no TEST_TOPOLOGY '${topology}'`);
  return driver;
}

/** Linux's folder in memory: nobody waits for a disk. Only a process with all permissions may read there. */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : undefined;

/** So that statements without a bound run as they do in a served API, and none is ended on a busy machine. */
const LIMITS = { readMs: 60_000, statementMs: 60_000, transactionMs: 60_000 };

/** A file whose statements have these limits. */
export function limitedDriver(limits: StatementLimits, busyTimeout = 5000): DriverUnderTest {
  return {
    name: "embedded",
    with: (body) =>
      withTempFolder(
        (folder) =>
          using({ url: `file:${folder}/test.db`, limits, busyTimeout }, (one) =>
            body(one, null, null)),
        MEMORY,
      ),
  };
}

/** A fresh embedded database for the length of one test. */
export function withDatabase<T>(
  body: (database: Database, copy: null, store: null) => Promise<T>,
): Promise<T> {
  return withTempFolder(
    (folder) => using({ url: `file:${folder}/test.db` }, (database) => body(database, null, null)),
    MEMORY,
  );
}

function withTenantFiles<T>(body: UseDatabase<T>): Promise<T> {
  return withTempFolder(
    (folder) =>
      using({ url: `file:${folder}/test.db` }, async (database) => {
        const files = { busyTimeout: 5000, synchronous: "NORMAL", limits: LIMITS } as const;
        return await body(
          database,
          null,
          await openTenantFiles({ folder: `${folder}/tenants`, ...files }),
        );
      }),
    MEMORY,
  );
}

async function withNamespaces<T>(body: UseDatabase<T>): Promise<T> {
  const program = await sqld();
  if (program === null) throw new Error("TEST_TOPOLOGY needs sqld");
  return await withSqld(
    program,
    ({ url, adminUrl }) =>
      using({ url, namespace: "default" }, (database) => {
        const server = { url, adminUrl, authToken: null, adminToken: null, busyTimeout: 5000 };
        return body(database, null, openNamespaces(server));
      }),
    { hasNamespaces: true },
  );
}

/** Of libSQL's own server, read from a copy or not. */
function withServerDatabase<T>(
  isCopied: boolean,
  body: UseDatabase<T>,
): Promise<T> {
  return withTempFolder(async (folder) => {
    const program = await sqld();
    if (program === null) throw new Error("TEST_TOPOLOGY needs sqld");
    return await withSqld(program, ({ url }) =>
      using({ url }, async (database) => {
        const place = {
          databaseReplica: isCopied ? `${folder}/copy.db` : null,
          databaseUrl: url,
          databaseAuthToken: null,
        };
        const copy = await openDatabaseCopy(place, { database, logger: { log: () => {} } });
        try {
          return await body(database, copy, null);
        } finally {
          await copy?.close();
        }
      }));
  }, MEMORY);
}

function withRemoteDatabase<T>(
  body: (database: Database, copy: null, store: null) => Promise<T>,
): Promise<T> {
  return withTempFolder(async (folder) => {
    const server = startHranaServer({ path: `${folder}/test.db`, authToken: "secret" });
    try {
      return await using(
        { url: server.url, authToken: "secret" },
        (database) => body(database, null, null),
      );
    } finally {
      await server.close();
    }
  }, MEMORY);
}

async function using<T>(
  options: Parameters<typeof openDatabase>[0],
  body: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ limits: LIMITS, ...options });
  try {
    return await body(database);
  } finally {
    await database.close();
  }
}
