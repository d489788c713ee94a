/** OpenTelemetry through the platform's own support (definitions 8): a span for each request, named after its route. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { compileRequest, KEY } from "../support/build_service.ts";
import { OtlpCollector } from "../support/otlp_collector.ts";
import { ServiceProcess } from "../support/service_process.ts";
import { writeStarter } from "../support/starter_output.ts";
import { withSteadyFolder } from "../support/temp_folder.ts";

const REDACTED = { "url.full": "REDACTED", "url.path": "REDACTED", "url.query": "REDACTED" };

Deno.test("a collector gets a span for each request of the build service, and no secret", async () => {
  await using collector = new OtlpCollector();
  const service = new ServiceProcess("edge", {
    SERVICE_API_KEY: KEY,
    HOST: "127.0.0.1",
    ...collector.environment,
  });
  const origin = await service.address;
  for (const path of ["/health", "/some/SECRET-PATH?and=SECRET-QUERY"]) {
    await (await fetch(origin + path)).body?.cancel();
  }
  const body = JSON.stringify({ rawFiles: { "quickback/quickback.config.ts": "SOURCE-TEXT" } });
  const compiled = await fetch(compileRequest(body, { origin, query: "?complete=false" }));
  await compiled.body?.cancel();
  assertEquals(await service.end("SIGTERM"), 0);

  assertEquals(collector.spans.map(({ name }) => name), ["GET /health", "GET", "POST /compile"]);
  for (const { attributes } of collector.spans) {
    assertEquals({ ...attributes, ...REDACTED }, attributes);
  }
  assertEquals(collector.spans.map(({ attributes }) => attributes["http.route"]), [
    "/health",
    undefined,
    "/compile",
  ]);
  for (const secret of [KEY, "SOURCE-TEXT", "SECRET-QUERY"]) {
    assertEquals(collector.said.includes(secret), false, secret);
  }
  // A log line stands in the trace of its request, and names it as the answer does.
  const requestId = compiled.headers.get("x-request-id") ?? "none";
  const span = collector.spans.at(-1);
  assert(span !== undefined);
  assert(span.attributes["http.response.header.x-request-id"]?.includes(requestId));
  const lines = collector.records.filter(({ text }) => text.includes(requestId));
  assertEquals(lines.map(({ traceId }) => traceId), [span.traceId]);
});

Deno.test("a collector gets spans of a generated API by route template, without what its callers sent", async () => {
  await withSteadyFolder(async (folder) => {
    await writeStarter("empty", folder);
    await using collector = new OtlpCollector();
    const api = new ServiceProcess(
      ["deno", "run", "-A", "src/main.ts"],
      {
        HOST: "127.0.0.1",
        DATABASE_URL: `file:${folder}/app.db`,
        AUTH_SECRET: "a secret of the tests that is long enough",
        ...collector.environment,
      },
      folder,
    );
    const origin = await api.address;
    const asked = [
      ["GET", "/api/v1/notes?search=SECRET-QUERY", 401],
      ["GET", "/api/v1/notes/SECRET-ID", 401],
      ["DELETE", "/api/v1/notes", 405],
      ["GET", "/auth/v1/reset-password/SECRET-TOKEN?callbackURL=%2F", 400],
      ["GET", "/auth/v1/SECRET-PATH", 404],
      ["GET", "/SECRET-PATH", 404],
    ] as const;
    for (const [method, path, status] of asked) {
      const headers = { authorization: "Bearer SECRET-CREDENTIAL" };
      const answer = await fetch(origin + path, { method, headers, redirect: "manual" });
      await answer.body?.cancel();
      assertEquals(answer.status, status, path);
    }
    assertEquals(await api.end("SIGTERM"), 0);

    assertEquals(collector.spans.map(({ name, status }) => [name, status]), [
      ["GET /api/v1/notes", 0],
      ["GET /api/v1/notes/:id", 0],
      ["DELETE /api/v1/notes", 0],
      ["GET /auth/v1/reset-password/*", 0],
      ["GET", 0],
      ["GET", 0],
    ]);
    assertMatch(
      collector.spans[0]?.attributes["http.response.header.x-request-id"] ?? "",
      /req_[0-9a-f]{24}/,
    );
    assertEquals(collector.said.includes("SECRET-"), false);
  });
});
