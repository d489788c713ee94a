/**
 * The package as somebody gets it from a registry: from an empty folder, with empty caches and with Node alone, to an API
 * that answers.
 */
import { dirname, join } from "node:path";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { freePort } from "../support/free_port.ts";
import { PACKAGE, VERSION } from "../../shared/contract/mod.ts";
import { pack } from "../../tools/packaging/pack.ts";
import { ifThere } from "../../library/platform/if_there.ts";
import { until } from "../support/until.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { carriedSources, checkedTypes, dependentOutput, dependsOn } from "./dependent_output.ts";
import { everyCommand } from "./every_command.ts";
import { answers, localRegistry } from "./local_registry.ts";
import { beside, command, type Person, run } from "./person.ts";

Deno.test("from a registry, with Node alone or with Deno, a person gets an API that answers", (t) =>
  withTempFolder(async (folder) => {
    const places = ["server", "home", "work", "programs"].map((name) => join(folder, name));
    for (const path of places) await Deno.mkdir(path);
    const [server = "", home = "", work = "", programs = ""] = places;
    const packing = pack(join(folder, "dist"));
    await using registry = await localRegistry(server, { own: PACKAGE, standIns: STAND_INS });
    const archive = await packing;
    if (registry === null) return;
    await registry.publish(archive);
    await linkPrograms(programs);
    const env = environmentOf(home, registry.origin);
    const person: Person = { work, env: { ...env, PATH: programs } };
    const denoUser: Person = { work, env: { ...env, PATH: dirname(Deno.execPath()) } };

    await t.step("npx quickback new makes a project", async () => {
      const made = await run("npx", ["-y", "quickback", "new", "my-api"], person);
      assertEquals(made.code, 0, made.err);
      assertMatch(made.out, /^Next: npx quickback dev my-api$/m);
    });
    await t.step("npx quickback hands on arguments, answers and exit codes", async () => {
      const version = await run("npx", ["quickback", "--version"], person);
      assertEquals(version.out.trim(), VERSION);
      assertEquals((await run("npx", ["quickback", "validate", "my-api"], person)).code, 0);
      const mistaken = await run("npx", ["quickback", "validat"], person);
      assertEquals(mistaken.code, 2);
      assertStringIncludes(mistaken.err, 'did you mean "validate"?');
    });
    const author = { ...person, work: join(work, "my-api") };
    await t.step("npx quickback dev serves it, until it is told to end", async () => {
      await served(person, "my-api");
      await served(author, null);
      const away = await run("npx", ["quickback", "dev"], person);
      assertEquals(away.code, 1);
      assertMatch(away.err, /has no quickback\/ folder/);
    });
    await t.step("npx quickback check finds what only types show", () => checkedTypes(person));
    await t.step(
      "npx quickback compile makes an API that depends on the package",
      async () => await dependentOutput(person, denoUser, await integrityOf(archive)),
    );
    await t.step(
      "compile carries the sources with --vendor and build.vendor",
      () => carriedSources(person),
    );
    await t.step("every command answers in the project's folder, which it may name", async () => {
      await everyCommand(author, { turn: "one", folder: null });
      await everyCommand(author, { turn: "two", folder: "." });
    });
    await t.step(
      "npm install has the types that definitions import, and no second copy",
      () => typed(author),
    );
    await t.step("Node loads all that it exports", () => loads(author));
    await t.step("every command answers after npm install, too", async () => {
      await served(author, null);
      await served(author, ".");
      await everyCommand(author, { turn: "three", folder: null });
    });
    await t.step("deno run and deno install take it from the registry, too", async () => {
      const fresh = "--minimum-dependency-age=0";
      const direct = await run(
        "deno",
        ["run", "-A", fresh, "npm:quickback", "--version"],
        denoUser,
      );
      assertEquals(direct.out.trim(), VERSION, direct.err);
      const asTask = await run("deno", ["task", "quickback", "--version"], {
        ...denoUser,
        work: author.work,
      });
      assertEquals(asTask.out.trim(), VERSION, asTask.err);
      const args = ["install", "-g", "-A", fresh, "--name", "quickback", "npm:quickback"];
      assertEquals((await run("deno", args, denoUser)).code, 0);
      const program = join(home, ".deno/bin/quickback");
      const made = await run(program, ["new", "saas", "shop"], denoUser);
      assertEquals(made.code, 0, made.err);
      assertMatch(made.out, /^Next: quickback dev shop$/m);
      // The sources run from the user's cache here, away from the package.
      const compiled = await run(program, ["compile", "shop", "--out", "shop-server"], denoUser);
      assertEquals(compiled.code, 0, compiled.err);
      await dependsOn(join(work, "shop-server"), await integrityOf(archive));
    });
  }));

/** As locks say it. */
async function integrityOf(archive: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-512", await Deno.readFile(archive));
  return `sha512-${new Uint8Array(digest).toBase64()}`;
}

