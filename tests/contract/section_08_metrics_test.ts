/** Metrics for Prometheus (definitions 8, `METRICS_TOKEN`): what is counted, for whom, and what nobody learns from it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { noDialer } from "../../library/platform/cloudflare/mod.ts";
import { openMetrics } from "../../library/platform/metrics.ts";
import { watched } from "../../library/platform/watched.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import {
  applyMigrations,
  createSecretBox,
  databaseQueue,
  type LogEntry,
  type WebhookPorts,
} from "../../shared/runtime/mod.ts";
import {
  type ApiOptions,
  type ApiUnderTest,
  AUTH_SECRET,
  BASE_URL,
  withApi,
} from "../support/api.ts";
import { samplesIn } from "../support/metrics.ts";
import { project } from "../support/sample_project.ts";
import { ServiceProcess } from "../support/service_process.ts";
import { writeStarter } from "../support/starter_output.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const TOKEN = "a token of the tests".replaceAll(" ", "-");
const member = { sub: "user-1", orgId: "org-1", roles: ["admin", "member"] };

async function withMetrics(
  body: (api: ApiUnderTest) => Promise<void>,
  { served = project, ...options }: ApiOptions & { readonly served?: ProjectModel } = {},
): Promise<void> {
  const host = await openMetrics({ token: TOKEN, name: served.name, contract: served.contract });
  await withApi(served, body, { ...options, host: { ...options.host, ...host } });
}

async function scraped({ fetch }: ApiUnderTest, authorization = `Bearer ${TOKEN}`) {
  const headers = { host: "localhost:8000", authorization };
  return await fetch(new Request(`${BASE_URL}/metrics`, { headers }), { clientIp: "192.0.2.1" });
}

Deno.test("requests are counted by method, route, status and the layer that refused, and by nothing of their caller", async () => {
  await withMetrics(async (api) => {
    const made = await api.ask("projects", { as: member, body: { name: "SECRET-NAME" } });
    await api.ask(`projects/${made.body["id"]}`, { as: member });
    await api.ask("projects/SECRET-ID", { as: member });
    await api.ask("projects?search=SECRET-QUERY");
    await api.ask("/SECRET-PATH");
    await api.ask("/health", { method: "SECRET" });
    const answer = await scraped(api);
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assertMatch(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    for (const secret of ["SECRET", "org-1", "user-1", TOKEN]) assert(!text.includes(secret), text);
    const counted = samplesIn(text).filter(({ name }) => name === "quickback_http_requests_total")
      .map(({ labels: { method, route, status, layer }, value }) =>
        [method, route, status, layer, value].join(" ")
      );
    assertEquals(counted, [
      "POST /api/v1/projects 201 none 1",
      "GET /api/v1/projects/:id 200 none 1",
      "GET /api/v1/projects/:id 403 firewall 1",
      "GET /api/v1/projects 401 authentication 1",
      "GET none 404 validation 1",
      "other /health 405 validation 1",
    ]);
    const [durations] = samplesIn(text)
      .filter(({ name }) => name === "quickback_http_request_duration_seconds_count");
    assertEquals(durations?.labels, { method: "POST", route: "/api/v1/projects" });
  });
});

Deno.test("metrics are for whoever has the token: others get a problem, and guessing is counted", async () => {
  const attempts: string[] = [];
  const limiter = {
    take: (key: string) => Promise.resolve(attempts.push(key) <= 7),
    lend: () => Promise.resolve(null),
  };
  await withMetrics(async (api) => {
    const none = await api.fetch(
      new Request(`${BASE_URL}/metrics`, { headers: { host: "localhost:8000" } }),
      { clientIp: "192.0.2.1" },
    );
    const { code, layer, hint } = await none.json();
    assertEquals([none.status, code, layer], [401, "AUTH_MISSING", "authentication"]);
    assertEquals(hint, "Send 'Authorization: Bearer <METRICS_TOKEN>'");
    assertEquals(none.headers.get("www-authenticate"), "Bearer");
    assertEquals(none.headers.get("content-type"), "application/problem+json");
    const wrong = [
      "Bearer other",
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      TOKEN,
      "Bearer",
      "Bearer ",
    ];
    for (const authorization of wrong) {
      const answer = await scraped(api, authorization);
      assertEquals([answer.status, (await answer.json()).code], [401, "AUTH_INVALID_TOKEN"]);
    }
    const codes: string[] = [];
    for (let count = 0; count < 2; count++) {
      codes.push((await (await scraped(api, "Bearer guess")).json()).code);
    }
    assertEquals(codes, ["AUTH_INVALID_TOKEN", "AUTH_RATE_LIMITED"]);
    assertEquals(new Set(attempts), new Set(["authentication:failed:192.0.2.1"]));
    const good = await scraped(api);
    assertEquals(good.status, 200);
    await good.body?.cancel();
  }, { limiter });
});

Deno.test("the figures of the database: what waits, how long, what is dead, which migrations are missing", async () => {
  const served = { ...project, webhooks: { ...project.webhooks, outbound: true } };
  const webhooks = (ports: Parameters<typeof databaseQueue>[0]): WebhookPorts => ({
    queue: databaseQueue(ports),
    secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
    resolver: { resolve: () => Promise.reject(new Error("Nobody registers an endpoint here")) },
    dialer: noDialer(),
    env: {},
  });
  const one = { tag: "0000", when: 1, sql: "SELECT 1" };
  const migrations = [one, { ...one, tag: "0001", when: 2 }];
  await withMetrics(async (api) => {
    await applyMigrations(api.database, [one]);
    const figures = async () =>
      samplesIn(await (await scraped(api)).text())
        .filter(({ name }) => /^quickback_(outbox|migrations|database)/.test(name))
        .map(({ name, labels, value }) => [name, ...Object.values(labels), value].join(" "));
    assertEquals(await figures(), [
      "quickback_database_up 1",
      "quickback_migrations applied 1",
      "quickback_migrations pending 1",
      "quickback_outbox_waiting deliveries 0",
      "quickback_outbox_oldest_seconds deliveries 0",
      "quickback_outbox_overdue_seconds deliveries 0",
      "quickback_outbox_dead deliveries 0",
    ]);
    await applyMigrations(api.database, migrations);
    const row = (id: string, status: string, ageSeconds: number, retrySeconds: number | null) => {
      const at = (seconds: number) => new Date(Date.parse(now) - seconds * 1000).toISOString();
      return {
        sql: `INSERT INTO webhook_deliveries
          (id, endpoint_id, event_type, payload, status, attempts, created_at, next_retry_at)
          VALUES (?, 'wep_1', 'a.b', '{}', ?, 0, ?, ?)`,
        args: [id, status, at(ageSeconds), retrySeconds === null ? null : at(retrySeconds)],
      };
    };
    const now = new Date(api.ports.clock.now()).toISOString();
    await api.database.write((transaction) =>
      transaction.runAll([
        row("whd_1", "pending", 600, -60),
        row("whd_2", "pending", 30, null),
        row("whd_3", "failed", 900, null),
        row("whd_4", "delivered", 900, null),
      ])
    );
    assertEquals(await figures(), [
      "quickback_database_up 1",
      "quickback_migrations applied 2",
      "quickback_migrations pending 0",
      "quickback_outbox_waiting deliveries 2",
      "quickback_outbox_oldest_seconds deliveries 600",
      "quickback_outbox_overdue_seconds deliveries 30",
      "quickback_outbox_dead deliveries 1",
    ]);
  }, { served, host: { migrations }, webhooks });
});

Deno.test("metrics go on while the database is away, and say so", async () => {
  await withMetrics(async (api) => {
    const text = await (await scraped(api)).text();
    const figures = samplesIn(text).filter(({ name }) => /^quickback_(out|mig|data)/.test(name));
    assertEquals(figures, [{ name: "quickback_database_up", labels: {}, value: 0 }]);
    assertMatch(api.log.map(({ message }) => message).join(), /Database figures failed/);
    assert(!text.includes("s3cret"));
  }, {
    host: { migrations: [{ tag: "0000", when: 1, sql: "SELECT 1" }] },
    wrap: (database) => ({ ...database, run: () => Promise.reject(new Error("s3cret")) }),
  });
});

Deno.test("without a token there is neither a route nor a library, and a short one is warned of", async () => {
  const lines: LogEntry[] = [];
  const options = { accessLog: false, name: "shop", contract: "v1" };
  const logger = { log: (entry: LogEntry) => void lines.push(entry) };
  assertEquals(await watched({ ...options, metricsToken: null, logger }), {});
  assertEquals(lines, []);
  await watched({ ...options, metricsToken: TOKEN, logger });
  assertEquals(lines, []);
  await watched({ ...options, metricsToken: "short", logger });
  assertMatch(lines[0]?.message ?? "", /^METRICS_TOKEN has less than 16 characters/);
  await withApi(project, async (api) => {
    const { status, body } = await api.ask("/metrics");
    assertEquals([status, body["code"]], [404, "ROUTE_NOT_FOUND"]);
  });
  const packages = await loadedPackages("library/platform/mod.ts");
  assert(packages.some((name) => name.startsWith("npm:@opentelemetry/api")));
  assertEquals(packages.filter((name) => name.includes("prom-client")), []);
});

Deno.test("a running API serves its metrics where METRICS_TOKEN is set, with a line for each request", async () => {
  await withTempFolder(async (folder) => {
    await writeStarter("empty", folder);
    const permissions = [
      "--no-prompt",
      "--allow-net",
      "--allow-env",
      "--allow-read",
      "--allow-write",
    ];
    await using api = new ServiceProcess(
      ["deno", "run", ...permissions, "--allow-ffi", "--allow-sys", "src/main.ts"],
      {
        HOST: "127.0.0.1",
        DATABASE_URL: `file:${folder}/app.db`,
        AUTH_SECRET: "a secret of the tests that is long enough",
        METRICS_TOKEN: TOKEN,
        ACCESS_LOG: "1",
      },
      folder,
    );
    const origin = await api.address;
    const refused = await fetch(`${origin}/metrics`);
    assertEquals([refused.status, (await refused.json()).code], [401, "AUTH_MISSING"]);
    const answer = await fetch(`${origin}/metrics`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const values = new Map(samplesIn(await answer.text()).map(({ name, value }) => [name, value]));
    assertEquals([answer.status, values.get("quickback_http_requests_total")], [200, 1]);
    assertEquals(values.get("quickback_database_up"), 1);
    assert((values.get("process_resident_memory_bytes") ?? 0) > 10_000_000);
    const startedAt = (values.get("process_start_time_seconds") ?? 0) * 1000;
    assert(Math.abs(Date.now() - startedAt) < 60_000, String(startedAt));
    assertEquals(await api.end("SIGTERM"), 0);
    assertMatch(api.said, /"switches":"access log, metrics"/);
    assertMatch(api.said, /"path":"\/metrics","status":401,.*"layer":"authentication"/);
    assert(!api.said.includes(TOKEN));
  });
});

/** Packages that a module loads at once, without what it may load later. */
async function loadedPackages(path: string): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", path],
    cwd: new URL("../../", import.meta.url),
  }).output();
  const { roots, modules } = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map<string, readonly Dependency[]>(
    modules.map((one: Module) => [one.specifier, one.dependencies ?? []]),
  );
  const seen = new Set<string>(roots);
  for (const name of seen) {
    for (const { code, isDynamic } of byName.get(name) ?? []) {
      if (!isDynamic && code) seen.add(code.specifier);
    }
  }
  return [...seen].filter((name) => name.startsWith("npm:"));
}

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly Dependency[];
}

interface Dependency {
  readonly code?: { readonly specifier: string };
  readonly isDynamic?: boolean;
}
