/** Rate limits, page sizes and body sizes (contract 8). */
import { assertEquals } from "@std/assert";
import { memoryRateLimiter } from "../../library/platform/memory_rate_limiter.ts";
import type { RateLimiter } from "../../shared/runtime/ports.ts";
import { type ApiOptions, type Ask, withApi } from "../support/api.ts";
import { projectWithBatches } from "../support/batch_project.ts";
import { limiterOf } from "../support/limiter.ts";
import { model as desk } from "../support/sample_model.ts";
import { project } from "../support/sample_project.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };

interface Counted {
  readonly keys: string[];
  readonly options: ApiOptions;
}

/** A limiter that lets `allowed` requests pass. */
function counting(allowed = Infinity): Counted {
  const keys: string[] = [];
  const take = (key: string, limit: number, period: number) => {
    keys.push(`${key} ${limit}/${period}`);
    return Promise.resolve(keys.length <= allowed);
  };
  return { keys, options: { limiter: limiterOf(take) } };
}

Deno.test("a request beyond the limit gets the flat 429 and its Retry-After", async () => {
  const { options } = counting(1);
  await withApi(project, async (api) => {
    assertEquals((await api.ask("projects", { as: admin })).status, 200);
    const { status, headers, body, steps } = await api.ask("projects", { as: admin });
    assertEquals([status, headers.get("retry-after")], [429, "60"]);
    assertEquals(headers.get("content-type"), "application/json");
    assertEquals(body, { error: "Rate limit exceeded", code: "RATE_LIMITED", retryAfter: 60 });
    assertEquals(steps, ["authentication", "rate-limit"]);
  }, options);
});

const KEYS: readonly (readonly [string, Ask, string[]])[] = [
  ["projects", { as: admin }, ["projects:read:user_1 1000/60"]],
  ["projects/views/names", { as: admin }, ["projects:read:user_1 1000/60"]],
  ["projects/x", { as: admin }, ["projects:read:user_1 1000/60"]],
  ["projects", { as: admin, body: {} }, ["projects:create:user_1 200/60"]],
  ["projects/x", { as: admin, method: "PATCH", body: {} }, ["projects:update:user_1 200/60"]],
  ["projects/x", { as: admin, method: "DELETE" }, ["projects:delete:user_1 200/60"]],
  ["projects", { as: { ...admin, roles: [] } }, ["projects:read:user_1 1000/60"]],
  ["projects", { as: admin, method: "HEAD" }, ["projects:read:user_1 1000/60"]],
  // What is wrong with a request is looked at later.
  ["projects?nope=1", { as: admin }, ["projects:read:user_1 1000/60"]],
  ["projects", { as: admin, body: "{" }, ["projects:create:user_1 200/60"]],
  // Nobody, nowhere, by no verb, and with a credential that is none.
  ["projects", {}, []],
  ["nope", { as: admin }, []],
  ["projects", { as: admin, method: "PUT" }, []],
  ["projects", { as: admin, method: "OPTIONS" }, []],
  ["projects", { headers: { authorization: "Bearer x" } }, []],
];

for (const [path, ask, expected] of KEYS) {
  Deno.test(`${ask.method ?? (ask.body ? "POST" : "GET")} ${path} ${JSON.stringify(ask.body ?? "")} counts on ${expected[0] ?? "nothing"}`, async () => {
    const { keys, options } = counting();
    await withApi(project, async (api) => {
      await api.ask(path, ask);
      assertEquals(keys, expected);
    }, options);
  });
}

Deno.test("a batch is one request, however many records it has", async () => {
  const { keys, options } = counting();
  await withApi(projectWithBatches, async (api) => {
    const send = (method: string, body: unknown) =>
      api.ask("projects/batch", { as: admin, method, body });
    await send("POST", { records: [{ name: "a" }, { name: "b" }, { name: "c" }] });
    await send("PATCH", { records: [{ id: "x" }, { id: "y" }] });
    await send("DELETE", { ids: ["x", "y"] });
    assertEquals(keys, [
      "projects:create:user_1 200/60",
      "projects:update:user_1 200/60",
      "projects:delete:user_1 200/60",
    ]);
  }, options);
});

