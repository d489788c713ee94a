/** `dev` as a newcomer meets it: it serves, follows changes, survives mistakes, and leaves nothing behind. */
import { dirname, join } from "node:path";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { ROUTES, TOKEN_HEADER } from "../../playground/protocol.ts";
import { freePort } from "../support/free_port.ts";
import { CONFIG, inFolder, MAIN, runCli, runHere } from "./command_line.ts";
import { until } from "../support/until.ts";
import { isListening, RunningCommand } from "./running_command.ts";

const LAYERS: readonly (readonly [string, string])[] = [
  ["authentication", "401 AUTH_MISSING"],
  ["firewall", "403 FIREWALL_NOT_FOUND"],
  ["access", "403 ACCESS_ROLE_REQUIRED"],
  ["guards", "400 GUARD_FIELD_PROTECTED"],
  ["action", "200 success true"],
  ["masking", "200"],
];

Deno.test("dev serves, keeps serving through a mistake, and serves what was changed", () =>
  inFolder(async (folder) => {
    await runHere(["new", "helpdesk", "desk"], { cwd: folder });
    const port = freePort();
    await using dev = RunningCommand.dev(["desk", "--port", String(port)], folder);
    await dev.says("Watching");
    const origin = `http://localhost:${port}`;
    assertStringIncludes(dev.out, `${origin}/openapi.json`);
    assertStringIncludes(dev.out, "demo@example.com");
    for (const [layer, answer] of LAYERS) assertLayerIsShown(dev.out, layer, answer);
    assertStringIncludes(dev.out, "j***@e***.com");
    await assertPastedLinesAnswer(dev.out);
    assertEquals(dev.out.includes("\x1b"), false);
    const playground = /http:\/\/127\.0\.0\.1:(\d+)\/#\w{48}/.exec(dev.out)?.[1];
    assert(playground, dev.out);
    const home = await fetch(origin, { headers: { accept: "text/html" } });
    const html = await home.text();
    assertStringIncludes(html, `<a href="http://127.0.0.1:${playground}/">`);
    assertStringIncludes(html, "desk/.quickback/dev/app.db</code>");
    assertStringIncludes(html, '<a href="/docs">');
    assertEquals(html.includes(/\/#(\w{48})/.exec(dev.out)?.[1] ?? html), false);

    const tickets = join(folder, "desk/quickback/features/tickets/tickets.ts");
    const good = await Deno.readTextFile(tickets);
    await Deno.writeTextFile(tickets, good.replace("q.id()", "q.idd()"));
    await dev.says("The last good API keeps serving");
    assertStringIncludes(dev.err, "quickback/features/tickets/tickets.ts:");
    assertEquals(await statusOf(`${origin}/health`), 200);

    const changed = good.replace(
      "dueAt: q.timestamp(),",
      "dueAt: q.timestamp(),\n    room: q.text(),",
    );
    await Deno.writeTextFile(tickets, changed);
    await until("the new column is served", async () => {
      const response = await fetch(`${origin}/openapi.json`);
      return (await response.text()).includes('"room"');
    }, { context: () => dev.err });
    assertEquals(await dev.end("SIGTERM"), 0);
    assertEquals(await isListening(port), false);
    assertEquals(await isListening(Number(playground)), false);

    await Deno.writeTextFile(tickets, good.replace("q.id()", "q.idd()"));
    await using later = RunningCommand.dev(["desk", "--port", String(port)], folder);
    await later.says("The last good API keeps serving");
    assertStringIncludes(later.out, "demo@example.com");
    const answer = await fetch(`${origin}/openapi.json`);
    assertStringIncludes(await answer.text(), '"room"');
  }));

Deno.test("dev offers its page for mending what has never compiled, and has none when told so", () =>
  inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    await Deno.writeTextFile(join(folder, "shop/quickback/features/notes/notes.ts"), "broken");
    for (const [option, hasPage] of [["--fresh", true], ["--no-playground", false]] as const) {
      await using dev = RunningCommand.dev(["shop", "--port", String(freePort()), option], folder);
      await dev.says("Nothing serves yet");
      if (hasPage) await dev.says("http://127.0.0.1:");
      else assertEquals(dev.out.includes("127.0.0.1"), false);
      assertEquals(await dev.end("SIGTERM"), 0);
    }
  }));

