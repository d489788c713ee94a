/** What an operator reads when a process cannot start: one sentence, no stack, status 1 (definitions 8). */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { openDatabase, startFailure } from "../../../library/platform/mod.ts";
import { applyMigrations } from "../../../shared/runtime/mod.ts";
import {
  type Database,
  DatabaseUnavailableError,
  type Migration,
  MigrationError,
} from "../../../shared/runtime/ports.ts";
import { startHranaServer } from "../../support/hrana_server.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const REPOSITORY = new URL("../../../", import.meta.url);
const SECRET = "0123456789abcdef0123456789abcdef";

/** The variables of a start that would succeed, in a folder of its own. */
const GOOD = (folder: string) => ({
  PORT: "0",
  HOST: "127.0.0.1",
  AUTH_SECRET: SECRET,
  DATABASE_URL: `file:${folder}/app.db`,
});

type Variables = Readonly<Record<string, string>>;

const API: readonly (readonly [what: string, variables: Variables, says: RegExp])[] = [
  ["a port that is none", { PORT: "99999" }, /PORT must be/],
  ["an address of another machine", { HOST: "192.0.2.1" }, /PORT 0 of HOST 192\.0\.2\.1/],
  ["an origin that is none", { BASE_URL: "nope" }, /BASE_URL must be/],
  ["a secret that is too short", { AUTH_SECRET: "short" }, /AUTH_SECRET must have/],
  ["no secret in production", { AUTH_SECRET: "", APP_ENV: "production" }, /AUTH_SECRET must be/],
  ["a database of another kind", { DATABASE_URL: "postgres://a/b" }, /DATABASE_URL must begin/],
  ["a database without a host", { DATABASE_URL: "libsql://" }, /DATABASE_URL must name a server/],
  ["a database on another's disk", { DATABASE_URL: "file://a/b" }, /DATABASE_URL must name a file/],
  [
    "a database server that is away",
    { DATABASE_URL: "http://127.0.0.1:2/?authToken=hidden" },
    /cannot be reached: DATABASE_URL is 'http:\/\/127\.0\.0\.1:2'$/,
  ],
  ["a copy of a file", { DATABASE_REPLICA: "copy.db" }, /DATABASE_REPLICA needs a DATABASE_URL/],
  ["an age that is none", { RIGHTS_MAX_AGE_MS: "soon" }, /RIGHTS_MAX_AGE_MS must be a number/],
  ["a damaged database", { DATABASE_URL: "file:<folder>/damaged.db" }, /no database.*damaged\.db/],
  ["a folder as database", { DATABASE_URL: "file:<folder>" }, /cannot be opened/],
  ["a Redis that is none", { REDIS_URL: "nope" }, /REDIS_URL must be/],
  ["a mail server that is none", { SMTP_URL: "nope" }, /SMTP_URL must be/],
  [
    "a copy in a folder that is none",
    { DATABASE_URL: "<server>", DATABASE_REPLICA: "<folder>/damaged.db/copy.db" },
    /DATABASE_REPLICA '.*copy\.db' cannot be written/,
  ],
  [
    "a folder as copy",
    { DATABASE_URL: "<server>", DATABASE_REPLICA: "<folder>" },
    /DATABASE_REPLICA '.*' cannot be written: it is a folder/,
  ],
  [
    "somebody's own database as copy",
    { DATABASE_URL: "<server>", DATABASE_REPLICA: "<folder>/damaged.db" },
    /DATABASE_REPLICA '.*damaged\.db' holds a file that is no copy/,
  ],
  [
    "a server of another project",
    { DATABASE_URL: "<server>", MIGRATION: "CREATE TABLE theirs (id text)" },
    /Migration '0000' is not the one .* another project's database/,
  ],
  [
    "a clock that is ahead",
    { DATABASE_URL: "<server>", CLOCK_AHEAD: "95000" },
    /clock is [89]\d s ahead of the database server's/,
  ],
  [
    "a clock that is behind",
    { DATABASE_URL: "<server>", CLOCK_AHEAD: "-95000" },
    /clock is [89]\d s behind the database server's/,
  ],
];

const MIGRATION = "CREATE TABLE ours (id text)";

