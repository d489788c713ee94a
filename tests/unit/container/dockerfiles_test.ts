/** What the two Dockerfiles promise (definitions 8): no root, a health check, pinned versions, and every file that is needed. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { z } from "zod";
import { compileRequest, json, KEY, projectBody } from "../../support/build_service.ts";
import {
  commandOf,
  type Dockerfile,
  pairsOf,
  readDockerfile,
  textsOf,
} from "../../support/dockerfile.ts";
import { ServiceProcess } from "../../support/service_process.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const GRAPH = z.object({
  modules: z.array(z.object({ specifier: z.string(), error: z.string().optional() })),
});

const ROOT = new URL("../../../", import.meta.url);
const FILES = ["Dockerfile", "generated-templates/container/Dockerfile"];

for (const path of FILES) {
  const { args, stages } = await read(path);
  const [build = [], image = []] = stages;

  Deno.test(`${path}: both stages stand on the Deno that CI runs`, async () => {
    const [, version] = /npx -y deno@(\S+) /.exec(await text(".ci/run")) ?? [];
    assertEquals(Object.fromEntries(args), { DENO_IMAGE: `denoland/deno:${version}` });
    assertEquals(stages.map((stage) => textsOf(stage, "FROM")), [
      ["${DENO_IMAGE} AS build"],
      ["${DENO_IMAGE}"],
    ]);
  });

  Deno.test(`${path}: the image runs without root, writes to its volume only, and asks itself for its health`, () => {
    assertEquals(textsOf(image, "USER"), ["deno"]);
    assertEquals(textsOf(image, "RUN"), []);
    assertEquals(textsOf(image, "VOLUME"), ["/data"]);
    assertEquals(textsOf(image, "COPY").filter((copied) => copied.includes("--chown")), [
      "--from=build --chown=deno:deno /data /data",
    ]);
    assertEquals(textsOf(image, "STOPSIGNAL"), ["SIGTERM"]);
    assertEquals(textsOf(image, "EXPOSE"), [pairsOf(image, "ENV").get("PORT") ?? ""]);
    assertMatch(commandOf(image, "HEALTHCHECK").join(" "), /^deno eval .*127\.0\.0\.1.*\/health/);
    assert(commandOf(image, "CMD").includes("--cached-only"));
  });

  Deno.test(`${path}: packages come by the lock file, and nothing that differs between builds stays`, () => {
    const runs = textsOf(build, "RUN");
    for (const install of runs.join(" && ").split(" && ").filter((run) => run.startsWith("deno"))) {
      // A program that runs instead of installing fetches nothing.
      assertMatch(install, /^deno (?:install|run --cached-only) --frozen(?: |$)/);
    }
    assertMatch(
      runs.at(-1) ?? "",
      /rm -rf \/deno-dir\/\*_cache_v2\*.*registry\.json -delete.*chmod -R/,
    );
  });

  Deno.test(`${path}: no host is named, and nothing is fetched beside packages`, async () => {
    const all = await text(path);
    assertEquals([...all.matchAll(/https?:\/\/([^/:]+)/g)].map(([, host]) => host), ["127.0.0.1"]);
    assertEquals(stages.flatMap((stage) => textsOf(stage, "ADD")), []);
    assert(!/^# syntax=/m.test(all));
  });
}

Deno.test("what the image of the build service copies is enough to start and to compile with a bundle check", async () => {
  const { stages: [build = [], image = []] } = await read("Dockerfile");
  await withTempFolder(async (folder) => {
    for (const copied of textsOf(build, "COPY")) {
      const names = copied.split(" ");
      const target = names.pop() ?? "";
      for (const name of names) await copy(name, `${folder}/${target === "./" ? name : target}`);
    }
    const entries = textsOf(build, "RUN").join(" ").split(" ").filter((word) =>
      word.endsWith(".ts")
    );
    assert(entries.length > 5);
    assertEquals(await missingFor(entries, folder), []);
    const command = commandOf(image, "CMD").filter((word) => word !== "--cached-only");
    await using container = new ServiceProcess(
      ["deno", ...command],
      { SERVICE_API_KEY: KEY },
      folder,
    );
    const body = await projectBody();
    const answer = await fetch(compileRequest(body, { origin: await container.address }));
    assertEquals(answer.status, 200, container.said);
    assert("files" in await json(answer));
    const listed = await fetch(`${await container.address}/templates`);
    assertEquals(listed.status, 200);
    await listed.body?.cancel();
    assertEquals(await container.end("SIGTERM"), 0);
  });
});

/** An ignored file that is copied would be missing; one that is neither ignored nor copied costs a build its cache. */
Deno.test("the build context holds what the Dockerfile copies and nothing else", async () => {
  const { stages: [build = []] } = await read("Dockerfile");
  const copied = textsOf(build, "COPY").flatMap((line) => line.split(" ").slice(0, -1));
  const kept = (await text(".dockerignore")).split("\n").filter((line) => line.startsWith("!"));
  assertEquals(kept.map((line) => line.slice(1)).toSorted(), copied.toSorted());
});

Deno.test("the image of an output keeps its data in the volume, whatever names the folder", async () => {
  const { stages: [build = [], image = []] } = await read(
    "generated-templates/container/Dockerfile",
  );
  assert(textsOf(build, "RUN").includes("mkdir /data && ln -s /data data"));
  assert(commandOf(image, "CMD").includes("--allow-write=/data,/app/data"));
  assertEquals(pairsOf(image, "ENV").get("DATABASE_URL"), "file:/data/app.db");
});

Deno.test("the context of an output holds neither settings nor data", async () => {
  const ignored = await text("generated-templates/container/.dockerignore");
  const lines = ignored.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  assertEquals(lines[0], "*");
  assertEquals(lines.slice(1), [
    "!deno.json",
    "!deno.lock",
    "!src",
    "!quickback",
    "!openapi.json",
    "!asyncapi.json",
  ]);
});

async function read(path: string): Promise<Dockerfile> {
  return readDockerfile(await text(path));
}

function text(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

/** Modules of theirs that are not there. */
async function missingFor(
  entries: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const imports = entries.map((entry) => `import ${JSON.stringify(`./${entry}`)};\n`);
  await Deno.writeTextFile(`${folder}/all.ts`, imports.join(""));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "all.ts"],
    cwd: folder,
  }).output();
  const { modules } = GRAPH.parse(JSON.parse(new TextDecoder().decode(stdout)));
  return modules.flatMap(({ specifier, error }) => error === undefined ? [] : [specifier]);
}

async function copy(name: string, target: string): Promise<void> {
  const source = new URL(name, ROOT);
  if (!(await Deno.stat(source)).isDirectory) return await Deno.copyFile(source, target);
  await Deno.mkdir(target, { recursive: true });
  for await (const entry of Deno.readDir(source)) {
    await copy(`${name}/${entry.name}`, `${target}/${entry.name}`);
  }
}
