/** Statuses and codes that no resource decides, and failures that tell nothing (contract 7). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type App,
  applyMigrations,
  ConstraintError,
  type Database,
} from "../../shared/runtime/mod.ts";
import { type Ask, BASE_URL, isRecord, tokenFor, withApi } from "../support/api.ts";
import { project } from "../support/sample_project.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };

const UNROUTED: readonly (readonly [path: string, Ask, status: number, code: string])[] = [
  ["nope", {}, 404, "ROUTE_NOT_FOUND"],
  ["/", {}, 404, "ROUTE_NOT_FOUND"],
  ["/api/v2/projects", {}, 404, "ROUTE_NOT_FOUND"],
  ["projects/", {}, 404, "ROUTE_NOT_FOUND"],
  ["projects/a/b", {}, 404, "ROUTE_NOT_FOUND"],
  ["projects/views/nope", {}, 404, "ROUTE_NOT_FOUND"],
  ["counters", { as: admin }, 404, "ROUTE_NOT_FOUND"],
  ["/API/V1/projects", {}, 404, "ROUTE_NOT_FOUND"],
  ["projects", { method: "PUT" }, 405, "METHOD_NOT_ALLOWED"],
  ["projects/a", { method: "POST", body: {} }, 405, "METHOD_NOT_ALLOWED"],
  ["projects", { headers: { host: "x/api/v1/projects" } }, 400, "HOST_INVALID"],
  ["projects", { headers: { host: "" } }, 400, "HOST_INVALID"],
];

for (const [path, ask, status, code] of UNROUTED) {
  Deno.test(`${ask.method ?? "GET"} ${path} with ${JSON.stringify(ask.headers ?? {})} is ${status} ${code}`, async () => {
    await withApi(project, async (api) => {
      const answer = await api.ask(path, ask);
      assertEquals([answer.status, answer.body["code"]], [status, code]);
      assertEquals(answer.steps, []);
    });
  });
}

const ALLOW: readonly (readonly [string, string])[] = [
  ["projects", "GET, POST"],
  ["projects/x", "GET, PATCH, DELETE"],
  ["projects/views/names", "GET"],
  ["/health", "GET"],
];

for (const [path, allow] of ALLOW) {
  Deno.test(`a wrong verb on ${path} is told that it answers ${allow}`, async () => {
    await withApi(project, async (api) => {
      const { headers } = await api.ask(path, { method: "PUT", as: admin });
      assertEquals(headers.get("allow"), allow);
    });
  });
}

/** What a server answers to these very bytes: Fetch would normalise the target before it is sent. */
async function statusOfRaw(fetch: App["fetch"], head: string): Promise<string> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => fetch(request, { clientIp: null }),
  );
  try {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    await connection.write(new TextEncoder().encode(`${head}\r\nconnection: close\r\n\r\n`));
    const text = await new Response(connection.readable).text();
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
    return `${text.split(" ")[1]} ${code}`;
  } finally {
    await server.shutdown();
  }
}

const RAW: readonly (readonly [head: string, answer: string])[] = [
  ["GET /api/v1/projects HTTP/1.1\r\nhost: a", "401 AUTH_MISSING"],
  ["GET /api/v1/%70rojects HTTP/1.1\r\nhost: a", "401 AUTH_MISSING"],
  ["GET /api/v1/x/%2e%2e/projects HTTP/1.1\r\nhost: a", "404 ROUTE_NOT_FOUND"],
  ["GET /api/v1/x/../projects HTTP/1.1\r\nhost: a", "404 ROUTE_NOT_FOUND"],
  ["GET //api/v1/projects HTTP/1.1\r\nhost: a", "404 ROUTE_NOT_FOUND"],
  ["GET /api/v1/projects/ HTTP/1.1\r\nhost: a", "404 ROUTE_NOT_FOUND"],
  ["GET /nope HTTP/1.1\r\nhost: x/api/v1/projects", "400 HOST_INVALID"],
  ["GET /nope HTTP/1.1\r\nhost: x/api/v1/projects?", "400 HOST_INVALID"],
  ["GET /api/v1/projects HTTP/1.1\r\naccept: */*", "400 HOST_INVALID"],
  ["OPTIONS * HTTP/1.1\r\nhost: a", "404 ROUTE_NOT_FOUND"],
];