Deno.test("dev tells what a handler threw, and the author's line of it, in the answer and in the log", () =>
  inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    const action = join(folder, "shop/quickback/features/notes/actions/count.ts");
    await Deno.mkdir(dirname(action), { recursive: true });
    await Deno.writeTextFile(action, FAILING_ACTION);
    const port = freePort();
    await using dev = RunningCommand.dev(
      ["shop", "--port", String(port), "--no-playground"],
      folder,
    );
    await dev.says("Watching");
    const [token] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(dev.out) ?? [];
    const response = await fetch(`http://localhost:${port}/api/v1/notes/count`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    });
    const problem = await response.json();
    assertEquals([response.status, problem.detail], [500, "nothing to count"]);
    assertEquals(problem.details.frames[0], "count.ts:10");
    await dev.says("RangeError: nothing to count");
    await dev.says("shop/quickback/features/notes/actions/count.ts:10:11");
    // Of the request, the terminal shows what went wrong, and the log that it came.
    assertEquals(dev.err.includes("Answered"), false);
    const logs = await runCli(["logs", "shop"], { cwd: folder });
    assertMatch(logs.out, /^\S+ POST {3}\/api\/v1\/notes\/count 500 \w+ ACTION_EXECUTION_FAILED /m);
    assertMatch(logs.out, /^\S+ info {2}counting with \[REDACTED\]$/m);
    assertStringIncludes(logs.out, "shop/quickback/features/notes/actions/count.ts:10:11");
  }));

const FAILING_ACTION = `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Counts",
  path: "./count",
  input: z.object({}),
  access: { roles: ["AUTHENTICATED"] },
  execute: () => {
    console.log("counting with eyJhbGciOi.eyJzdWIi.c2lnbmF0");
    throw new RangeError("nothing to count");
  },
});
`;

Deno.test("dev shows the same demo when it starts again", () =>
  inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    const ids: string[] = [];
    for (let start = 0; start < 2; start++) {
      await using dev = RunningCommand.dev(["shop", "--port", String(freePort())], folder);
      await dev.says("Watching");
      ids.push(/\/notes\/(note_\w+)/.exec(dev.out)?.[1] ?? dev.out + dev.err);
      assertEquals(await dev.end("SIGINT"), 0);
    }
    assertEquals(ids[0], ids[1]);
    assert(ids[0]?.startsWith("note_"));
  }));

Deno.test("dev has a demo where nobody may sign up, or an address must be confirmed first", () =>
  inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    const config = join(folder, "shop/quickback/quickback.config.ts");
    await Deno.writeTextFile(config, CLOSED);
    for (let start = 0; start < 2; start++) {
      await using dev = RunningCommand.dev(["shop", "--port", String(freePort())], folder);
      await dev.says("Watching");
      assertEquals(dev.err.includes("incomplete"), false, dev.err);
      assertStringIncludes(dev.out, "demo@example.com / demo-password");
      assertStringIncludes(dev.out, "export TOKEN=");
      for (const layer of ["authentication", "firewall"]) {
        assertStringIncludes(dev.out, `${layer}:`);
      }
      assertEquals(await dev.end("SIGINT"), 0);
    }
  }));

const CLOSED = `import { defineAuth, defineConfig } from "quickback";

export default defineConfig({
  name: "shop",
  providers: {
    auth: defineAuth("better-auth", {
      emailAndPassword: { disableSignUp: true, requireEmailVerification: true },
    }),
  },
});
`;

