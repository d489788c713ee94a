/** The code that docs/webhooks.md gives to authors who receive webhooks, as a compiler sees it (definitions 6). */
import { assert, assertEquals } from "@std/assert";
import { snippetIn } from "../../support/run_snippet.ts";
import { withSteadyFolder } from "../../support/temp_folder.ts";

const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;
const PAGE = "webhooks.md";
const PROVIDER =
  "To add a provider, write a file in `quickback/services/` and name it in `webhooks.inbound`:";
const HANDLER = "name the scope in which they work:";
const CALL = "  await scopeTo({ organizationId }, ";
const SCHEMA = `import { sqliteTable, text } from "drizzle-orm/sqlite-core";
export const tickets = sqliteTable("tickets", { title: text().notNull() });
`;

Deno.test("the provider and the handlers of docs/webhooks.md compile, and their scope is checked", () =>
  withSteadyFolder(async (folder) => {
    const [provider, shown] = [await snippetIn(PAGE, PROVIDER), await snippetIn(PAGE, HANDLER)];
    const handler = shown.replace("tickets/schema", "tickets/schema.ts");
    assert(handler.includes(CALL));
    const wrong = handler.replace(CALL, "// @ts-expect-error\nawait scopeTo({ tenant: 1 }, ");
    const files = { "provider.ts": provider, "handler.ts": handler, "wrong.ts": wrong };
    await Deno.mkdir(`${folder}/features/tickets`, { recursive: true });
    await Deno.writeTextFile(`${folder}/features/tickets/schema.ts`, SCHEMA);
    await Deno.mkdir(`${folder}/services`);
    const paths = Object.keys(files).map((name) => `${folder}/services/${name}`);
    for (const [at, text] of Object.values(files).entries()) {
      await Deno.writeTextFile(paths[at] ?? "", text);
    }
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", CONFIG, ...paths],
      env: { NO_COLOR: "1" },
    }).output();
    assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
  }));
