/** What spans of requests that a process makes itself say (definitions 8, OpenTelemetry). */
import { assertEquals } from "@std/assert";
import { OtlpCollector } from "../../support/otlp_collector.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const SPANS = new URL("../../../library/platform/request_spans.ts", import.meta.url).href;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

/** The URL of a webhook is a credential: neither way to call it leaves it in a trace. */
const CALLS = `import http from "node:http";
import { redactSpans } from ${JSON.stringify(SPANS)};
redactSpans();
const url = Deno.args[0] + "/SECRET-PATH?SECRET-QUERY";
await (await fetch(url, { method: "POST", body: "{}" })).body?.cancel();
await new Promise((resolve) => {
  http.request(url, { method: "POST", headers: { "content-length": 2 } }, (answer) => {
    answer.resume();
    answer.on("end", resolve);
  }).end("{}");
});
`;

Deno.test("a request that the process makes itself leaves no address in its span", async () => {
  await withTempFolder(async (folder) => {
    await using collector = new OtlpCollector();
    await Deno.writeTextFile(`${folder}/calls.ts`, CALLS);
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", CONFIG, `${folder}/calls.ts`, collector.url],
      env: { ...collector.environment },
      stderr: "inherit",
    }).output();
    assertEquals(success, true);
    const addresses = collector.said.match(/"url\.(full|path|query)",\s*"value": \{\s*"[^}]*\}/g);
    assertEquals(addresses?.length, 6);
    for (const address of addresses ?? []) assertEquals(/"REDACTED"/.test(address), true, address);
    assertEquals(collector.said.includes("SECRET-"), false);
  });
});
