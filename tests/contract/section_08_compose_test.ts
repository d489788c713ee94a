/**
 * `docs/deploy/compose.yaml`: its form, and the processes of it that this machine has, started from its own commands and
 * environments without containers, each service at an address of this machine.
 */
import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import { z } from "zod";
import { openDatabase } from "../../library/platform/mod.ts";
import { commandOf, readDockerfile } from "../support/dockerfile.ts";
import { freePort } from "../support/free_port.ts";
import { redisServer } from "../support/installed.ts";
import { listenerOf } from "../support/realtime.ts";
import { programMissing } from "../support/run_snippet.ts";
import { sqld } from "../support/sqld.ts";
import { writeStarter } from "../support/starter_output.ts";
import { withSteadyFolder } from "../support/temp_folder.ts";
import { until } from "../support/until.ts";

const FOLDER = new URL("../../docs/deploy/", import.meta.url).pathname;
const conditions = z.record(z.string(), z.object({ condition: z.literal("service_healthy") }));
const SERVICE = z.strictObject({
  image: z.string().regex(/^[a-z0-9./-]+:[a-z0-9.-]+$/).optional(),
  build: z.strictObject({ context: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  depends_on: conditions.optional(),
  deploy: z.strictObject({ replicas: z.int() }).optional(),
  healthcheck: z.strictObject({
    test: z.array(z.string()),
    interval: z.string(),
    timeout: z.string(),
    retries: z.int(),
  }).optional(),
  stop_grace_period: z.string().optional(),
  restart: z.literal("unless-stopped"),
});
const COMPOSE = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), SERVICE),
  volumes: z.record(z.string(), z.null()),
});

const text = await Deno.readTextFile(`${FOLDER}compose.yaml`);
const { services, volumes } = COMPOSE.parse(parse(text));
const caddyfile = await Deno.readTextFile(`${FOLDER}Caddyfile`);

Deno.test("the services, volumes and files that compose.yaml names are there", async () => {
  assertEquals(Object.keys(services), ["primary", "replica", "redis", "api", "proxy", "otel"]);
  assertEquals(services["api"]?.deploy?.replicas, 3);
  for (const { volumes: mounted = [], depends_on = {}, image, build } of Object.values(services)) {
    assert((image === undefined) !== (build === undefined));
    for (const name of Object.keys(depends_on)) assert(name in services, name);
    for (const [source = ""] of mounted.map((one) => one.split(":"))) {
      if (source.startsWith("./")) await Deno.stat(FOLDER + source);
      else assert(source in volumes, source);
    }
  }
  const { service } = z.object({
    service: z.object({
      pipelines: z.record(z.string(), z.object({ receivers: z.tuple([z.literal("otlp")]) })),
    }),
  }).parse(parse(await Deno.readTextFile(`${FOLDER}otel.yaml`)));
  assertEquals(Object.keys(service.pipelines), ["traces", "metrics", "logs"]);
});

const program = await sqld();
const redis = redisServer();
const noCaddy = await programMissing("caddy", "version");

Deno.test({
  name: "Caddy takes the proxy's configuration",
  ignore: noCaddy !== null,
  fn: () =>
    withSteadyFolder(async (folder) => {
      const { success, stderr } = await new Deno.Command("caddy", {
        args: ["validate", "--config", `${FOLDER}Caddyfile`, "--adapter", "caddyfile"],
        env: { HOME: folder, SITE: ":80" },
      }).output();
      assert(success, new TextDecoder().decode(stderr));
    }),
});

/** Ports of this machine for the places that the services name. */
interface Places {
  readonly folder: string;
  readonly ports: Readonly<Record<string, string>>;
}

/** What stands in compose.yaml, as it is on this machine. */
function here(value: string, { folder, ports }: Places, service: string): string {
  const named = value
    // What nobody set is what stands behind `:-`.
    .replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, "$1")
    .replaceAll(
      /\b(primary|replica|redis|otel):(\d+)/g,
      (place) => `127.0.0.1:${ports[place] ?? "1"}`,
    )
    .replaceAll(/0\.0\.0\.0:(\d+)/g, (_, port) => `127.0.0.1:${ports[`${service}:${port}`] ?? "1"}`)
    .replaceAll("/var/lib/sqld", `${folder}/${service}`)
    .replace(/^\/data\//, `${folder}/`)
    .replace("/etc/caddy/Caddyfile", `${folder}/Caddyfile`);
  return service === "redis" && named === "6379" ? ports["redis:6379"] ?? "" : named;
}

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

