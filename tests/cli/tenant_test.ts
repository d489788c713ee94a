/** The starter saas with a database for each organization: its operator's commands, as processes over a compiled output (definitions 8). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { readBuiltHost } from "../../container/built_runtime.ts";
import { openDatabase } from "../../library/platform/mod.ts";
import { compile, type RawFiles } from "../../shared/compiler/mod.ts";
import type { Claims } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { people, STEPS } from "../support/data_step_project.ts";
import type { DriverUnderTest } from "../support/databases.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { projectFiles } from "../support/sample_files.ts";
import { withWebhooks } from "../support/webhooks.ts";
import { inFolder, runHere } from "./command_line.ts";

const SAAS = new URL("../../examples/saas/", import.meta.url);
const CONFIG = "quickback/quickback.config.ts";
const ANNA: Claims = { sub: "anna", orgId: "org_a", roles: ["admin"] };
const BERT: Claims = { sub: "bert", orgId: "org_b", roles: ["admin"] };

/** The one line that the guide names. */
function divided(files: RawFiles): RawFiles {
  const config = files[CONFIG];
  assert(typeof config === "string");
  const changed = config.replace(
    'defineDatabase("libsql", { ',
    'defineDatabase("libsql", { tenancy: "perOrganization", ',
  );
  assert(changed !== config);
  return { ...files, [CONFIG]: changed };
}

async function writeOutput(files: RawFiles, folder: string): Promise<void> {
  const result = compile(files, await readBuiltHost());
  assert(result.ok, JSON.stringify(result));
  for (const { path, content } of result.files) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, content);
  }
}

/** The project in one database: three rows of two organizations. */
async function writeShared(files: RawFiles, url: string): Promise<void> {
  const driver: DriverUnderTest = {
    name: "embedded",
    async with(body) {
      const database = await openDatabase({ url });
      try {
        return await body(database, null);
      } finally {
        await database.close();
      }
    },
  };
  await withCompiled(files, ({ model, code }) =>
    withWebhooks(async (api) => {
      await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
      for (const [as, name] of [[ANNA, "Tower"], [ANNA, "Bridge"], [BERT, "Tunnel"]] as const) {
        const made = await api.ask("projects", { as, body: { name } });
        assertEquals(made.status, 201, made.text);
      }
    }, { project: model, code, driver }));
}

Deno.test("the starter saas moves to a database for each organization, and its operator looks after them", async () => {
  const files = await projectFiles(SAAS);
  await inFolder(async (folder) => {
    const api = join(folder, "api");
    await writeOutput(divided(files), api);
    await writeShared(files, `file:${folder}/shared.db`);
    const env = { AUTH_SECRET: "a-secret-of-more-than-thirty-two-characters" };
    const run = (...args: string[]) => runHere(args, { cwd: folder, env });

    const split = await run("tenant", "split", api, "--from", "file:shared.db");
    assertEquals([split.code, split.out], [0, "2 done, 0 were already, 0 failed\n"], split.err);
    const migrated = await run("db", "migrate", api, "--all");
    assertStringIncludes(migrated.out, "Nothing to migrate\n0 done, 2 were already, 0 failed");

    const moved = await run("tenant", "move", api, "org_a", "--to", "file:elsewhere");
    assertEquals(moved.code, 0, moved.err);
    assertMatch(
      moved.out,
      /^Moved org_a \(t_[0-9a-f]{32}\), 2 rows\n {2}projects +2 +[0-9a-f]{64}/,
    );
    const listed = await run("tenant", "list", api, "--json");
    const { result } = JSON.parse(listed.out);
    assertEquals(
      result.map((
        one: Record<string, unknown>,
      ) => [one["organizationId"], one["status"], one["place"]]),
      [["org_a", "ready", `file:${folder}/elsewhere`], ["org_b", "ready", null]],
    );
    const moved_ = [...Deno.readDirSync(join(folder, "elsewhere"))].map(({ name }) => name);
    assertEquals(moved_, [`${result[0].name}.db`]);

    const exported = await run("tenant", "export", api, "--all", "--to", "backups");
    assertEquals(exported.code, 0, exported.err);
    assertEquals([...Deno.readDirSync(join(folder, "backups"))].length, 2);
    const unsure = await run("tenant", "delete", api, "org_b");
    assertEquals(unsure.code, 2);
    const deleted = await run("tenant", "delete", api, "org_b", "--yes");
    assertEquals(deleted.code, 0, deleted.err);
    assertMatch(deleted.out, /^Deleted at .* org_b \(t_[0-9a-f]{32}\), 1 rows$/m);
    assertEquals([...Deno.readDirSync(join(api, "data", "tenants"))], []);
    assertEquals((await run("tenant", "lst", api)).code, 2);
    assertEquals((await run("tenant", "list", folder)).code, 1);
  });
});

Deno.test("db migrate leaves data steps of organizations to their own databases", () =>
  inFolder(async (folder) => {
    const apart =
      ', providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) }';
    const step = `INSERT INTO people (id, organization_id, first, created_at, modified_at)
      VALUES ('1', 'org_a', 'Ada', 't', 't');\n`;
    const files = people("first: q.text()", { [`${STEPS}0000_ada.sql`]: step }, apart);
    const api = join(folder, "api");
    await writeOutput(files, api);
    await Deno.mkdir(join(api, "data"));
    await Deno.writeTextFile(join(api, "data/app.db"), "");
    const { code, out, err } = await runHere(["db", "migrate", "api"], { cwd: folder });
    assertEquals(code, 0, err);
    assertMatch(out, /^Applied 0000_\w+, 0000_ada$/m);
    const database = await openDatabase({ url: `file:${api}/data/app.db` });
    const { rows } = await database.run({ sql: "SELECT count(*) FROM people", args: [] });
    await database.close();
    assertEquals(rows, [[0]]);
  }));

Deno.test("a backup says what of its API stands elsewhere", () =>
  inFolder(async (folder) => {
    const apart =
      ', providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) }';
    const api = join(folder, "api");
    await writeOutput(people("scan: q.file()", {}, apart), api);
    await Deno.mkdir(join(api, "data"));
    await Deno.writeTextFile(join(api, "data/app.db"), "");
    const run = (...args: string[]) => runHere(args, { cwd: folder });
    assertEquals((await run("db", "migrate", "api")).code, 0);
    const files = "Not in it: files of records";
    const none = await run("db", "backup", "api", "--out", "one.db");
    assertEquals([none.code, none.err.includes(files)], [0, true], none.err);
    assert(!none.err.includes("organizations"), none.err);
    const database = await openDatabase({ url: `file:${api}/data/app.db` });
    await database.write((transaction) =>
      transaction.run({
        sql: `INSERT INTO tenant_databases (organization_id, name, status, migrated, created_at)
          VALUES ('a', 't_a', 'ready', 0, 't'), ('b', 't_b', 'deleted', 0, 't')`,
        args: [],
      })
    );
    await database.close();
    const { out } = await run("db", "backup", "api", "--out", "two.db", "--json");
    const [organizations, others] = JSON.parse(out).without;
    assertStringIncludes(organizations, "databases of 1 organization: tenant export");
    assertStringIncludes(others, "STORAGE_URL");
  }));
