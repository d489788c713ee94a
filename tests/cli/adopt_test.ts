/** A project of the first implementation is adopted, and served from the database that its old migrations made. */
import { DatabaseSync } from "node:sqlite";
import { dirname, join } from "node:path";
import { SignJWT } from "jose";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { compileFolder } from "../../cli/compile_folder.ts";
import { startApi } from "../../cli/dev/api_process.ts";
import { freePort } from "../support/free_port.ts";
import { readTree } from "../../cli/project_folder.ts";
import { kitState, type KitVersion, migrationSql, olderProject } from "../support/older_project.ts";
import { inFolder, type Run, runCli } from "./command_line.ts";

const CONFIG = "quickback/quickback.config.ts";
const SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef";
const D1_EXPORT = new URL("../unit/adoption/input/d1_export.sql", import.meta.url);

const ROWS = `
INSERT INTO projects (id, name, organization_id, created_at) VALUES
  ('prj_1', 'It''s old', 'org_1', '2024-05-01T10:00:00.000Z');
INSERT INTO tasks (id, project_id, title, code, organization_id) VALUES
  ('tsk_1', 'prj_1', 'First', 'A', 'org_1');`;

/** The text that makes the old database: of version 6 as D1 exports it, with rows; of version 7 its migrations. */
async function oldDatabase(version: KitVersion): Promise<string> {
  if (version === 6) return await Deno.readTextFile(D1_EXPORT);
  return migrationSql(await kitState(7, "drizzle")) + ROWS;
}

interface Scene {
  /** Holds the project `atelier` and its output `api`. */
  readonly folder: string;
  readonly file: string;
  query(sql: string): readonly unknown[][];
}

/** The project adopted, decided and compiled, beside the old database. */
async function inAdopted(version: KitVersion, body: (scene: Scene) => Promise<void>) {
  await inFolder(async (folder) => {
    const project = join(folder, "atelier");
    for (const [path, text] of Object.entries(await olderProject(version))) {
      await Deno.mkdir(dirname(join(project, path)), { recursive: true });
      await Deno.writeTextFile(join(project, path), text);
    }
    await succeeds(runCli(["adopt", "atelier", "--write"], { cwd: folder }));
    const config = await Deno.readTextFile(join(project, CONFIG));
    const roles = 'auth: { roleHierarchy: ["member", "admin", "owner"] },';
    await Deno.writeTextFile(join(project, CONFIG), config.replace("cms: true,", roles));
    await succeeds(runCli(["adopt", "atelier", "--write"], { cwd: folder }));
    await compiled(folder);
    const file = join(folder, "api/data/app.db");
    await Deno.mkdir(dirname(file));
    const query = (sql: string) => {
      using database = new DatabaseSync(file);
      return database.prepare(sql).all().map((row) => Object.values(row));
    };
    using database = new DatabaseSync(file);
    database.exec(await oldDatabase(version));
    database.close();
    await body({ folder, file, query });
  });
}

async function compiled(folder: string): Promise<void> {
  const [project, out] = [join(folder, "atelier"), join(folder, "api")];
  const result = await compileFolder({ folder: project, out, force: false, checksBundle: false });
  assertEquals(result.findings.errors, []);
}

async function succeeds(run: Promise<Run>): Promise<Run> {
  const done = await run;
  assertEquals(done.code, 0, done.out + done.err);
  return done;
}

const MIGRATE: Readonly<
  Record<KitVersion, (folder: string, ...options: string[]) => Promise<Run>>
> = {
  6: (folder, ...options) => runCli(["db", "migrate", "api", ...options], { cwd: folder }),
  7: (folder, ...options) => runTask(join(folder, "api"), ["migrate", ...options]),
};

