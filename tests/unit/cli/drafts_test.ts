/** `add` and `fmt`, `routes` of what was added: drafts compile, are formatted, and let no member in. */
import { join } from "node:path";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const ADDED: readonly (readonly [args: string[], files: string[]])[] = [
  [["table", "customer-orders"], ["features/customer-orders/customer-orders.ts"]],
  [["action", "customerOrders/ship"], ["features/customer-orders/actions/ship.ts"]],
  [["action", "notes/pinNow"], ["features/notes/actions/pin-now.ts"]],
  [["job", "sendMail"], ["jobs/send-mail.ts"]],
  [["webhook", "stripe"], ["services/stripe-events.ts"]],
  [["webhook", "forge"], ["services/forge.ts", "services/forge-events.ts"]],
];

Deno.test("what add writes compiles, is formatted, and lets nobody in whom a role names", () =>
  inProject(async (folder) => {
    for (const [args, files] of ADDED) {
      const { code, out } = await run(["add", ...args, folder, "--json"]);
      assertEquals([code, JSON.parse(out).files], [0, files.map((file) => `quickback/${file}`)]);
    }
    const config = join(folder, "quickback/quickback.config.ts");
    const text = await Deno.readTextFile(config);
    const named = 'webhooks: { inbound: ["stripe", "forge"] },\n  name:';
    await Deno.writeTextFile(config, text.replace("name:", named));
    assertEquals((await run(["validate", folder])).code, 0);
    assertEquals((await run(["fmt", folder, "--check"])).code, 0);
    const routes = await routesOf(folder);
    const drafted = routes.filter(({ path }) => /customer-orders|pin-now/.test(path));
    assertEquals(drafted.length > 8, true);
    assertEquals(drafted.flatMap(({ who }) => Object.values(who)).includes("admitted"), false);
  }));

Deno.test("routes tells who may ask what, and which records decide", () =>
  inProject(async (folder) => {
    const [list] = await routesOf(folder);
    assertEquals(list, {
      method: "GET",
      path: "/api/v1/notes",
      who: {
        anonymous: "refused",
        member: "admitted",
        "role:admin": "admitted",
        "role:owner": "admitted",
      },
    });
    const { out } = await run(["routes", folder]);
    assertStringIncludes(out, "DELETE  /api/v1/notes/:id    -          -       yes    yes");
    const all = await run(["routes", folder, "--all"]);
    for (const shown of ["/health", "apiKey"]) assertStringIncludes(all.out, shown);
  }));

Deno.test("add overwrites nothing, and names the table that was meant", () =>
  inProject(async (folder) => {
    const again = await run(["add", "table", "notes", folder]);
    assertEquals(again.code, 1);
    assertStringIncludes(again.err, "nothing is overwritten");
    const meant = await run(["add", "action", "note/pin", folder]);
    assertEquals(meant.code, 1);
    assertStringIncludes(meant.err, 'did you mean "notes"?');
    for (const args of [["action", "pin"], ["table", "../x"], ["webhook", "a b"]]) {
      assertEquals((await run(["add", ...args, folder])).code, 2, args.join(" "));
    }
  }));

Deno.test("fmt --check tells of what fmt mends, and fmt touches definitions alone", () =>
  inProject(async (folder) => {
    const file = join(folder, "quickback/features/notes/notes.ts");
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replaceAll("  ", "      "));
    await Deno.writeTextFile(join(folder, "other.ts"), "let  x");
    assertEquals((await run(["fmt", folder, "--check"])).code, 1);
    assertEquals((await run(["fmt", folder])).code, 0);
    assertEquals(await Deno.readTextFile(file), text);
    assertEquals(await Deno.readTextFile(join(folder, "other.ts")), "let  x");
  }));

interface Route {
  readonly method: string;
  readonly path: string;
  readonly who: Readonly<Record<string, string>>;
}

async function routesOf(folder: string): Promise<readonly Route[]> {
  return JSON.parse((await run(["routes", folder, "--json"])).out).routes;
}

async function inProject(body: (folder: string) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    assertEquals((await run(["new", join(folder, "shop")])).code, 0);
    await body(join(folder, "shop"));
  });
}

async function run(args: readonly string[]) {
  const terminal = recordingTerminal();
  const code = await main(args, terminal, "quickback");
  return { code, out: terminal.outText(), err: terminal.errText() };
}