function started({ program, args, env = {}, cwd }: Start): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    env: { NO_COLOR: "1", RUST_LOG: "error", ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** All of them, behind the proxy's address, which the body is given. */
async function withServices(
  folder: string,
  body: (site: string, replica: string) => Promise<void>,
): Promise<void> {
  const named = ["primary:8080", "primary:5001", "replica:8080", "redis:6379", "proxy:80"];
  const ports = Object.fromEntries(named.map((place) => [place, String(freePort())]));
  const places = { folder, ports };
  const site = `http://127.0.0.1:${ports["proxy:80"]}`;
  const commandOfService = (name: string) =>
    (services[name]?.command ?? []).slice(1).map((word) => here(word, places, name));
  const running: Deno.ChildProcess[] = [];
  const start = (one: Start) => void running.push(started(one));
  try {
    start({ program: program ?? "", args: commandOfService("primary") });
    start({ program: redis ?? "", args: commandOfService("redis"), cwd: folder });
    await until(
      "the primary answers",
      () => answers(`http://127.0.0.1:${ports["primary:8080"]}/health`),
    );
    start({ program: program ?? "", args: commandOfService("replica") });
    const apis = await startApis(places, site, start);
    await Deno.writeTextFile(
      `${folder}/Caddyfile`,
      caddyfile.replace(/dynamic a api 8000 \{[^}]*\}/, `to ${apis.join(" ")}`),
    );
    start({ program: "caddy", args: commandOfService("proxy"), env: { SITE: site, HOME: folder } });
    for (const address of apis) {
      await until("an instance answers", () => answers(`http://${address}/ready`));
    }
    await until("the proxy answers", () => answers(`${site}/ready`));
    await until(
      "the replica answers",
      () => answers(`http://127.0.0.1:${ports["replica:8080"]}/health`),
    );
    await body(site, `http://127.0.0.1:${ports["replica:8080"]}`);
  } finally {
    for (const one of running) one.kill("SIGKILL");
    await Promise.all(running.map(({ status }) => status));
  }
}

/** As many as compose.yaml asks for, by the image's command, each with a folder of its own for /data. */
async function startApis(
  places: Places,
  site: string,
  start: (one: Start) => void,
): Promise<readonly string[]> {
  const output = `${places.folder}/output`;
  await writeStarter("helpdesk", output);
  const stage = readDockerfile(await Deno.readTextFile(`${output}/Dockerfile`)).stages.at(-1) ?? [];
  const { deploy, environment = {} } = services["api"] ?? {};
  return Array.from({ length: deploy?.replicas ?? 0 }, (_, at) => {
    const folder = `${places.folder}/api-${at}`;
    const port = String(freePort());
    const settings = {
      BASE_URL: site,
      AUTH_SECRET: "a secret of the tests that is long enough",
      EMAIL_PROVIDER: "none",
    };
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) =>
        [name, here(value, { ...places, folder }, "api")] as const
      ),
    );
    const args = commandOf(stage, "CMD")
      .filter((word) => word !== "--cached-only")
      .map((word) => word.replace("--allow-write=/data", `--allow-write=${folder}`));
    const own = { ...env, ...settings, PORT: port, HOST: "127.0.0.1", OTEL_DENO: "false" };
    start({ program: Deno.execPath(), args, env: own, cwd: output });
    return `127.0.0.1:${port}`;
  });
}

Deno.test({
  name: "the services of compose.yaml, started without containers, are one API",
  ignore: program === null || redis === null || noCaddy !== null,
  fn: () =>
    withSteadyFolder((folder) =>
      withServices(folder, async (site, replica) => {
        const headers = { "content-type": "application/json", origin: site };
        const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
          fetch(site + path, {
            method: "POST",
            headers: { ...headers, ...more },
            body: JSON.stringify(body),
          });
        const account = {
          name: "Anna",
          email: "anna@example.com",
          password: "correct horse battery",
        };
        const signedUp = await post("/auth/v1/sign-up/email", account);
        assertEquals(signedUp.status, 200, await signedUp.text());
        const cookie = cookiesOf(signedUp);
        const founded = await post("/auth/v1/organization/create", { name: "Acme", slug: "acme" }, {
          cookie,
        });
        assertEquals(founded.status, 200, await founded.text());
        const own = `${cookie}; ${cookiesOf(founded)}`;
        // Whichever instance answers, it knows of the session and of the organization.
        for (let turn = 0; turn < 9; turn += 1) {
          const list = await fetch(`${site}/auth/v1/organization/list`, {
            headers: { cookie: own },
          });
          assertEquals([list.status, (await list.json()).length], [200, 1]);
        }
        const stream = await fetch(`${site}/broadcast/v1/events`, { headers: { cookie: own } });
        const listener = await listenerOf(stream);
        assert(listener.from !== "", "The stream is held back");
        await listener.leave();
        const { database } = await (await fetch(`${site}/health`)).json();
        assertEquals([database.mode, database.reachable], ["replica", true]);
        const second = await openDatabase({ url: replica });
        await until("the replica has what the primary has", async () => {
          const { rows } = await second.run({ sql: "SELECT name FROM auth_user", args: [] });
          return rows[0]?.[0] === "Anna";
        });
        await second.close();
      })
    ),
});

function cookiesOf(answer: Response): string {
  return answer.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
}