Deno.test("dev keeps all in its own folder, whatever the shell's variables name, and empties all of it", () =>
  inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    const config = join(folder, "shop/quickback/quickback.config.ts");
    await Deno.writeTextFile(config, APART);
    const scans = join(folder, "shop/quickback/features/scans");
    await Deno.mkdir(scans);
    await Deno.writeTextFile(join(scans, "scans.ts"), SCANS);
    const elsewhere = join(folder, "elsewhere");
    await using dev = RunningCommand.dev(["shop", "--port", String(freePort())], folder, {
      STORAGE_URL: `file:${elsewhere}/files`,
      DATABASE_TENANTS: `${elsewhere}/tenants`,
      DATABASE_REPLICA: `${elsewhere}/copy.db`,
      REDIS_URL: "redis://127.0.0.1:9",
    });
    await dev.says("Watching");
    const address = /http:\/\/127\.0\.0\.1:\d+\/#\w+/.exec(dev.out)?.[0] ?? dev.out;
    const tenants = join(folder, "shop/.quickback/dev/tenants");
    const kept = () => [...Deno.readDirSync(tenants)].filter(({ name }) => name.endsWith(".db"));
    const { length } = kept();
    assert(length > 0);
    const { origin, hash } = new URL(address);
    const reset = await fetch(`${origin}${ROUTES.reset}`, {
      method: "POST",
      headers: { origin, "sec-fetch-site": "same-origin", [TOKEN_HEADER]: hash.slice(1) },
    });
    assertEquals([reset.status, await reset.text()], [204, ""]);
    assert(!/error|incomplete/i.test(dev.out + dev.err), dev.err);
    assertEquals(kept().length, length);
    await assertRejects(() => Deno.stat(elsewhere), Deno.errors.NotFound);
  }));

const APART = `import { defineConfig, defineDatabase } from "quickback";

export default defineConfig({
  name: "shop",
  providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) },
});
`;

const SCANS = `import { feature, q } from "quickback";

export default feature("scans", {
  columns: { organizationId: q.scope("organization"), scan: q.file() },
  guards: { createable: [], updatable: ["scan"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } },
});
`;

Deno.test("dev refuses a port that is taken, and says so", () =>
  inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    using busy = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = busy.addr;
    const { code, err } = await runCli(["dev", "shop", "--port", String(port)], { cwd: folder });
    assertEquals(code, 3);
    assertStringIncludes(err, `Port ${port} is in use`);
  }));

Deno.test("dev ends when the task that started it is gone", () =>
  inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    const port = freePort();
    const command = `deno run -A --config ${CONFIG} ${MAIN} dev shop --port ${port}`;
    await Deno.writeTextFile(
      join(folder, "deno.json"),
      JSON.stringify({ tasks: { dev: command } }),
    );
    await using task = new RunningCommand(["task", "dev"], folder);
    await task.says("Watching");
    assertEquals(await isListening(port), true);
    await task.end("SIGKILL");
    await until("the port is free again", async () => !(await isListening(port)));
  }));

function assertLayerIsShown(text: string, layer: string, answer: string): void {
  const lines = text.split("\n");
  const index = lines.findIndex((line) => line.trimStart().startsWith(`${layer}:`));
  assertStringIncludes(lines[index] ?? text, answer);
  assert(lines[index + 1]?.startsWith("curl "), `No curl line after ${layer}`);
}

/** A shell somewhere else takes the one line that exports, and then each command, which answers as was printed. */
async function assertPastedLinesAnswer(text: string): Promise<void> {
  const lines = text.split("\n");
  const [exported = "", ...others] = lines.filter((line) => /^\s*export /.test(line));
  assertEquals(others, []);
  assert(exported.startsWith("export TOKEN=eyJ"), text);
  const claims = JSON.parse(atob(exported.split(".")[1] ?? ""));
  assertEquals([claims.exp - claims.iat, claims.roles], [24 * 60 * 60, ["owner"]]);
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith("curl ")) continue;
    const script = `${exported}\n${line} -o /dev/stderr -w '%{http_code}'`;
    const { stdout, stderr } = await new Deno.Command("sh", { args: ["-c", script], cwd: "/" })
      .output();
    const [status, code] = /→ (\d{3})(?: ([A-Z_]+)\b)?/.exec(lines[at - 1] ?? "")?.slice(1) ?? [];
    const decoder = new TextDecoder();
    assertEquals(decoder.decode(stdout), status, line);
    assertStringIncludes(decoder.decode(stderr), code ?? "{", line);
  }
}

async function statusOf(address: string): Promise<number> {
  const response = await fetch(address);
  await response.body?.cancel();
  return response.status;
}
