/** OpenTelemetry through the platform's own support (definitions 8): a span for each request, named after its route. */
import { assert, assertEquals } from "@std/assert";
import { compileRequest, KEY } from "../support/build_service.ts";
import { ServiceProcess } from "../support/service_process.ts";

Deno.test("a collector gets a span for each request, and no secret", async () => {
  const received: string[] = [];
  await using collector = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      received.push(await request.text());
      return new Response();
    },
  );
  const service = new ServiceProcess("edge", {
    SERVICE_API_KEY: KEY,
    HOST: "127.0.0.1",
    OTEL_DENO: "true",
    OTEL_SERVICE_NAME: "build",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  const origin = await service.address;
  for (const path of ["/health", "/some/path"]) {
    await (await fetch(origin + path)).body?.cancel();
  }
  const body = JSON.stringify({ rawFiles: { "quickback/quickback.config.ts": "SOURCE-TEXT" } });
  await (await fetch(compileRequest(body, { origin, query: "?complete=false" }))).body?.cancel();
  assertEquals(await service.end("SIGTERM"), 0);
  const all = received.join("\n").replace(/\s+/g, "");
  for (const name of ["GET/health", "POST/compile"]) assert(all.includes(`"name":"${name}"`), name);
  assertEquals(all.includes(KEY), false);
  assertEquals(all.includes("SOURCE-TEXT"), false);
});
