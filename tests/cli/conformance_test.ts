/** `conformance <url>` against an API that really listens, with accounts and keys (definitions 8). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../platform/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { withAccountsApi } from "../support/accounts_api.ts";
import { AUTH_SECRET, BASE_URL, START } from "../support/api.ts";
import { withoutPredicate } from "../support/conformance_faults.ts";
import type { DriverUnderTest } from "../support/databases.ts";
import { projectFiles } from "../support/sample_files.ts";
import { inFolder, type Run, runCli } from "./command_line.ts";

const PROJECT = new URL("../../examples/empty/", import.meta.url);

Deno.test("conformance finds nothing wrong with an API that is what its definitions say", async () => {
  const { code, out, err } = await checked((model) => model);
  assertEquals([code, err.includes("error")], [0, false], out + err);
  assertMatch(out, /^\d+ routes × \d+ principals = \d+ requests, 0 mismatches, \d+ uncovered$/m);
  // Keys and accounts are asked too; what is left out is told with its reason.
  assertStringIncludes(out, "uncovered: the account library answers it by its own rules");
  assertEquals(out.includes("apiKey"), false);
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
      // Tokens are made by the real clock, and the API's follows it.
      let now = START;
      const server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen: () => {} },
        (request) => {
          api.pass(Date.now() - now);
          now = Date.now();
          return api.fetch(request, { clientIp: null });
        },
      );
      const env = {
        DATABASE_URL: url,
        AUTH_SECRET: new TextDecoder().decode(AUTH_SECRET),
        BASE_URL,
        NO_COLOR: "1",
      };
      const args = [`http://localhost:${server.addr.port}`, "--project", fileURLToPath(PROJECT)];
      runs.push(await runCli(["conformance", ...args], { cwd: folder, env }));
      await server.shutdown();
    }, { project, driver: fileDriver(url) });
  });
  const [run] = runs;
  assert(run);
  return run;
}

function fileDriver(url: string): DriverUnderTest {
  return {
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
}
