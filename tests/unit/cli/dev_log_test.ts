/** The log that dev keeps of its API: bounded, without secrets, and shown by `quickback logs`. */
import { join } from "node:path";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { DevLog, followDevLog, logEntry, readDevLog } from "../../../cli/dev/dev_log.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { until } from "../../support/until.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const NOW = new Date("2030-01-02T03:04:05.000Z");
const answered = (path: string, status: number, refusal = {}) =>
  JSON.stringify({
    time: NOW.toISOString(),
    level: "info",
    message: "Answered",
    requestId: "req_1",
    method: "GET",
    path,
    status,
    milliseconds: 2.1,
    layer: null,
    code: null,
    ...refusal,
  });

const SECRETS: readonly (readonly [line: string, kept: string])[] = [
  ["token eyJhbGciOi.eyJzdWIi.c2lnbmF0 came", "token [REDACTED] came"],
  ["Authorization: Bearer abcdefgh12345678", "Authorization: [REDACTED] [REDACTED]"],
  ["secret whsec_abc+/d=", "secret [REDACTED]"],
  ["GET /x?token=abc&a=1", "GET /x?token=[REDACTED]&a=1"],
  ["{ password: 'hunter2', n: 1 }", "{ password: '[REDACTED]', n: 1 }"],
  ["a plain line", "a plain line"],
];

for (const [line, kept] of SECRETS) {
  Deno.test(`logEntry() keeps "${kept}"`, () => {
    assertEquals(logEntry(line, NOW), { time: NOW.toISOString(), level: "info", message: kept });
  });
}

Deno.test("logEntry() keeps no value of a sensitive name, and no text of a mail; codes of problems stay", () => {
  const line = { message: "m", code: "ACCESS_ROLE_REQUIRED", nested: [{ otp: "123456", n: 1 }] };
  assertEquals(logEntry(JSON.stringify(line), NOW), {
    message: "m",
    code: "ACCESS_ROLE_REQUIRED",
    nested: [{ otp: "[REDACTED]", n: 1 }],
  });
  assertEquals(logEntry('{"message":"m","code":"123456"}', NOW)["code"], "[REDACTED]");
  const mail = {
    message: "E-mail to ann",
    to: "ann",
    subject: "Reset",
    text: "http://x/reset/abc",
  };
  assertEquals(logEntry(JSON.stringify(mail), NOW)["text"], "[REDACTED]");
});

Deno.test("the log is bounded, and the newest entries are always there", () =>
  withTempFolder(async (folder) => {
    const log = new DevLog(folder, 1000);
    for (let at = 0; at < 100; at++) log.append(answered(`/api/v1/notes/${at}`, 200), NOW);
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
    assertEquals(names, ["api.log", "api.log.1"]);
    for (const name of names) assert(Deno.statSync(join(folder, name)).size <= 1000);
    const entries = await readDevLog(folder) ?? [];
    assertEquals(entries.at(-1)?.["path"], "/api/v1/notes/99");
    assert(entries.length > 3);
  }));

Deno.test("what follows is told once each, over the end of a file too", () =>
  withTempFolder(async (folder) => {
    const log = new DevLog(folder, 1000);
    log.append(answered("/before", 200), NOW);
    const stop = new AbortController();
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const { path } of followDevLog(folder, stop.signal)) {
        seen.push(path);
      }
    })();
    const told = (at: number) => until(`/${at} is told`, () => seen.includes(`/${at}`));
    // What is written before it has begun to look is nobody's.
    await until("it is followed", () => {
      if (seen.length === 0) log.append(answered("/first", 200), NOW);
      return seen.length > 0;
    });
    for (let at = 0; at < 6; at++) {
      log.append(answered(`/${at}`, 200), NOW);
      await told(at);
    }
    stop.abort();
    await following;
    const after = seen.filter((path) => path !== "/first");
    assertEquals(after, ["/0", "/1", "/2", "/3", "/4", "/5"]);
  }));

Deno.test("logs shows requests, refusals, deliveries and what handlers printed", () =>
  withTempFolder(async (project) => {
    const folder = join(project, ".quickback/dev");
    await Deno.mkdir(folder, { recursive: true });
    const log = new DevLog(folder);
    const attempt = { queue: "webhook-deliveries", job: "wdl_1", attempts: 1, reason: null };
    const time = NOW.toISOString();
    const lines = [
      answered("/api/v1/notes", 200),
      answered("/api/v1/notes/1", 403, { layer: "access", code: "ACCESS_ROLE_REQUIRED" }),
      JSON.stringify({ time, message: "Attempted", ...attempt, outcome: "done", status: 200 }),
      "counted 3\u001b[31m",
    ];
    for (const line of lines) log.append(line, NOW);
    const { code, out } = await run(["logs", project]);
    assertEquals(code, 0);
    assertEquals(out.split("\n"), [
      "03:04:05 GET    /api/v1/notes 200 2.1 ms req_1",
      "03:04:05 GET    /api/v1/notes/1 403 access ACCESS_ROLE_REQUIRED 2.1 ms req_1",
      "03:04:05 webhook-deliveries done 200, attempt 1, wdl_1",
      "03:04:05 info  counted 3\uFFFD[31m",
    ]);
    const json = JSON.parse((await run(["logs", project, "--lines", "1", "--json"])).out);
    assertEquals(json.entries.map((entry: { message: string }) => entry.message), [
      "counted 3\u001b[31m",
    ]);
  }));

Deno.test("logs says where there is no log, and what --lines takes", () =>
  withTempFolder(async (project) => {
    const missing = await run(["logs", project]);
    assertEquals(missing.code, 1);
    assertStringIncludes(missing.err, "has no log: serve it with dev");
    assertEquals((await run(["logs", project, "--lines", "none"])).code, 2);
  }));

async function run(args: readonly string[]) {
  const terminal = recordingTerminal();
  const code = await main(args, terminal, "quickback");
  return { code, out: terminal.outText(), err: terminal.errText() };
}
