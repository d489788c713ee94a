/** Outputs of the installed package: they depend on it, and carry its sources where that is asked for. */
import { join } from "node:path";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { freePort } from "../support/free_port.ts";
import { VERSION } from "../../cli/version.ts";
import { answers } from "./local_registry.ts";
import { beside, command, type Person, run } from "./person.ts";

const CONFIG = join("my-api", "quickback", "quickback.config.ts");

/** `integrity`: of the published archive. */
export async function dependentOutput(
  author: Person,
  operator: Person,
  integrity: string,
): Promise<void> {
  const compiled = await run("npx", ["quickback", "compile", "my-api", "--out", "server"], author);
  assertEquals(compiled.code, 0, compiled.err);
  const server = { ...operator, work: join(author.work, "server") };
  const read = (path: string) => Deno.readTextFile(join(server.work, path));
  const lock = await read("deno.lock");
  await dependsOn(server.work, integrity);
  const verify = ["quickback", "compile", "my-api", "--out", "server", "--verify"];
  const verified = await run("npx", verify, author);
  assertEquals(verified.code, 0, verified.err);

  const migrated = await run("deno", ["task", "migrate"], server);
  assertMatch(migrated.out, /^Applied 0000_/m, migrated.err);
  await serves(server);
  await findsNothingButSlips(server);
  assertEquals(await read("deno.lock"), lock, "what was compiled is what runs");
}

/** The output names this archive of the package, and has nothing of it in its own files. */
export async function dependsOn(output: string, integrity: string): Promise<void> {
  const read = async (path: string) => JSON.parse(await Deno.readTextFile(join(output, path)));
  assertEquals((await read("deno.json")).imports.quickback, `npm:quickback@${VERSION}`);
  assertEquals((await read("deno.lock")).npm[`quickback@${VERSION}`].integrity, integrity);
  const files = await filesIn(output);
  assertEquals(files.filter((path) => path.startsWith("src/quickback/")), []);
  assert(files.length < 60, `${files.length} files`);
}

async function serves(server: Person): Promise<void> {
  const port = freePort();
  const token = "a-token-of-prometheus";
  const env = { ...server.env, PORT: String(port), HOST: "127.0.0.1", METRICS_TOKEN: token };
  await beside(command("deno", ["task", "start"], { ...server, env }, "null"), async () => {
    const origin = `http://127.0.0.1:${port}`;
    await answers(`${origin}/health`);
    assertEquals((await (await fetch(`${origin}/health`)).json()).version, VERSION);
    const refused = await fetch(`${origin}/api/v1/notes`);
    assertEquals([refused.status, (await refused.json()).code], [401, "AUTH_MISSING"]);
    // Of a package that is loaded late, beside the bundled ones.
    const metrics = await fetch(`${origin}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assertMatch(await metrics.text(), /^quickback_database_up 1$/m);
  });
}

/** The package's declarations are there and say something: of all that is checked, a wrong call is the one mistake. */
async function findsNothingButSlips(server: Person): Promise<void> {
  const slip = 'import { createApp } from "quickback/runtime";\ncreateApp(1);\n';
  await Deno.writeTextFile(join(server.work, "slip.ts"), slip);
  const { code, err } = await run("deno", ["check", "src", "slip.ts"], server);
  assertEquals(code, 1);
  assertEquals(err.match(/TS\d+ \[ERROR\]/g), ["TS2554 [ERROR]"], err);
  assertMatch(err, /\n {4}at file:\/\/\/\S+\/slip\.ts:2:1\n/);
}

export async function carriedSources(author: Person): Promise<void> {
  const compile = ["quickback", "compile", "my-api", "--out"];
  const asked = await run("npx", [...compile, "carrying", "--vendor"], author);
  assertEquals(asked.code, 0, asked.err);
  assertEquals(await hasSources(join(author.work, "carrying")), true);
  const config = join(author.work, CONFIG);
  const text = await Deno.readTextFile(config);
  await Deno.writeTextFile(config, text.replace("defineConfig({", "$& build: { vendor: true },"));
  const declared = await run("npx", [...compile, "declared"], author);
  await Deno.writeTextFile(config, text);
  assertEquals(declared.code, 0, declared.err);
  assertEquals(await hasSources(join(author.work, "declared")), true);
}

/** `check` needs nothing beside the package, and finds what only types show. */
export async function checkedTypes(author: Person): Promise<void> {
  const clean = await run("npx", ["quickback", "check", "my-api"], author);
  assertEquals(clean.code, 0, clean.err);
  const slip = join(author.work, "my-api/quickback/lib/slip.ts");
  await Deno.mkdir(join(slip, ".."), { recursive: true });
  const text = 'import { z } from "zod";\nexport const count: number = z.string().parse("1");\n';
  await Deno.writeTextFile(slip, text);
  const found = await run("npx", ["quickback", "check", "my-api", "--json"], author);
  await Deno.remove(slip);
  const { diagnostics } = JSON.parse(found.out);
  const [{ code, file, line }] = diagnostics;
  assertEquals([found.code, code, file, line], [1, "TS2322", "quickback/lib/slip.ts", 2]);
}

async function hasSources(output: string): Promise<boolean> {
  return (await filesIn(output)).includes("src/quickback/runtime/mod.ts");
}

async function filesIn(folder: string, path = ""): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, path))) {
    const inner = path === "" ? name : `${path}/${name}`;
    if (isDirectory) found.push(...await filesIn(folder, inner));
    else found.push(inner);
  }
  return found;
}