for (const [head, answer] of RAW) {
  Deno.test(`${head.replace("\r\n", ", ")} on the wire is ${answer}`, async () => {
    await withApi(project, async (api) => {
      assertEquals(await statusOfRaw(api.fetch, head), answer);
    });
  });
}

for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
  Deno.test(`a body of 100,000 nested ${open}${close} is 400 VALIDATION_ERROR, echoed within 4 KB`, async () => {
    await withApi(project, async (api) => {
      const depth = 100_000;
      const body = `{"name":${open.repeat(depth)}1${close.repeat(depth)}}`;
      const answer = await api.ask("projects", { as: admin, body });
      assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"]);
      const { request } = answer.body;
      assert(isRecord(request));
      assert(JSON.stringify(request["body"]).length <= 4096);
    });
  });
}

for (const headers of [{}, { "idempotency-key": "key-1" }]) {
  Deno.test(`a body that breaks off is 400 INVALID_JSON with ${JSON.stringify(headers)}`, async () => {
    await withApi(project, async (api) => {
      const request = new Request(`${BASE_URL}/api/v1/projects`, {
        method: "POST",
        headers: {
          ...headers,
          host: "localhost:8000",
          authorization: `Bearer ${await tokenFor(admin)}`,
          "content-type": "application/json",
        },
        body: brokenBody(),
      });
      const response = await api.fetch(request, { clientIp: null });
      const body: unknown = await response.json();
      assert(isRecord(body));
      assertEquals([response.status, body["code"]], [400, "INVALID_JSON"]);
      assertEquals(api.log, []);
    });
  });
}

/** What a platform gives when the client hangs up in the middle. */
function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"na')),
    pull: (controller) => controller.error(new Error("Connection reset")),
  });
}

Deno.test("HEAD answers as GET does, without the body", async () => {
  await withApi(project, async (api) => {
    const { status, text, headers } = await api.ask("projects", { method: "HEAD", as: admin });
    assertEquals([status, text, headers.get("content-type")], [200, "", "application/json"]);
    assertEquals((await api.ask("projects", { method: "HEAD" })).status, 401);
  });
});

/** The database as it is, but for one way of asking it. */
function failing(fail: (sql: string) => unknown): (database: Database) => Database {
  return (database) => ({
    ...database,
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
    run: (statement) => guard(statement.sql) ?? database.run(statement),
    runAll: (statements) =>
      guard(statements.map(({ sql }) => sql).join(";")) ?? database.runAll(statements),
    write: (body) =>
      database.write((transaction) =>
        body({
          ...transaction,
          writable: true,
          run: (statement) => guard(statement.sql) ?? transaction.run(statement),
          runAll: (statements) =>
            guard(statements.map(({ sql }) => sql).join(";")) ?? transaction.runAll(statements),
        })
      ),
  });

  function guard(sql: string): Promise<never> | null {
    const error = fail(sql);
    return error === undefined ? null : Promise.reject(error);
  }
}

const secret = new Error("near SELECT: s3cret parameter", { cause: new Error("deeper s3cret") });

Deno.test("an uncaught failure is a 500 that tells nothing, and a log entry that tells all", async () => {
  await withApi(project, async (api) => {
    const answer = await api.ask("projects", { as: admin });
    assertEquals([answer.status, answer.body["code"]], [500, "INTERNAL_ERROR"]);
    assertEquals([answer.body["layer"], answer.body["details"]], [
      "database",
      { operation: "listProjects" },
    ]);
    assert(!/s3cret|SELECT|\.ts/.test(answer.text));
    const [entry] = api.log;
    assertEquals([entry?.error, entry?.requestId], [secret, answer.headers.get("x-request-id")]);
  }, { wrap: failing(() => secret) });
});

Deno.test("EXPOSE_ERROR_STACK adds message, cause, frames and stack, with base names only", async () => {
  await withApi(project, async (api) => {
    const { body } = await api.ask("projects", { as: admin });
    assertEquals(body["detail"], "near SELECT: s3cret parameter");
    assert(isRecord(body["details"]));
    const { cause, frames, stack, operation } = body["details"];
    assertEquals([cause, operation], ["deeper s3cret", "listProjects"]);
    assert(Array.isArray(frames) && frames.length > 0 && frames.length <= 3);
    for (const frame of frames) assert(/^[^/]+:\d+$/.test(String(frame)), String(frame));
    assertStringIncludes(String(stack), "s3cret");
  }, { wrap: failing(() => secret), settings: { exposeErrorStack: true } });
});