/** The output's own task. */
async function runTask(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    cwd,
    env: { NO_COLOR: "1", AUTH_SECRET: SECRET, ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

for (const version of [6, 7] as const) {
  Deno.test(`an adopted project of version ${version} serves the rows of its old database`, () =>
    inAdopted(version, async ({ folder, query }) => {
      const sql = await migrationsOf(folder);
      assertEquals(sql.map(({ name }) => name.slice(0, 4)), ["0000", "0001"]);
      const difference = sql[1]?.text ?? "";
      for (const table of ["projects", "tasks", "labels", "time_entries", "timeEntries"]) {
        assert(!difference.includes(`CREATE TABLE \`${table}\``), table);
      }
      assert(!difference.includes("-- destructive:"), difference);

      const migrate = MIGRATE[version];
      const blind = await migrate(folder);
      assertEquals(blind.code, 1);
      assertStringIncludes(blind.err, "failed and changed nothing");
      const { out } = await succeeds(migrate(folder, "--baseline"));
      assertStringIncludes(out, "Recorded the first migration as applied");
      assertStringIncludes(out, "Applied 0001_");
      assertStringIncludes((await succeeds(migrate(folder))).out, "Nothing to migrate");
      assertEquals(query("SELECT count(*) FROM custom_view"), [[0]]);

      await served(folder, async (ask) => {
        const projects = await ask("GET", "/api/v1/projects");
        assertEquals(projects.body.data.map(named), [["prj_1", "It's old"]]);
        assertEquals(projects.body.data[0]?.createdAt, "2024-05-01T10:00:00.000Z");
        assertEquals(projects.body.data[0]?.isPublic, false);
        assertEquals((await ask("GET", "/api/v1/projects/views/short")).body.data.length, 1);
        const done = await ask("POST", "/api/v1/tasks/tsk_1/finish", {});
        assertEquals([done.status, done.body], [200, { id: "tsk_1" }]);
        const open = await ask("GET", "/api/v1/tasks/count-open");
        assertEquals([open.status, open.body], [200, { open: 0 }]);
        const made = await ask("POST", "/api/v1/tasks", {
          projectId: "prj_1",
          title: "Second",
          code: "B",
        });
        assertEquals(made.status, 201, JSON.stringify(made.body));
        const again = { projectId: "prj_1", title: "Third", code: "A" };
        assertEquals((await ask("POST", "/api/v1/tasks", again)).status, 409);
        // Codes are unique within an organization from now on: the old rule, of the whole table, is gone.
        const other = { projectId: "prj_1", title: "Theirs", code: "A" };
        assertEquals((await ask("POST", "/api/v1/tasks", other, "org_2")).status, 400);
        assertEquals((await ask("GET", "/api/v1/projects", undefined, "org_2")).body.data, []);
      });
      assertEquals(query("SELECT code, done FROM tasks ORDER BY code"), [["A", 1], ["B", 0]]);

      // A database of somebody who begins takes both as they are.
      const fresh = { DATABASE_URL: "file:./data/fresh.db" };
      const begun = await succeeds(runTask(join(folder, "api"), ["migrate"], fresh));
      assertEquals(begun.out.match(/000\d_/g), ["0000_", "0001_"]);

      // The next compile follows what the database has.
      await compiled(folder);
      assertEquals((await migrationsOf(folder)).length, 2);
    }));
}

Deno.test("a database that differs is refused with what differs, and served by nobody", () =>
  inAdopted(6, async ({ folder, file, query }) => {
    const database = new DatabaseSync(file);
    database.exec(
      "ALTER TABLE tasks ADD COLUMN extra text; DROP INDEX tasks_code_unique; CREATE TABLE auth_user (id text)",
    );
    database.close();
    for (const migrate of Object.values(MIGRATE)) {
      const { code, err } = await migrate(folder, "--baseline");
      assertEquals(code, 1);
      for (
        const told of [
          'column "extra" of table "tasks" is not expected',
          'index "tasks_code_unique" of table "tasks" is missing: unique on code',
          'table "auth_user" is in the way: a later migration makes it',
        ]
      ) assertStringIncludes(err, told);
    }
    assertEquals(query("SELECT name FROM sqlite_master WHERE name LIKE '%drizzle%'"), []);
    const wrong = await runTask(join(folder, "api"), ["migrate", "--basline"]);
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.err, "deno task migrate [--baseline]");
    const nowhere = await runCli(["db", "migrate", "atelier", "--baseline"], { cwd: folder });
    assertEquals(nowhere.code, 1);
    assertStringIncludes(nowhere.err, '"atelier" is no output');
  }));

async function migrationsOf(folder: string) {
  const tree = await readTree(join(folder, "api"), "quickback/drizzle/features") ?? {};
  return Object.entries(tree).filter(([path]) => path.endsWith(".sql"))
    .map(([path, text]) => ({ name: path.slice(path.lastIndexOf("/") + 1), text }));
}

interface Answer {
  readonly status: number;
  /** Of a list; another answer is compared as a whole. */
  readonly body: { readonly data: readonly Readonly<Record<string, unknown>>[] };
}

type Ask = (method: string, path: string, body?: unknown, organization?: string) => Promise<Answer>;

async function served(folder: string, body: (ask: Ask) => Promise<void>): Promise<void> {
  const port = freePort();
  const origin = `http://localhost:${port}`;
  const api = await startApi({
    folder: join(folder, "api"),
    port,
    preloaded: [],
    environment: { BASE_URL: origin, DATABASE_URL: "file:./data/app.db", AUTH_SECRET: SECRET },
    onLine: () => {},
  });
  try {
    await body(async (method, path, sent, organization = "org_1") => {
      const response = await fetch(origin + path, {
        method,
        headers: {
          authorization: `Bearer ${await tokenFor(organization, origin)}`,
          "content-type": "application/json",
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      return { status: response.status, body: await response.json() };
    });
  } finally {
    await api.stop();
    await api.ended;
  }
}

function tokenFor(organization: string, origin: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ orgId: organization, roles: ["member"], jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject("user_1").setIssuer(origin).setAudience(origin)
    .setIssuedAt(now).setExpirationTime(now + 600)
    .sign(new TextEncoder().encode(SECRET));
}

function named({ id, name }: Answer["body"]["data"][number]) {
  return [id, name];
}
