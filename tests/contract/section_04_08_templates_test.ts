/** What `GET /templates` lists is what it says: starters compile, and boot as their container would (definitions 7, 8). */
import { assert, assertEquals } from "@std/assert";
import { readTemplates, STARTERS } from "../../container/templates.ts";
import { VERSION } from "../../shared/contract/version.ts";
import { compileRequest, testService } from "../support/build_service.ts";
import { commandOf, pairsOf, readDockerfile, textsOf } from "../support/dockerfile.ts";
import { startHranaServer } from "../support/hrana_server.ts";
import { ServiceProcess } from "../support/service_process.ts";
import { writeStarter } from "../support/starter_output.ts";
import { withSteadyFolder } from "../support/temp_folder.ts";
import { freePort } from "../support/free_port.ts";
import { until } from "../support/until.ts";

const TEMPLATES = readTemplates();

Deno.test("starters and runtimes are listed, each with its files", () => {
  assertEquals(TEMPLATES.map(({ name, kind, runtime }) => [name, kind, runtime]), [
    ["empty", "project", "deno"],
    ["field-service", "project", "deno"],
    ["helpdesk", "project", "deno"],
    ["saas", "project", "deno"],
    ["deno", "runtime", "deno"],
    ["container", "runtime", "deno"],
    ["cloudflare", "runtime", "cloudflare"],
  ]);
  for (const { name, files } of TEMPLATES) assert(Object.keys(files).length > 1, name);
});

Deno.test("the files of each project are what POST /compile takes", async () => {
  const { fetch } = testService();
  for (const { name, files } of TEMPLATES.filter(({ kind }) => kind === "project")) {
    const body = JSON.stringify({ rawFiles: files });
    const answer = await fetch(compileRequest(body, { query: "?complete=false" }));
    assertEquals(answer.status, 200, `${name}: ${await answer.text()}`);
  }
});

for (const { name } of STARTERS) {
  Deno.test(`starter ${name} boots as its container does, answers its health check and ends`, async () => {
    await withSteadyFolder(async (folder) => {
      await writeStarter(name, folder);
      const image = readImage(await Deno.readTextFile(`${folder}/Dockerfile`), folder);
      assertEquals(image.user, "deno");
      const port = freePort();
      const env = {
        ...image.env,
        // As `docker run --env-file .env` with the file as it comes, and what a deployment says.
        ...settingsIn(await Deno.readTextFile(`${folder}/.env.example`)),
        PORT: String(port),
        EMAIL_PROVIDER: "none",
        AUTH_SECRET: "a secret of the tests that is long enough",
      };
      await Deno.mkdir(`${folder}/data`);
      const api = deno(image.command, { folder, env }).spawn();
      try {
        await healthy(image.healthCheck, { folder, env });
        const refused = await fetch(`http://127.0.0.1:${port}/api/v1/projects`);
        assert([401, 404].includes(refused.status));
        await refused.body?.cancel();
        // In production, as the image says, there is no page for whoever develops.
        const home = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: "text/html" } });
        assertEquals(home.status, 404, await home.text());
      } finally {
        api.kill("SIGTERM");
        assertEquals((await api.status).code, 0);
      }
    });
  });
}

Deno.test("an API on a libSQL server starts with the network, its settings and its files: no disk, no native driver", async () => {
  await withSteadyFolder(async (folder) => {
    await writeStarter("empty", folder);
    const database = startHranaServer({ path: `${folder}/app.db`, authToken: "token" });
    const flags = ["--no-prompt", "--allow-net", "--allow-env", "--allow-read"];
    await using api = new ServiceProcess(
      ["deno", "run", ...flags, "src/main.ts"],
      {
        APP_ENV: "production",
        EMAIL_PROVIDER: "none",
        BASE_URL: "https://api.example.com",
        DATABASE_URL: database.url,
        DATABASE_AUTH_TOKEN: "token",
        ACCESS_LOG: "1",
        AUTH_SECRET: "a secret of the tests that is long enough",
      },
      folder,
    );
    try {
      const answer = await fetch(`${await api.address}/health`);
      assertEquals([answer.status, await answer.json()], [200, {
        status: "ok",
        database: { mode: "remote", reachable: true },
        contract: "v1",
        version: VERSION,
        project: "empty",
      }]);
      const ready = await fetch(`${await api.address}/ready`);
      const checks = { database: "ok", migrations: "ok" };
      assertEquals([ready.status, await ready.json()], [200, { ready: true, checks }]);
      const [first = ""] = api.said.split("\n");
      const { time: _, features, ...started } = JSON.parse(first);
      assertEquals(started, {
        level: "info",
        message: `Starting empty on ${database.url}`,
        version: VERSION,
        project: "empty",
        contract: "v1",
        database: database.url,
        topology: "a server",
        migrations: 1,
        migrationsAppliedNow: 1,
        switches: "production, access log",
      });
      assert(features.includes("organizations, tokens"), features);
      assert(api.said.includes('"path":"/ready","status":200'), api.said);
      assertEquals(await api.end("SIGTERM"), 0);
    } finally {
      await database.close();
    }
  });
});

interface Image {
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly user: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

function settingsIn(text: string): Readonly<Record<string, string>> {
  const settings = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)];
  return Object.fromEntries(settings.map(([, name = "", value = ""]) => [name, value]));
}

/** What the last stage of a Dockerfile says; `/data` is a folder of the test. */
function readImage(text: string, folder: string): Image {
  const stage = readDockerfile(text).stages.at(-1) ?? [];
  const env = pairsOf(stage, "ENV");
  return {
    command: commandOf(stage, "CMD")
      .filter((word) => word !== "--cached-only")
      .map((word) => word.replace("--allow-write=/data", `--allow-write=${folder}/data`)),
    healthCheck: commandOf(stage, "HEALTHCHECK").slice(1),
    user: textsOf(stage, "USER").at(-1),
    env: Object.fromEntries([...env].filter(([name]) => name !== "DENO_DIR")),
  };
}

interface Running {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

function deno(args: readonly string[], { folder, env }: Running): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: folder,
    env: { ...env },
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  });
}

async function healthy(check: readonly string[], running: Running): Promise<void> {
  await until("the API is healthy", async () => {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: [...check],
      cwd: running.folder,
      env: { ...running.env },
      stderr: "null",
    }).output();
    return success;
  });
}
