/** `compile --service <url>`: the same files as a compile here, and words for what a service refuses (definitions 8). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createService } from "../../shared/service/mod.ts";
import { stepCompiler } from "../../shared/service/step_compiler.ts";
import { VERSION } from "../../shared/compiler/mod.ts";
import { readBuiltHost } from "../../container/built_runtime.ts";
import { KEY, testPorts } from "../support/build_service.ts";
import { filesBelow } from "../support/sample_files.ts";
import { pathToFileURL } from "node:url";
import { inFolder, runCli, runHere } from "./command_line.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/empty", import.meta.url));

Deno.test("compile --service writes what compile writes", async () => {
  await inFolder(async (cwd) => {
    await using server = await serveContainer();
    const remote = await runCli(
      ["compile", EXAMPLE, "--out", "remote", "--service", server.origin],
      { cwd, env: { SERVICE_API_KEY: KEY } },
    );
    assertEquals(remote.code, 0, remote.err);
    assertEquals((await runHere(["compile", EXAMPLE, "--out", "local"], { cwd })).code, 0);
    assertEquals(await outputIn(cwd, "remote"), await outputIn(cwd, "local"));
  });
});

Deno.test("compile --service sends the schemas that contract v2 asks for", async () => {
  await inFolder(async (cwd) => {
    await using server = await serveContainer();
    const remotely = ["compile", "project", "--out", "remote", "--service", server.origin];
    const env = { SERVICE_API_KEY: KEY };
    await writeProject(`${cwd}/project`, SECOND_VERSION);
    const missing = await runHere(remotely, { cwd, env });
    assertEquals(missing.code, 1);
    assertStringIncludes(missing.err, 'actionInputSchemas has no entry "notes.import-all"');
    assertStringIncludes(missing.err, "1 error, 0 warnings");

    const schemas = { "notes.import-all": { type: "object", required: ["rows"] } };
    await writeProject(`${cwd}/project`, {
      "action-input-schemas.json": JSON.stringify(schemas),
    });
    const remote = await runHere(remotely, { cwd, env });
    assertEquals(remote.code, 0, remote.err);
    const local = await runHere(["compile", "project", "--out", "local"], { cwd });
    assertEquals(local.code, 0, local.err);
    const files = await outputIn(cwd, "remote");
    assertEquals(files, await outputIn(cwd, "local"));
    assertStringIncludes(files["openapi.json"] ?? "", '"rows"');
  });
});

const SECOND_VERSION = {
  "quickback.config.ts": 'export default { name: "notes", contract: { version: "v2" } };',
  "features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), title: q.text().required() },
  guards: { createable: ["title"] },
  create: { access: { roles: ["member"] } },
});`,
  "features/notes/actions/archive.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Archives a note",
  input: z.object({ reason: z.string().max(200), at: z.string().datetime().optional() }),
  access: { roles: ["member"] },
  execute: () => ({ ok: true }),
});`,
  "features/notes/actions/import-all.ts": `import { defineAction } from "quickback";
import { z } from "zod";
const rows = z.array(z.string().transform((text) => text.trim()));
export default defineAction({
  description: "Imports notes",
  path: "./import",
  input: z.object({ rows }),
  access: { roles: ["member"] },
  execute: () => ({ ok: true }),
});`,
};

async function writeProject(folder: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    const target = `${folder}/quickback/${path}`;
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, text);
  }
}

Deno.test("compile --service shows mistakes in their places, and what the service refuses", async () => {
  await inFolder(async (cwd) => {
    await using server = await serveContainer();
    await Deno.mkdir(`${cwd}/project/quickback`, { recursive: true });
    await Deno.writeTextFile(
      `${cwd}/project/quickback/quickback.config.ts`,
      "export default { nam: 1 };",
    );
    const args = ["compile", "project", "--out", "out", "--service", server.origin];
    const mistaken = await runHere(args, { cwd, env: { SERVICE_API_KEY: KEY } });
    assertEquals(mistaken.code, 1);
    assertStringIncludes(mistaken.err, "quickback/quickback.config.ts:1:18");
    assertStringIncludes(mistaken.err, "export default { nam: 1 };");
    const stranger = await runHere(args, { cwd, env: { SERVICE_API_KEY: "another-long-key" } });
    assertEquals(stranger.code, 3);
    assertStringIncludes(stranger.err, "The key in 'x-api-key' is not known");
    const keyless = await runHere(args, { cwd, env: { SERVICE_API_KEY: "" } });
    assertEquals(keyless.code, 3);
    assertStringIncludes(keyless.err, "Set SERVICE_API_KEY");
  });
});

/** Moves the cursor, changes colours, rings, sets the title, turns the line round, begins a line of its own. */
const HOSTILE = "\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\nerror none\r\u2028";

const NOTHING_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const HOSTILE_ANSWERS: readonly (readonly [string, number, unknown])[] = [
  ["a problem", 400, { title: HOSTILE, code: HOSTILE }],
  ["a problem with its hint", 503, { title: "t", detail: HOSTILE, hint: HOSTILE, code: HOSTILE }],
  ["findings", 400, {
    title: HOSTILE,
    errors: [{
      code: HOSTILE,
      message: HOSTILE,
      file: HOSTILE,
      line: 1,
      column: 1,
      hint: HOSTILE,
    }],
  }],
  ["warnings", 200, {
    files: [],
    warnings: [{ code: HOSTILE, message: HOSTILE, file: HOSTILE, line: 1 }],
  }],
  ["the path of a file", 200, {
    files: [{ path: HOSTILE, content: "", sha256: NOTHING_SHA256 }],
    warnings: [],
  }],
  ["the path of a file of another digest", 200, {
    files: [{ path: HOSTILE, content: "", sha256: HOSTILE }],
    warnings: [],
  }],
];

Deno.test("no text of a build service reaches a terminal with a control character in it", async (t) => {
  for (const [name, status, answer] of HOSTILE_ANSWERS) {
    await t.step(name, () =>
      inFolder(async (cwd) => {
        await using server = Deno.serve(
          { port: 0, hostname: "127.0.0.1", onListen: () => {} },
          () => Response.json(answer, { status }),
        );
        const origin = `http://127.0.0.1:${server.addr.port}`;
        const run = await runCli(
          ["compile", EXAMPLE, "--out", "out", "--service", origin],
          { cwd, env: { SERVICE_API_KEY: KEY } },
        );
        assertStringIncludes(run.err, "\uFFFD");
        const shown = (run.err + run.out).replaceAll("\n", "");
        assertEquals(shown.match(/[\p{Cc}\p{Cf}\u2028\u2029]/gu), null);
        assert(!run.err.split("\n").includes("error none"));
      }));
  }
});

async function outputIn(cwd: string, folder: string): Promise<Record<string, string>> {
  return await filesBelow(new URL(`${folder}/`, pathToFileURL(`${cwd}/`)));
}

async function serveContainer(): Promise<{ readonly origin: string } & AsyncDisposable> {
  const { ports } = testPorts();
  const host = await readBuiltHost();
  const service = createService({
    ports,
    compiler: stepCompiler({ host, check: null, turn: () => Promise.resolve() }),
    settings: {
      backend: "container",
      version: VERSION,
      baseUrl: "https://build.test",
      apiKeys: [KEY],
      templates: null,
      running: 1,
      waiting: 0,
    },
  });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => service.fetch(request),
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
