/** The access log (definitions 8, `ACCESS_LOG`): a line for each request, and nothing that its caller keeps secret. */
import { assertEquals } from "@std/assert";
import { accessLog } from "../../library/platform/watched.ts";
import type { LogEntry } from "../../shared/runtime/mod.ts";
import { createBackgroundWorker } from "../../shared/runtime/mod.ts";
import { signedUp, withAccountsApi } from "../support/accounts_api.ts";
import { ADMIN, answered, ENDPOINTS, URL, withWebhooks } from "../support/webhooks.ts";

const member = { sub: "user-1", orgId: "org-1", roles: ["member"] };

Deno.test("each request is one line, with the layer that refused it and without its query", async () => {
  const lines: LogEntry[] = [];
  const observe = accessLog({ log: (entry) => void lines.push(entry) });
  await withAccountsApi(async (api) => {
    await api.ask("projects?search=SECRET-QUERY", { as: member });
    await api.ask("projects");
    await api.ask("projects/SECRET", { as: { ...member, roles: ["nobody"] } });
    await api.ask("projects", { as: member, body: { name: 7 } });
    await api.ask("/nowhere?code=SECRET-QUERY");
    await api.ask("/health", { method: "DELETE" });
    await api.ask("/auth/v1/reset-password/SECRET-TOKEN?callbackURL=%2F");
    const ann = await signedUp(api, "ann");
    await ann.ask("/auth/v1/get-session");
    const { headers } = await api.ask("/health");
    assertEquals(lines.at(-1)?.requestId, headers.get("x-request-id"));
  }, { host: { observe } });
  const told = lines.map(({ level, message, fields }) => [
    level,
    message,
    fields?.["method"],
    fields?.["path"],
    fields?.["status"],
    fields?.["layer"],
    fields?.["code"],
  ]);
  const line = (
    method: string,
    path: string,
    status: number,
    [layer, code]: readonly [string, string] | readonly [null, null] = [null, null],
  ) => ["info", "Answered", method, path, status, layer, code];
  assertEquals(told, [
    line("GET", "/api/v1/projects", 200),
    line("GET", "/api/v1/projects", 401, ["authentication", "AUTH_MISSING"]),
    line("GET", "/api/v1/projects/SECRET", 403, ["access", "ACCESS_ROLE_REQUIRED"]),
    line("POST", "/api/v1/projects", 400, ["validation", "VALIDATION_ERROR"]),
    line("GET", "/nowhere", 404, ["validation", "ROUTE_NOT_FOUND"]),
    line("DELETE", "/health", 405, ["validation", "METHOD_NOT_ALLOWED"]),
    line("GET", "/auth/v1/reset-password/*", 400, ["authentication", "LINK_INVALID"]),
    line("POST", "/auth/v1/sign-up/*", 200),
    line("GET", "/auth/v1/get-session", 200),
    line("GET", "/health", 200),
  ]);
  assertEquals(lines.every(({ fields }) => Number(fields?.["milliseconds"]) >= 0), true);
  assertEquals(JSON.stringify(lines).includes("SECRET-"), false);
});

Deno.test("each attempt is one line, with its end and without what the endpoint said", () =>
  withWebhooks(async (api) => {
    const { webhooks } = api.ports;
    if (!webhooks) throw new Error("There are no webhooks");
    const worker = createBackgroundWorker(api.project, { ...api.ports, webhooks }, {
      logsAttempts: true,
    });
    const { id } = await api.register();
    const answers = [answered(503, "SECRET-TEXT"), answered(200)];
    api.answers(URL, () => answers.shift() ?? answered(200));
    await api.ask(`${ENDPOINTS}/${id}/test`, { as: ADMIN, method: "POST" });
    for (let attempt = 0; attempt < 2; attempt++) {
      while (await worker.tick() > 0) await worker.settled();
      api.pass(60_000);
    }
    const lines = api.log.filter(({ message }) => message === "Attempted");
    assertEquals(
      lines.map(({ fields }) => [
        fields?.["queue"],
        fields?.["attempts"],
        fields?.["outcome"],
        fields?.["status"],
        fields?.["reason"],
      ]),
      [
        ["webhook-deliveries", 1, "again", 503, null],
        ["webhook-deliveries", 2, "done", 200, null],
      ],
    );
    assertEquals(JSON.stringify(api.log).includes("SECRET-"), false);
  }));
