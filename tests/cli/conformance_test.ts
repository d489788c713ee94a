/** `conformance <url>` against an API that really listens, with accounts and keys (definitions 8). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openTenantFiles } from "../../library/platform/libsql/tenant_files.ts";
import { openDatabase } from "../../library/platform/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { keepJournal } from "../../shared/runtime/data/migrations.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { withAccountsApi } from "../support/accounts_api.ts";
import { type ApiUnderTest, AUTH_SECRET, BASE_URL, START, tokenFor } from "../support/api.ts";
import { withoutPredicate } from "../support/conformance_faults.ts";
import type { DriverUnderTest } from "../support/databases.ts";
import { projectFiles } from "../support/sample_files.ts";
import { inFolder, type Run, runCli } from "./command_line.ts";

const PROJECT = new URL("../../examples/empty/", import.meta.url);

Deno.test("conformance finds nothing wrong with an API that is what its definitions say", async () => {
  const { code, out, err } = await checked((model) => model);
  assertEquals([code, err.includes("error")], [0, false], out + err);
  // Keys, accounts and sessions are asked too: nothing is left out.
  assertMatch(out, /^\d+ routes × \d+ principals = \d+ requests, 0 mismatches, 0 uncovered$/m);
});

Deno.test("conformance names the route, the caller, the rule and its place", async () => {
  const { code, out } = await checked(withoutPredicate("notes", "organization"));
  assertEquals(code, 1);
  assertMatch(out, /^mismatch \w+Notes\w* as \S+: .*"organizationId of another"/m);
  assertMatch(out, /^ {2}answered .* in place of 403 FIREWALL_NOT_FOUND$/m);
  assertMatch(
    out,
    /^ {2}rule: organizationId equals ctx\.activeOrgId.*\(quickback\/features\/notes\/notes\.ts:\d+\)$/m,
  );
});

Deno.test("conformance finds keys that forget what they were narrowed to", async () => {
  const { code, out } = await checked(
    (model) => model,
    `CREATE TRIGGER "forgetful" AFTER INSERT ON "auth_apikey" BEGIN
      UPDATE "auth_apikey" SET "permissions" =
        json_object('organization', json_extract("permissions", '$.organization'))
      WHERE "id" = NEW."id"; END`,
  );
  assertEquals(code, 1);
  assertMatch(out, /^mismatch createNotes as apiKeyReader: /m);
  assertMatch(out, /in place of 403 ACCESS_ROLE_REQUIRED$/m);
});

const APART = `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "empty",
  providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) },
});
`;

Deno.test("conformance asks where each organization has a database, finds what is wrong, and leaves none", async () => {
  const files = { ...await projectFiles(PROJECT), "quickback/quickback.config.ts": APART };
  const validation = validate(files);
  assert(validation.ok);
  const { model } = validation;
  await inFolder(async (folder) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    const check = (project: ProjectModel, name: string) =>
      checkedLive({ project, folder, url: `file:${folder}/${name}.db` });
    const clean = await check(model, "clean");
    assertEquals(clean.code, 0, clean.out + clean.err);
    assertMatch(
      clean.out,
      /^\d+ routes × \d+ principals = \d+ requests, 0 mismatches, \d+ uncovered$/m,
    );
    const wrong = await check({
      ...model,
      resources: model.resources.map((one) => ({ ...one, firewallErrorMode: "hide" })),
    }, "wrong");
    assertEquals(wrong.code, 1, wrong.out + wrong.err);
    assertMatch(wrong.out, /^mismatch .*"organizationId of another"/m);
    assertEquals([...Deno.readDirSync(`${folder}/tenants`)], []);
    const directory = await openDatabase({ url: `file:${folder}/wrong.db` });
    const sql = "SELECT count(*) FROM tenant_databases";
    assertEquals((await directory.run({ sql, args: [] })).rows, [[0]]);
    await directory.close();
  });
});

Deno.test("conformance asks as an OAuth client, and finds nothing wrong where its scopes hold", async () => {
  const { code, out, err } = await checkedServer();
  assertEquals([code, err.includes("error")], [0, false], out + err);
  assertMatch(out, /, 0 mismatches, /);
  assertEquals(out.includes("oauthClient"), false);
});

Deno.test("conformance finds a route on which a client's scopes do not hold", async () => {
  const { code, out } = await checkedServer(async (request, api) => {
    const token = (request.headers.get("authorization") ?? "").replace("Bearer ", "");
    const { sub = "", client_id } = token === "" ? {} : decodeJwt(token);
    if (request.method !== "DELETE" || client_id === undefined) return request;
    // As whom the client asks for, with all that they may.
    const { rows: [row] } = await api.database.run({
      sql: "SELECT organization_id, role FROM auth_member WHERE user_id = ?",
      args: [sub],
    });
    const claims = { sub, orgId: String(row?.[0]), roles: String(row?.[1]).split(",") };
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${await tokenFor(claims, Date.now())}`);
    return new Request(request, { headers });
  });
  assertEquals(code, 1, out);
  assertMatch(out, /^mismatch \w*[dD]eleteNotes as oauthClient: /m);
  assertMatch(out, /in place of 403 ACCESS_ROLE_REQUIRED$/m);
});

/** Of a project that is an authorization server; `between` stands before its API. */
async function checkedServer(between?: Between): Promise<Run> {
  const files = {
    ...await projectFiles(PROJECT),
    "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({ name: "empty", agents: { oauth: true } });
`,
  };
  const validation = validate(files);
  assert(validation.ok);
  const { model } = validation;
  const runs: Run[] = [];
  await inFolder(async (folder) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    const url = `file:${folder}/app.db`;
    await withAccountsApi(async (api) => {
      runs.push(await askedBy(api, { cwd: folder, url, definitions: folder, between }));
    }, { project: model, driver: fileDriver(url) });
  });
  const [run] = runs;
  assert(run);
  return run;
}

/** `change` is what the API obeys, its definitions stay as they are; `sql` runs before anybody asks. */
async function checked(
  change: (model: ProjectModel) => ProjectModel,
  sql?: string,
): Promise<Run> {
  const validation = validate(await projectFiles(PROJECT));
  assert(validation.ok);
  const project = change(validation.model);
  const runs: Run[] = [];
  await inFolder((folder) => {
    const url = `file:${folder}/app.db`;
    return withAccountsApi(async (api) => {
      if (sql !== undefined) {
        await api.database.write((transaction) => transaction.run({ sql, args: [] }));
      }
      runs.push(await askedBy(api, { cwd: folder, url, definitions: fileURLToPath(PROJECT) }));
    }, { project, driver: fileDriver(url) });
  });
  const [run] = runs;
  assert(run);
  return run;
}

/** The same with files of organizations beside the database. */
async function checkedLive(
  { project, folder, url }: {
    readonly project: ProjectModel;
    readonly folder: string;
    readonly url: string;
  },
): Promise<Run> {
  const runs: Run[] = [];
  await withAccountsApi(async (api) => {
    await keepJournal(api.ports.database);
    await api.ports.database.write((transaction) =>
      transaction.run({
        sql: "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('test', 1)",
        args: [],
      })
    );
    runs.push(await askedBy(api, { cwd: folder, url, definitions: folder }));
  }, { project, driver: fileDriver(url, `${folder}/tenants`) });
  const [run] = runs;
  assert(run);
  return run;
}

interface Asking {
  readonly cwd: string;
  readonly url: string;
  readonly definitions: string;
  readonly between?: Between | undefined;
}

type Between = (request: Request, api: ApiUnderTest) => Promise<Request>;

async function askedBy(
  api: ApiUnderTest,
  { cwd, url, definitions, between = (request) => Promise.resolve(request) }: Asking,
): Promise<Run> {
  // Tokens are made by the real clock, and the API's follows it.
  let now = START;
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      api.pass(Date.now() - now);
      now = Date.now();
      return await api.fetch(await between(request, api), { clientIp: null });
    },
  );
  const env = {
    DATABASE_URL: url,
    AUTH_SECRET: new TextDecoder().decode(AUTH_SECRET),
    BASE_URL,
    NO_COLOR: "1",
  };
  const args = [`http://localhost:${server.addr.port}`, "--project", definitions];
  const run = await runCli(["conformance", ...args], { cwd, env });
  await server.shutdown();
  return run;
}

/** `tenants` is the folder of the databases of organizations. */
function fileDriver(url: string, tenants?: string): DriverUnderTest {
  return {
    name: tenants === undefined ? "embedded" : "perOrganization",
    async with(body) {
      const database = await openDatabase({ url });
      const files = { busyTimeout: 5000, synchronous: "NORMAL" } as const;
      const store = tenants === undefined
        ? null
        : await openTenantFiles({ folder: tenants, ...files });
      try {
        return await body(database, null, store);
      } finally {
        await database.close();
      }
    },
  };
}