Deno.test("an API that cannot start says why in one sentence, and ends with 1", () =>
  withTempFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/damaged.db`, "This file is no database. ".repeat(100));
    await Deno.writeTextFile(`${folder}/start.ts`, START);
    await withMigratedServer(folder, async (server) => {
      for (const [what, variables, says] of API) {
        const own = Object.entries(variables).map(([name, value]) =>
          [name, value.replace("<folder>", folder).replace("<server>", server.url)] as const
        );
        const env = { ...GOOD(folder), MIGRATION, ...Object.fromEntries(own) };
        assertSentence(what, await ended(`${folder}/start.ts`, env), says);
      }
      const { rows } = await server.database.run({
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
        args: [],
      });
      assertEquals(rows.flat().filter((name) => !/_/.test(String(name))), ["ours"]);
    });
  }));

/** A server that an API of another project was started on. */
async function withMigratedServer(
  folder: string,
  body: (server: { readonly url: string; readonly database: Database }) => Promise<void>,
): Promise<void> {
  const server = startHranaServer({ path: `${folder}/server.db` });
  const database = await openDatabase({ url: server.url });
  try {
    await applyMigrations(database, [{ tag: "0000", when: 1, sql: MIGRATION }]);
    await body({ url: server.url, database });
  } finally {
    await database.close();
    await server.close();
  }
}

/** What the template does with its environment, in its order. */
const at = (path: string) => JSON.stringify(new URL(path, REPOSITORY).href);
const START = `
import { consoleLogger, endOnFailedStart, logUncaught, openDatabase, openDatabaseCopy, openSharedState, readEnvironment, serve } from ${
  at("library/platform/mod.ts")
};
import { applyMigrations, requireServerClock } from ${at("shared/runtime/mod.ts")};
const start = endOnFailedStart(Deno.env);
const environment = await readEnvironment(Deno.env);
const database = await openDatabase({ url: environment.databaseUrl });
await applyMigrations(database, [{ tag: "0000", when: 1, sql: Deno.env.get("MIGRATION") }]);
const clock = { now: () => Date.now() + Number(Deno.env.get("CLOCK_AHEAD") ?? 0) };
const logger = consoleLogger({ clock });
if (environment.settings.databaseMode !== "file") await requireServerClock(database, clock);
await openDatabaseCopy(environment, { database, logger });
await openSharedState({ ...environment, name: "a", clock, logger, database });
await serve({
  ...environment,
  logger,
  fetch: () => Promise.resolve(new Response()),
  onListening() {
    start.started();
    logUncaught(logger);
    Deno.exit(9);
  },
  onClosed: () => Promise.resolve(),
});
`;

const SERVICE: readonly (readonly [script: string, variables: Variables, says: RegExp])[] = [
  ["container/main.ts", {}, /SERVICE_API_KEY is not set/],
  ["edge/main.ts", { PORT: "x" }, /PORT must be/],
  ["edge/router_main.ts", { SERVICE_API_KEY: SECRET }, /CONTAINER_URL is not set/],
  ["container/service_main.ts", { SERVICE_AUTH_SECRET: "short" }, /SERVICE_AUTH_SECRET must have/],
  ["edge/main.ts", { SERVICE_API_KEY: SECRET, HOST: "192.0.2.1" }, /HOST 192\.0\.2\.1/],
];

for (const [script, variables, says] of SERVICE) {
  Deno.test(`${script} with ${Object.keys(variables).join() || "nothing"} set says ${says}`, async () => {
    const outcome = await ended(new URL(script, REPOSITORY).pathname, { PORT: "0", ...variables });
    assertSentence(script, outcome, says);
  });
}

Deno.test("what is no operator's mistake keeps its stack", () => {
  const variables = { get: () => undefined };
  assertEquals(startFailure(new TypeError("x is not a function"), variables), null);
  assertEquals(startFailure("thrown", variables), null);
});

Deno.test("an outage is told from whatever wraps it", () => {
  const cause = new DatabaseUnavailableError("The database is locked by another process", 1);
  const error = new Error("Migration '0001' failed and changed nothing", { cause });
  assertEquals(
    startFailure(error, { get: () => undefined }),
    "Cannot start: The database is locked by another process: DATABASE_URL is 'file:./data/app.db'",
  );
});

const INSERT = "INSERT INTO notes VALUES (1)";
const STEP = { home: null, code: null };
const THROWS = {
  home: null,
  code: () =>
    Promise.resolve(() => {
      throw new Error("around it", { cause: new Error("row 7 has no owner") });
    }),
};

const FAILURES: readonly (readonly [Pick<Migration, "sql" | "step">, says: string])[] = [
  [{ sql: INSERT }, "Migration '0001' failed and changed nothing: no such table: notes"],
  [
    { sql: INSERT, step: STEP },
    "Data step '0001' failed and changed nothing: no such table: notes",
  ],
  [{ sql: "", step: THROWS }, "Data step '0001' failed and changed nothing: row 7 has no owner"],
];

for (const [migration, says] of FAILURES) {
  Deno.test(`a migration that fails is told with its reason: ${says}`, () =>
    withTempFolder(async (folder) => {
      const database = await openDatabase({ url: `file:${folder}/app.db` });
      try {
        const error = await assertRejects(
          () => applyMigrations(database, [{ tag: "0001", when: 1, ...migration }]),
          MigrationError,
        );
        assertEquals(startFailure(error, { get: () => undefined }), `Cannot start: ${says}`);
      } finally {
        await database.close();
      }
    }));
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

async function ended(script: string, variables: Variables): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      `--config=${new URL("deno.json", REPOSITORY).pathname}`,
      script,
    ],
    env: { NO_COLOR: "1", ...variables },
  }).output();
  const decoder = new TextDecoder();
  return { code, said: decoder.decode(stdout) + decoder.decode(stderr) };
}

function assertSentence(what: string, { code, said }: Ended, says: RegExp): void {
  assertEquals([what, code, said.trimEnd().split("\n").length], [what, 1, 1], said);
  assertMatch(said.trimEnd(), says);
  assertMatch(said, /^Cannot /);
  assertEquals(said.includes("hidden"), false, said);
}