interface WriteFailure {
  readonly error: Error;
  readonly status: number;
  readonly code: string;
  readonly details?: unknown;
}

const FAILURES: readonly WriteFailure[] = [
  { error: secret, status: 500, code: "DB_INSERT_FAILED" },
  { error: new ConstraintError("check", []), status: 500, code: "DB_INSERT_FAILED" },
  {
    error: new ConstraintError("notNull", ["projects.name"]),
    status: 400,
    code: "DB_NOT_NULL_VIOLATION",
    details: { column: "name" },
  },
  { error: new ConstraintError("unique", []), status: 409, code: "DB_UNIQUE_VIOLATION" },
  {
    error: new ConstraintError("unique", ["projects_organization_id_name_unique"]),
    status: 409,
    code: "DB_UNIQUE_VIOLATION",
    details: { column: "name" },
  },
  {
    error: new ConstraintError("unique", ["projects.organization_id", "projects.name"]),
    status: 409,
    code: "DB_UNIQUE_VIOLATION",
    details: { column: "name" },
  },
  {
    error: new ConstraintError("unique", ["projects.name", "projects.budget"]),
    status: 409,
    code: "DB_UNIQUE_VIOLATION",
  },
];

for (const { error, status, code, details } of FAILURES) {
  Deno.test(`an insert that fails with ${error.message} is ${status} ${code} with ${JSON.stringify(details)}`, async () => {
    const wrap = failing((sql) => /^INSERT/i.test(sql) ? error : undefined);
    await withApi(project, async (api) => {
      const answer = await api.ask("projects", { as: admin, body: { name: "Apollo" } });
      assertEquals([answer.status, answer.body["code"]], [status, code]);
      assertEquals(answer.body["details"], details);
      assert(!answer.text.includes("s3cret"));
      assertEquals(api.log.length, status === 500 ? 1 : 0);
    }, { wrap });
  });
}

Deno.test("an update that fails is DB_UPDATE_FAILED and changes nothing", async () => {
  const wrap = failing((sql) => /^UPDATE/i.test(sql) ? secret : undefined);
  await withApi(project, async (api) => {
    const { body: { id } } = await api.ask("projects", { as: admin, body: { name: "Apollo" } });
    const ask = { as: admin, method: "PATCH", body: { name: "x" } };
    const answer = await api.ask(`projects/${id}`, ask);
    assertEquals([answer.status, answer.body["code"]], [500, "DB_UPDATE_FAILED"]);
    assertEquals((await api.ask(`projects/${id}`, { as: admin })).body["name"], "Apollo");
  }, { wrap });
});

Deno.test("health says whether the database answers", async () => {
  await withApi(project, async (api) => {
    const { status, body } = await api.ask("/health");
    assertEquals([status, body["status"]], [200, "ok"]);
    assertEquals(body["database"], { mode: "file", reachable: true });
  });
  await withApi(project, async (api) => {
    const { status, body, text } = await api.ask("/health");
    assertEquals([status, body["status"]], [503, "unavailable"]);
    assertEquals(body["database"], { mode: "remote", reachable: false });
    assert(!text.includes("s3cret"));
  }, { wrap: failing(() => secret), settings: { databaseMode: "remote" } });
});

Deno.test("ready says which check failed, and no more", async () => {
  const one = { tag: "0000", when: 1, sql: "SELECT 1" };
  const migrations = [one, { ...one, tag: "0001", when: 2 }];
  const said = (database: string, migrations: string) => ({
    ready: [database, migrations].every((check) => check === "ok"),
    checks: { database, migrations },
  });
  await withApi(project, async (api) => {
    await applyMigrations(api.database, [one]);
    const waiting = await api.ask("/ready");
    assertEquals([waiting.status, waiting.body], [503, said("ok", "failed")]);
    await applyMigrations(api.database, migrations);
    const { status, body } = await api.ask("/ready");
    assertEquals([status, body], [200, said("ok", "ok")]);
  }, { host: { migrations } });
  await withApi(project, async (api) => {
    const { status, body, text } = await api.ask("/ready");
    assertEquals([status, body], [503, said("failed", "failed")]);
    assert(!text.includes("s3cret"));
  }, { host: { migrations }, wrap: failing(() => secret) });
  await withApi(project, async (api) => {
    const { status, body } = await api.ask("/ready");
    assertEquals([status, body], [200, { ready: true, checks: { database: "ok" } }]);
  });
});
