/** `deno task redeliver` of a compiled project, as an operator types it (contract 8.2.7; docs/webhooks.md). */
import { readCompileHost } from "../../container/host.ts";
import { compile, type RawFiles } from "../../shared/compiler/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { inNamespace, namespaceMissing, scriptCommand } from "../support/network_namespace.ts";
import type { RedeliverRun } from "../support/redeliver_run.ts";
import { withSteadyFolder } from "../support/temp_folder.ts";

const PROJECT = "quickback/features/notes";

function project(config: string): RawFiles {
  return {
    "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "notes",
  providers: { database: defineDatabase("libsql", { webhookAllowInsecure: true }) },
  ${config}
});
`,
    [`${PROJECT}/notes.ts`]: `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), title: q.text().required() },
  guards: { createable: ["title"] },
  read: { access: { roles: ["admin"] } },
  create: { access: { roles: ["admin"] } },
});
`,
    [`${PROJECT}/actions/tell.ts`]: `import { defineAction, emitWebhookEvent } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Tell of a note",
  input: z.object({}),
  access: { roles: ["admin"] },
  async execute({ record, ctx, env }) {
    const { organizationId } = ctx;
    await emitWebhookEvent("note.told", record.title, { organizationId }, env);
    return { told: true };
  },
});
`,
  };
}

function compiled(config: string): ReadonlyMap<string, string> {
  const result = compile(project(config), readCompileHost({ version: "0.0.0" }));
  assert(result.ok, JSON.stringify(result));
  return new Map(result.files.map(({ path, content }) => [path, content]));
}

const SINCE = ["--since", "2026-01-01"];
const USAGE =
  "deno task redeliver --since <date or time> [--endpoint <id>] [--status failed|delivered] [--dry-run]";
const NOWHERE = `wep_${"0".repeat(32)}`;

/** In this order: what one of them emits, the next ones do not. */
const COMMANDS: readonly (readonly [args: readonly string[], code: number, says: string])[] = [
  [[], 1, `--since is missing: ${USAGE}`],
  [["--help"], 1, `Unknown option '--help': ${USAGE}`],
  [
    ["--since", "yesterday"],
    1,
    "--since needs a date such as 2026-01-31, or a time such as 2026-01-31T10:20:30Z, not 'yesterday'",
  ],
  [[...SINCE, "--status", "pending"], 1, "--status needs failed or delivered, not 'pending'"],
  [
    [...SINCE, "--endpoint", "mine"],
    1,
    "--endpoint needs the id of an endpoint, wep_…, not 'mine'",
  ],
  [
    [...SINCE, "--endpoint", NOWHERE],
    1,
    `No endpoint has the id '${NOWHERE}': it was deleted, or is in another database`,
  ],
  [[...SINCE, "--dry-run"], 0, "Would emit again: 1 event to 1 endpoint"],
  [
    [...SINCE, "--endpoint", "ENDPOINT", "--status", "failed"],
    0,
    "Emitted again: 1 event to 1 endpoint",
  ],
  [SINCE, 0, "Emitted again: 0 events to 0 endpoints"],
];

Deno.test({
  name: "redeliver emits what failed once more, while the API runs, and refuses what is doubtful",
  ignore: await namespaceMissing() !== null,
  fn: () =>
    withSteadyFolder(async (folder) => {
      for (const [path, content] of compiled("webhooks: { outbound: true },")) {
        await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
        await Deno.writeTextFile(`${folder}/${path}`, content);
      }
      await fetchPackages(folder);
      const lines = JSON.stringify(COMMANDS.map(([args]) => args));
      const said = await inNamespace(scriptCommand("redeliver_run.ts", folder, lines));
      const run: RedeliverRun = JSON.parse(said);
      assertEquals(run.said, COMMANDS.map(([, code, says]) => [code, says] as const));
      assertEquals(run.received, ["Paint", {}, "Paint"]);
      assertEquals(run.ids, 3);
      assertEquals(run.statuses, ["delivered", "failed", "failed"]);
    }),
});

/** While there is a network: where the project runs there is none. */
async function fetchPackages(folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "src/main.ts", "src/redeliver.ts"],
    cwd: folder,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

Deno.test("a project that sends no webhooks has nothing to redeliver", () => {
  const files = compiled('webhooks: { inbound: ["stripe"] },');
  assertEquals(files.has("src/redeliver.ts"), false);
  assertEquals(files.get("deno.json")?.includes("redeliver"), false);
});