Deno.test("an anonymous caller counts by their address, else with all others", async () => {
  const { keys, options } = counting();
  await withApi(desk, async (api) => {
    await api.ask("articles?organizationId=org_1", { clientIp: "192.0.2.7" });
    await api.ask("articles?organizationId=org_1", {
      headers: { "x-forwarded-for": "192.0.2.8", "cf-connecting-ip": "192.0.2.9" },
    });
    assertEquals(keys, ["articles:read:192.0.2.7 1000/60", "articles:read:anon 1000/60"]);
  }, options);
});

Deno.test("a disabled limit counts nothing", async () => {
  const { keys, options } = counting();
  const unlimited = {
    ...project,
    resources: project.resources.map((resource) => ({
      ...resource,
      rateLimits: { ...resource.rateLimits, read: null },
    })),
  };
  await withApi(unlimited, async (api) => {
    await api.ask("projects", { as: admin });
    assertEquals(keys, []);
  }, options);
});

const PAGE_SIZES: readonly (readonly [string, number, number | undefined])[] = [
  ["", 200, 50],
  ["?limit=1", 200, 1],
  ["?limit=100", 200, 100],
  ["?limit=101", 200, 100],
  ["?limit=0", 200, 1],
  ["?limit=-5", 200, 1],
  ["?limit=ten", 400, undefined],
  ["?limit=1.5", 400, undefined],
  ["?limit=", 400, undefined],
  ["?offset=-1", 400, undefined],
  ["?limit=1&limit=2", 400, undefined],
];

for (const [query, status, pageSize] of PAGE_SIZES) {
  Deno.test(`a list with "${query}" is ${status} with pages of ${pageSize ?? "nothing"}`, async () => {
    await withApi(project, async (api) => {
      const answer = await api.ask(`projects${query}`, { as: admin });
      assertEquals(answer.status, status);
      if (status === 400) assertEquals(answer.body["code"], "VALIDATION_INVALID_INPUT");
      else assertEquals(Object(answer.body["pagination"]).pageSize, pageSize);
    });
  });
}

Deno.test("a body over 1 MiB is 413, and one of another type 415", async () => {
  await withApi(project, async (api) => {
    const large = await api.ask("projects", { as: admin, body: { name: "x".repeat(1024 * 1024) } });
    assertEquals([large.status, large.body["code"]], [413, "PAYLOAD_TOO_LARGE"]);
    const text = await api.ask("projects", {
      as: admin,
      body: "name=x",
      headers: { "content-type": "text/plain" },
    });
    assertEquals([text.status, text.body["code"]], [415, "UNSUPPORTED_MEDIA_TYPE"]);
  });
});

Deno.test("an operator may limit an address before anybody is asked who they are", async () => {
  const taken: string[] = [];
  const counter = memoryRateLimiter({ clock: { now: () => 0 } });
  const limiter: RateLimiter = {
    ...counter,
    take: (key, limit, period) => {
      taken.push(key);
      return counter.take(key, limit, period);
    },
  };
  await withApi(project, async (api) => {
    const send = (clientIp: string | null, path = "/api/v1/projects") =>
      api.fetch(
        new Request(`http://localhost:8000${path}`, {
          headers: { host: "localhost:8000", authorization: "Bearer abc", "x-forwarded-for": "x" },
        }),
        { clientIp },
      );
    const statuses: number[] = [];
    for (const path of ["/api/v1/projects", "/auth/v1/get-session", "/nowhere", "/health"]) {
      statuses.push((await send("203.0.113.7", path)).status);
    }
    assertEquals(statuses, [401, 404, 404, 429]);
    const refused = await send("203.0.113.7");
    assertEquals([refused.status, refused.headers.get("retry-after")], [429, "60"]);
    assertEquals(await refused.json(), {
      error: "Rate limit exceeded",
      code: "RATE_LIMITED",
      retryAfter: 60,
    });
    // Nothing else was counted: nobody looked at the token.
    assertEquals(taken.at(-1), "address:203.0.113.7");
    assertEquals((await send("203.0.113.8")).status, 401);
    assertEquals((await send(null)).status, 401);
  }, { limiter, settings: { clientRateLimit: 3 } });
});

Deno.test("no address is limited unless an operator says so", async () => {
  const limiter = memoryRateLimiter({ clock: { now: () => 0 } });
  await withApi(project, async (api) => {
    for (let count = 0; count < 50; count++) {
      assertEquals((await api.ask("/health", { clientIp: "203.0.113.7" })).status, 200);
    }
  }, { limiter });
});
