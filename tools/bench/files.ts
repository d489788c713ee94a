/**
 * Measures one large file up and down over HTTP, and the memory that it takes: `deno run -A tools/bench/files.ts --mebibytes
 * 1024`. curl sends and receives, so that the memory is the API's alone.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tokenFor } from "../../tests/support/api.ts";
import { openPapers } from "../../tests/support/killed_upload.ts";
import { schemaOf } from "../../tests/support/model_database.ts";

const MEMBER = { sub: "user_1", orgId: "org_1", roles: ["member"] };
const MIB = 1024 * 1024;

const { values } = parseArgs({ options: { mebibytes: { type: "string" } } });
const size = Number(values.mebibytes ?? 1024) * MIB;
const folder = await Deno.makeTempDir({ prefix: "quickback-files-" });
const large = join(folder, "large");
await Deno.truncate(await touched(large), size);
const papers = await openPapers(folder);
await papers.database.migrate(schemaOf(papers.project));
const server = Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: () => {} },
  (request) => papers.app.fetch(request, { clientIp: "127.0.0.1" }),
);
const base = `http://127.0.0.1:${server.addr.port}/api/v1/papers`;
const authorization = `Bearer ${await tokenFor(MEMBER, Date.now())}`;
const json = { authorization, "content-type": "application/json" };
const { id } = await (await fetch(base, { method: "POST", body: "{}", headers: json })).json();

const before = Deno.memoryUsage().rss;
let peak = 0;
const watch = setInterval(() => peak = Math.max(peak, Deno.memoryUsage().rss), 20);
await timed("up", ["-T", large, "-H", "content-type: application/octet-stream"]);
await timed("down", []);
clearInterval(watch);
await server.shutdown();
await papers.close();
await Deno.remove(folder, { recursive: true });

async function touched(path: string): Promise<string> {
  await Deno.writeFile(path, new Uint8Array());
  return path;
}

async function timed(what: string, args: readonly string[]): Promise<void> {
  const begun = performance.now();
  const authorized = ["-H", `authorization: ${authorization}`, `${base}/${id}/scan`];
  const { success } = await new Deno.Command("curl", {
    args: ["-s", "-f", "-o", "/dev/null", ...args, ...authorized],
  }).output();
  if (!success) throw new Error(`The file did not go ${what}`);
  const seconds = (performance.now() - begun) / 1000;
  const mib = (bytes: number) => Math.round(bytes / MIB);
  console.log(
    `${what}: ${mib(size)} MiB in ${seconds.toFixed(1)} s, ${mib(size / seconds)} MiB/s; ` +
      `resident ${mib(before)} MiB before, ${mib(peak)} MiB at most`,
  );
}
