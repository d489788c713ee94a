/** The edge backend where it is meant to run: an isolate with Web APIs and nothing else (contract 4.8). */
import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import {
  compileRequest,
  framesOf,
  json,
  KEY,
  projectBody,
  STREAM_V2,
} from "../support/build_service.ts";
import { findWorkerd, Workerd } from "../support/workerd.ts";

const BODY = await projectBody("helpdesk");
const WORKER = fileURLToPath(new URL("../../edge/worker.ts", import.meta.url));
const VALIDATE = "?complete=false";

Deno.test("the edge's imports reach no platform: no Node module, no native addon", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", WORKER] })
    .output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  assert(Array.isArray(modules) && modules.length > 100);
  const outside = modules.map(({ specifier }) => String(specifier))
    .filter((specifier) => !specifier.startsWith("file:"))
    .map((specifier) => specifier.replace(/^npm:\/((?:@[^/]+\/)?[^@/]+).*$/, "$1"));
  assertEquals([...new Set(outside)].sort(), [
    "@babel/parser",
    "@babel/types",
    "@hono/zod-openapi",
    "@noble/hashes",
    "croner",
    "hono",
    "jose",
    "pluralize",
    "recheck",
    "smol-toml",
    "zod",
  ]);
});

const workerd = await findWorkerd();
if (workerd === null) console.log("Skipped: there is no workerd; name one in WORKERD or on PATH");

Deno.test({
  name: "the edge's bundle validates in workerd as it does here",
  ignore: workerd === null,
  async fn() {
    assert(workerd !== null);
    await using edge = await Workerd.start(workerd, WORKER, { SERVICE_API_KEY: KEY });
    const { origin } = edge;
    const health = await json(await fetch(`${origin}/health`));
    assertEquals([health.status, health.backend], ["ok", "edge"]);

    const validated = await fetch(compileRequest(BODY, { origin, query: VALIDATE }));
    assertEquals(validated.status, 200);
    const result = await json(validated);
    assertEquals(result.files, []);
    const streamed = await fetch(
      compileRequest(BODY, { origin, query: VALIDATE, headers: STREAM_V2 }),
    );
    const done = framesOf(await streamed.text()).at(-1);
    const { meta, commands, warnings } = result;
    assertEquals(done, { event: "done", data: { meta, commands, warnings } });

    const complete = await fetch(compileRequest(BODY, { origin }));
    assertEquals((await json(complete)).code, "COMPLETE_REQUIRES_CONTAINER");
    const bomb = await gzip("\0".repeat(64 * 1024 * 1024));
    const refused = await fetch(compileRequest(bomb, {
      origin,
      query: VALIDATE,
      headers: { "content-encoding": "gzip" },
    }));
    assertEquals([refused.status, (await json(refused)).code], [413, "PAYLOAD_TOO_LARGE"]);
  },
});

async function gzip(text: string): Promise<ArrayBuffer> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(stream).arrayBuffer();
}
