/** The build service as it is run: one process, or three (contract 4.8; definitions 7, 8). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  compileRequest,
  framesOf,
  json,
  KEY,
  projectBody,
  STREAM_V1,
  STREAM_V2,
} from "../support/build_service.ts";
import { ServiceProcess } from "../support/service_process.ts";

const BODY = await projectBody();
const BACKEND = "x-service-compile-backend";
const VALIDATE = "?complete=false";

Deno.test("service makes a key when none is set, and listens on loopback only", async () => {
  await using service = new ServiceProcess("service", { HOST: "0.0.0.0" });
  const origin = await service.address;
  assertStringIncludes(service.said, "Listening on http://127.0.0.1:");
  const [, key = ""] = /x-api-key: (qbk_[\w-]{32})"/.exec(service.said) ?? [];
  assertEquals(service.said.split(key).length, 2, "the key is printed once");
  const headers = { "x-api-key": key };
  const answer = await fetch(compileRequest(BODY, { origin, headers }));
  assertEquals(answer.status, 200);
  await answer.body?.cancel();
  const refused = await fetch(compileRequest(BODY, { origin }));
  assertEquals(refused.status, 401);
  await refused.body?.cancel();
  assertEquals(await service.end("SIGTERM"), 0);
});

Deno.test("service compiles, answers HEAD and streams, all from one process", async (t) => {
  await using service = new ServiceProcess("service", {
    SERVICE_API_KEY: `${KEY},another-long-key`,
  });
  const origin = await service.address;

  await t.step("it answers twenty compiles at once with the same bytes", async () => {
    const compiles = Array.from({ length: 20 }, async () => {
      const answer = await fetch(compileRequest(BODY, { origin }));
      assertEquals(answer.status, 200);
      return await answer.text();
    });
    const texts = new Set(await Promise.all(compiles));
    assertEquals(texts.size, 1);
    const validated = await fetch(compileRequest(BODY, { origin, query: VALIDATE }));
    assertEquals(validated.headers.get(BACKEND), "edge");
    await validated.body?.cancel();
  });

  await t.step("HEAD is answered as GET is, with the length of its answer", async () => {
    for (const path of ["/health", "/openapi.json", "/templates", "/problems/compile-busy"]) {
      const asked = async (method: string) => {
        const headers = { "accept-encoding": "identity" };
        const answer = await fetch(origin + path, { method, headers });
        const { status } = answer;
        const length = (await answer.bytes()).byteLength;
        return { status, length, told: Number(answer.headers.get("content-length")) };
      };
      const got = await asked("GET");
      assertEquals(await asked("HEAD"), { status: 200, length: 0, told: got.length }, path);
    }
  });

  await t.step("it streams what it answers, over the wire", async () => {
    const document = await json(await fetch(compileRequest(BODY, { origin })));
    const v1 = await fetch(compileRequest(BODY, { origin, headers: STREAM_V1 }));
    assertEquals(framesOf(await v1.text()).at(-1), { event: "result", data: document });
    const v2 = framesOf(
      await (await fetch(compileRequest(BODY, { origin, headers: STREAM_V2 }))).text(),
    );
    const files = v2.filter(({ event }) => event === "file").map(({ data }) => data);
    assertEquals<unknown>(files, document.files);
  });
});

Deno.test("a process that is asked to end finishes the stream that is under way", async () => {
  await using service = new ServiceProcess("service", { SERVICE_API_KEY: KEY });
  const origin = await service.address;
  const answer = await fetch(compileRequest(BODY, { origin, headers: STREAM_V2 }));
  assert(answer.body !== null);
  let text = "";
  let ended: Promise<number> | null = null;
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    ended ??= service.end("SIGTERM");
  }
  assertEquals(framesOf(text).at(-1)?.event, "done");
  assertEquals(await ended, 0);
});

Deno.test("the three apart: the edge validates until it is killed, then the container does", async () => {
  const env = { SERVICE_API_KEY: KEY };
  await using edge = new ServiceProcess("edge", env);
  await using container = new ServiceProcess("container", env);
  await using router = new ServiceProcess("router", {
    ...env,
    EDGE_URL: await edge.address,
    CONTAINER_URL: await container.address,
  });
  const origin = await router.address;
  const validated = await fetch(compileRequest(BODY, { origin, query: VALIDATE }));
  assertEquals([validated.status, validated.headers.get(BACKEND)], [200, "edge"]);
  await validated.body?.cancel();

  const compiled = await fetch(compileRequest(BODY, { origin }));
  assertEquals(compiled.headers.has(BACKEND), false);
  const direct = await fetch(compileRequest(BODY, { origin: await container.address }));
  assertEquals(await compiled.text(), await direct.text());

  const refused = await fetch(compileRequest(BODY, { origin: await edge.address }));
  assertEquals((await json(refused)).code, "COMPLETE_REQUIRES_CONTAINER");

  await edge.end("SIGKILL");
  for (const headers of [{}, STREAM_V2]) {
    const covered = await fetch(compileRequest(BODY, { origin, query: VALIDATE, headers }));
    assertEquals([covered.status, covered.headers.get(BACKEND)], [200, "container-fallback"]);
    await covered.body?.cancel();
  }
  await container.end("SIGKILL");
  const alone = await fetch(compileRequest(BODY, { origin }));
  assertEquals([alone.status, (await json(alone)).code], [503, "COMPILE_UNAVAILABLE"]);
});

for (const task of ["container", "edge", "router"] as const) {
  Deno.test(`${task} refuses to start without a key`, async () => {
    await using service = new ServiceProcess(task, { CONTAINER_URL: "http://127.0.0.1:9" });
    assertEquals(await service.end(), 1);
    assertMatch(service.said, /Cannot start: SERVICE_API_KEY is not set/);
  });
}

Deno.test("the router refuses to start without a container", async () => {
  await using lost = new ServiceProcess("router", { SERVICE_API_KEY: KEY });
  assert(await lost.end() !== 0);
  assertMatch(lost.said, /Cannot start: CONTAINER_URL is not set/);
});

Deno.test("a short key is taken, and warned of", async () => {
  await using edge = new ServiceProcess("edge", { SERVICE_API_KEY: "short" });
  const request = compileRequest(BODY, { origin: await edge.address, query: VALIDATE });
  request.headers.set("x-api-key", "short");
  const answer = await fetch(request);
  assertEquals(answer.status, 200);
  await answer.body?.cancel();
  assertMatch(edge.said, /less than 16 characters/);
});

Deno.test("a host that makes no URL is refused over the wire", async () => {
  await using edge = new ServiceProcess("edge", { SERVICE_API_KEY: KEY });
  const { hostname, port } = new URL(await edge.address);
  for (const host of ["a b", "x/health", "a@b"]) {
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const lines = ["GET /health HTTP/1.1", `Host: ${host}`, "Connection: close", "", ""];
    await connection.write(new TextEncoder().encode(lines.join("\r\n")));
    const answer = await new Response(connection.readable).text();
    assertMatch(answer, /^HTTP\/1\.1 400 /);
    assertMatch(answer, /"code":"HOST_INVALID"|content-length: 0/);
  }
});
