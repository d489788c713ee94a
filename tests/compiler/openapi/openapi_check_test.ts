import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { emitOpenApi } from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { outputColumns } from "../../../shared/surface/parameters.ts";
import { recordExample } from "../../../shared/surface/schema/examples.ts";
import { type Exchange, openApiCheck } from "../../support/openapi_check.ts";
import { model, operationNamed, tickets } from "../../support/sample_model.ts";

const check = openApiCheck(emitOpenApi(model));
const OPERATION = operationNamed("getTickets");
const TICKET = recordExample(
  OPERATION.resource,
  outputColumns(OPERATION, tickets),
  model,
);

const TAGGED = { "x-request-id": "req_1", etag: '"1"' };

function answer(rest: Partial<Exchange> & { readonly json?: unknown }): Exchange {
  const { json = TICKET, ...more } = rest;
  return {
    method: "GET",
    path: "/api/v1/tickets/ticket_1",
    status: 200,
    headers: new Headers({ "content-type": "application/json", ...TAGGED }),
    body: JSON.stringify(json),
    ...more,
  };
}

const PROBLEM = new Headers({
  "content-type": "application/problem+json",
  "x-request-id": "req_1",
});
const problem = (status: number, code: string) => ({
  type: "http://localhost/problems/x",
  title: "x",
  status,
  layer: "firewall",
  code,
});

Deno.test("a declared answer has no faults", () => {
  assertEquals(check(answer({})), []);
  assertEquals(
    check(
      answer({
        headers: new Headers({
          "content-type": "application/json; charset=utf-8",
          ...TAGGED,
        }),
      }),
    ),
    [],
  );
  assertEquals(
    check(answer({ status: 404, headers: PROBLEM, json: problem(404, "NOT_FOUND") })),
    [],
  );
});

Deno.test("what the document does not declare is a fault", () => {
  const { subject: _, ...withoutSubject } = TICKET;
  const rows: readonly (readonly [string, string, Exchange])[] = [
    ["status", "Status 418 is not declared", answer({ status: 418 })],
    [
      "media type",
      'Media type "text/html"',
      answer({
        headers: new Headers({ "content-type": "text/html", ...TAGGED }),
      }),
    ],
    [
      "missing tag",
      'Header "ETag" is missing',
      answer({ headers: new Headers({ "content-type": "application/json", "x-request-id": "x" }) }),
    ],
    ["no JSON", "no JSON", answer({ body: "{" })],
    ["missing column", "'subject'", answer({ json: withoutSubject })],
    ["unknown column", "extra", answer({ json: { ...TICKET, extra: 1 } })],
    ["wrong type", "/urgent", answer({ json: { ...TICKET, urgent: 1 } })],
    ["open enum", "/status", answer({ json: { ...TICKET, status: "done" } })],
    [
      "timestamp form",
      "/createdAt",
      answer({ json: { ...TICKET, createdAt: "2026-01-31 10:00:00" } }),
    ],
    [
      "code of another operation",
      "/code",
      answer({
        status: 404,
        headers: PROBLEM,
        json: problem(404, "ROUTE_NOT_FOUND"),
      }),
    ],
    [
      "status in the body",
      "/status",
      answer({
        status: 404,
        headers: PROBLEM,
        json: problem(403, "NOT_FOUND"),
      }),
    ],
    [
      "401 without its header",
      '"WWW-Authenticate" is missing',
      answer({
        status: 401,
        headers: PROBLEM,
        json: problem(401, "AUTH_MISSING"),
      }),
    ],
    ["operation", "not declared", answer({ method: "PUT" })],
    ["path", "not declared", answer({ path: "/api/v1/nope" })],
    [
      "405 without Allow",
      '"Allow" is missing',
      answer({
        method: "PUT",
        status: 405,
        headers: PROBLEM,
        json: problem(405, "METHOD_NOT_ALLOWED"),
      }),
    ],
  ];
  for (const [what, said, exchange] of rows) {
    const faults = check(exchange);
    assert(faults.length > 0, `${what} passed`);
    for (const fault of faults) assertStringIncludes(fault, said, what);
  }
});

Deno.test("the flat 429 carries Retry-After and no problem document", () => {
  const body = { error: "Rate limit exceeded", code: "RATE_LIMITED", retryAfter: 60 };
  const headers = {
    "content-type": "application/json",
    "retry-after": "60",
    "x-request-id": "req_1",
  };
  const limited = (rest: Record<string, string>, json: unknown) =>
    check(answer({ status: 429, headers: new Headers(rest), json }));
  assertEquals(limited(headers, body), []);
  assertEquals(limited({ ...headers, "retry-after": "10" }, body).length, 1);
  assertEquals(limited({ "content-type": "application/json", "x-request-id": "req_1" }, body), [
    'Header "Retry-After" is missing',
  ]);
  assertEquals(limited({ ...headers, "content-type": "application/problem+json" }, body).length, 1);
});

Deno.test("fields narrows a record, and only fields does", () => {
  const narrow = { id: TICKET["id"] ?? null, subject: TICKET["subject"] ?? null };
  assertEquals(check(answer({ json: narrow })).length > 0, true);
  assertEquals(check(answer({ path: "/api/v1/tickets/x?fields=id,subject", json: narrow })), []);
});

Deno.test("routes and methods that do not exist are refused as such", () => {
  const refusal = (status: number, code: string, method: string, path: string) =>
    check(answer({
      method,
      path,
      status,
      headers: new Headers({ "content-type": "application/problem+json", allow: "GET, POST" }),
      json: problem(status, code),
    }));
  assertEquals(refusal(404, "ROUTE_NOT_FOUND", "GET", "/api/v1/nope"), []);
  assertEquals(refusal(405, "METHOD_NOT_ALLOWED", "PUT", "/api/v1/tickets"), []);
});
