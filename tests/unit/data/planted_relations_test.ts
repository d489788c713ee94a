/** Each fault of rules that follow relations is seen by somebody: planted in the output's own runtime, found by the walk (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { pathToFileURL } from "node:url";
import { loadCompiled } from "../../../cli/commands/leakcheck/compiled_code.ts";
import { withApi } from "../../support/api.ts";
import type { DriverUnderTest } from "../../support/databases.ts";
import { compiledFiles, patched, withOutput } from "../../support/leaky_project.ts";
import { FAULTS, PATCHES, SWITCH } from "../../support/planted_relations.ts";
import { listeningTo } from "../../support/realtime.ts";
import { SCENARIO, type Seen, wrongOnWalk } from "../../support/related_scenario.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

type Code = Awaited<ReturnType<typeof loadCompiled>>;

/** A database of the output's own driver, whose errors its runtime knows. */
function driverOf({ platform }: Code): DriverUnderTest {
  return {
    name: "embedded",
    with: (body) =>
      withTempFolder(async (folder) => {
        const url = pathToFileURL(`${folder}/planted.db`).href;
        const database = await platform.openDatabase({ url });
        try {
          return await body(database, null);
        } finally {
          await database.close();
        }
      }),
  };
}

/** What the walk sees that must not be so. */
async function wrongWith(code: Code): Promise<readonly Seen[]> {
  const { project, actions, schema, authored, runtime } = code;
  let wrong: readonly Seen[] = [];
  const start: Parameters<typeof listeningTo>[0] = (body, options) =>
    withApi(project, body, {
      ...options,
      createApp: runtime.createApp,
      driver: driverOf(code),
      actions: { actions, schema, authored, env: {} },
    });
  await listeningTo(start, async (api) => {
    wrong = await wrongOnWalk(api);
    api.end();
  });
  return wrong;
}

Deno.test("a fault of a rule that follows relations is seen, and none where none is", async (t) => {
  const output = patched(compiledFiles(SCENARIO), PATCHES);
  await withOutput("planted-relations", output, async (folder) => {
    const code = await loadCompiled(folder);
    for (const { name, found } of FAULTS) {
      await t.step(name, async () => {
        Deno.env.set(SWITCH, name);
        try {
          const wrong = (await wrongWith(code)).map(({ what }) => what);
          assert(wrong.some((what) => found.test(what)), JSON.stringify(wrong));
        } finally {
          Deno.env.delete(SWITCH);
        }
      });
    }
    await t.step("none is open", async () => {
      assertEquals(await wrongWith(code), []);
      assert(FAULTS.length >= 20);
    });
  });
});
