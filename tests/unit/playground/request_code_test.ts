/** Requests of the playground as code to paste. */
import { assertEquals } from "@std/assert";
import type { ApiRequest, Table } from "../../../playground/protocol.ts";
import { clientText, curlText } from "../../../playground/browser/request_code.ts";

const TICKETS: Table = {
  name: "supportTickets",
  path: "/api/v1/support-tickets",
  key: "id",
  columns: [],
  verbs: ["read"],
};

const CALLS: readonly (readonly [
  method: ApiRequest["method"],
  path: string,
  body: string | null,
  call: string | null,
])[] = [
  ["GET", "", null, "list()"],
  [
    "GET",
    "?limit=5&sort=-createdAt&status.in=a,b",
    null,
    'list({ limit: 5, sort: ["-createdAt"], "status.in": ["a","b"] })',
  ],
  ["POST", "", '{ "a": 1 }', 'create({"a":1})'],
  ["GET", "/t1", null, 'get("t1")'],
  ["GET", "/t1?fields=id", null, 'get("t1", { fields: ["id"] })'],
  ["PATCH", "/t1", '{"a":2}', 'update("t1", {"a":2})'],
  ["PUT", "/t1", '{"a":2}', 'upsert("t1", {"a":2})'],
  ["DELETE", "/t%201", null, 'delete("t 1")'],
  ["GET", "/views/open-ones", null, 'view("openOnes").list()'],
  ["POST", "/t1/send-back", "{}", 'run("sendBack", "t1", {})'],
  ["POST", "/batch", '{"items":[]}', 'createBatch({"items":[]})'],
  ["POST", "/batch/send-back", '{"ids":[]}', 'runMany("sendBack", {"ids":[]})'],
  ["DELETE", "", null, null],
  ["GET", "/t1/history/2", null, null],
];

for (const [method, path, body, call] of CALLS) {
  Deno.test(`${method} …${path} is ${call ?? "no call of the client"}`, () => {
    const request = { as: "demo", method, path: TICKETS.path + path, headers: [], body };
    const expected = call === null ? null : `await api.resource("supportTickets").${call};`;
    assertEquals(clientText(request, [TICKETS]), expected);
  });
}

Deno.test("a path of no table is no call of the client", () => {
  const path = `${TICKETS.path}-of-others`;
  const request: ApiRequest = { as: null, method: "GET", path, headers: [], body: null };
  assertEquals(clientText(request, [TICKETS]), null);
});

Deno.test("a line for a shell quotes what a shell would read", () => {
  const request: ApiRequest = {
    as: "demo",
    method: "POST",
    path: "/api/v1/notes?a=$b",
    headers: [["content-type", "application/json"]],
    body: `{ "title": "it's" }`,
  };
  assertEquals(
    curlText(request, "http://localhost:8000"),
    `curl -s -X POST -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' ` +
      `-d '{"title":"it'\\''s"}' 'http://localhost:8000/api/v1/notes?a=$b'`,
  );
  const nobody: ApiRequest = { ...request, as: null, method: "GET", headers: [], body: null };
  assertEquals(
    curlText(nobody, "http://localhost:8000"),
    "curl -s 'http://localhost:8000/api/v1/notes?a=$b'",
  );
});