/** Node and what npm starts, and nothing else. */
async function linkPrograms(folder: string): Promise<void> {
  for (const name of ["node", "npm", "npx", "sh"]) {
    const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${name}`] })
      .output();
    const path = await Deno.realPath(new TextDecoder().decode(stdout).trim());
    await Deno.symlink(path, join(folder, name));
  }
}

/** Caches and settings of somebody who has never used npm or Deno. */
function environmentOf(home: string, registry: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    NO_COLOR: "1",
    CI: "1",
    NPM_CONFIG_REGISTRY: registry,
    npm_config_registry: registry,
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
}

async function served(person: Person, folder: string | null): Promise<void> {
  const port = freePort();
  const args = ["quickback", "dev", ...(folder === null ? [] : [folder]), "--port", String(port)];
  await beside(command("npx", args, person, "null"), async () => {
    const origin = `http://localhost:${port}`;
    await answers(`${origin}/health`);
    assertEquals((await (await fetch(`${origin}/health`)).json()).version, VERSION);
    const refused = await fetch(`${origin}/api/v1/notes`);
    assertEquals([refused.status, (await refused.json()).code], [401, "AUTH_MISSING"]);
    // Commands that follow read what it logged.
    const log = join(person.work, folder ?? ".", ".quickback/dev/api.log");
    await until("dev has logged something", () => ifThere(Deno.stat(log)).then(Boolean));
  });
}

const AUTHOR = `import { defineConfig, feature, q } from "quickback";
import { createClient } from "quickback/client";
export const notes = feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), title: q.text().required() },
  read: { access: { roles: ["member"] } },
});
export const config = defineConfig({ name: "notes" });
export const wrong = q.txt();
void createClient;
`;

/** Moves what npx installed, and needs no more, so that npm has only the rest to unpack: it goes by the lock that lies in there. */
async function takeOver(npx: string, work: string): Promise<void> {
  const [folder, ...others] = [...Deno.readDirSync(npx)].map(({ name }) => join(npx, name));
  assertEquals(others, []);
  await Deno.rename(join(folder!, "node_modules"), join(work, "node_modules"));
}

/** TypeScript's own compiler finds the one mistake, and nothing else. */
async function typed(author: Person): Promise<void> {
  const { work, env } = author;
  await takeOver(join(env.HOME ?? "", ".npm/_npx"), work);
  const installed = await run("npm", ["install"], author);
  assertEquals(installed.code, 0, installed.err);
  assertEquals(/ERESOLVE|npm error/.test(installed.err), false, installed.err);
  await oneCopyEach(join(work, "node_modules"));
  const project = await run("npx", ["tsc", "--noEmit"], author);
  assertEquals(project.out, "");
  await Deno.writeTextFile(join(work, "author.ts"), AUTHOR);
  const options = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: "es2022",
    module: "nodenext",
    types: [],
  };
  const config = { compilerOptions: options, files: ["author.ts"] };
  await Deno.writeTextFile(join(work, "tsconfig.author.json"), JSON.stringify(config));
  const { out } = await run("npx", ["tsc", "-p", "tsconfig.author.json"], author);
  assertMatch(out, /^author\.ts\(8,24\): error TS2551: [^\n]*'txt'[^\n]*\n$/);
}

/** Every name that the package exports loads under Node; what only Deno runs says so, and how. */
const EXPORTS = `import { readFileSync } from "node:fs";
const { exports } = JSON.parse(readFileSync("node_modules/quickback/package.json", "utf8"));
const names = Object.keys(exports).filter((name) => !name.endsWith(".json"));
for (const name of names) await import("quickback" + name.slice(1));
const { createTestApp } = await import("quickback/testing");
console.log(names.length > 10, await createTestApp("x").catch(({ message }) => message));
`;

async function loads(author: Person): Promise<void> {
  await Deno.writeTextFile(join(author.work, "exports.mjs"), EXPORTS);
  const { out, err } = await run("node", ["exports.mjs"], author);
  assertMatch(out, /^true createTestApp [^\n]* npx deno test -A /, err);
}

/** Each package once, and of the account library none: its code is in the archive, at the version that was tested. */
async function oneCopyEach(modules: string): Promise<void> {
  const { packages } = JSON.parse(await Deno.readTextFile(join(modules, ".package-lock.json")));
  const names = Object.keys(packages).map((path) => path.split("node_modules/").at(-1) ?? "");
  assertEquals(names.filter((name) => /better-auth/.test(name)), []);
  const shared = ["drizzle-orm", "hono", "zod"];
  assertEquals(names.filter((name) => shared.includes(name)).toSorted(), shared);
}

/** Deno asks for the packages of all machines before it takes its own's, and not every registry has them all. */
const CPUS = { x86_64: "x64", aarch64: "arm64" } as const;
const OTHERS = [
  "win32-x64",
  "win32-arm64",
  "darwin-x64",
  "darwin-arm64",
  "linux-x64-glibc",
  "linux-arm64-glibc",
]
  .filter((name) => !name.startsWith(`${Deno.build.os}-${CPUS[Deno.build.arch]}`));
const STAND_INS = OTHERS.map((name) => {
  const [os = "", cpu = ""] = name.split("-");
  return { name: `@deno/${name}`, version: Deno.version.deno, os: [os], cpu: [cpu] };
});
