/** The route of a path, as the list of endpoints says it. */
import { assertEquals, assertThrows } from "@std/assert";
import type { Endpoint } from "../../../shared/runtime/gate.ts";
import { createRouter } from "../../../shared/runtime/router.ts";

const ENDPOINTS: readonly Endpoint[] = [
  "GET /",
  "GET /tickets",
  "POST /tickets",
  "GET /tickets/:id",
  "POST /tickets/batch",
  "POST /tickets/:id/close",
  "POST /tickets/batch/close",
  "GET /tickets/views/queue",
].map((text) => {
  const [method = "", path = ""] = text.split(" ");
  return {
    id: text,
    method,
    path,
    gate: { who: "anyone", rate: null, hasMiddlewares: false },
    handle: () => Promise.resolve(new Response()),
  };
});

const FOUND: readonly (readonly [path: string, route: string, id: string])[] = [
  ["/", "/", ""],
  ["/tickets", "/tickets", ""],
  ["/tickets/t1", "/tickets/:id", "t1"],
  ["/tickets/a%20b", "/tickets/:id", "a b"],
  ["/tickets/batch", "/tickets/batch", ""],
  ["/tickets/t1/close", "/tickets/:id/close", "t1"],
  ["/tickets/batch/close", "/tickets/batch/close", ""],
  ["/tickets/views", "/tickets/:id", "views"],
  ["/tickets/views/close", "/tickets/:id/close", "views"],
  ["/tickets/__proto__", "/tickets/:id", "__proto__"],
];

const NOT_FOUND = [
  "/other",
  "/tickets/",
  "/tickets/t1/",
  "/tickets/t1/open",
  "/tickets//close",
  "//",
];

const route = createRouter(ENDPOINTS, ["/tickets/export", "/tickets/batch", "/other/batch"]);

for (const [path, expected, id] of FOUND) {
  Deno.test(`${path} is ${expected}`, () => {
    const match = route(path);
    assertEquals([match?.route, match?.id], [expected, id]);
  });
}

/** Below words that are no ids. */
const RESERVED = [
  "/tickets/export",
  "/tickets/export/close",
  "/tickets/batch/open",
  "/tickets/batch/close/now",
  "/other/batch",
];

for (const path of [...NOT_FOUND, ...RESERVED]) {
  Deno.test(`${path} has no route`, () => assertEquals(route(path), null));
}

Deno.test("a path has the methods of all its endpoints", () => {
  assertEquals([...route("/tickets")?.endpoints.keys() ?? []], ["GET", "POST"]);
});

Deno.test("two endpoints cannot share a method and a path", () => {
  const [first] = ENDPOINTS;
  if (!first) throw new Error("No endpoint");
  assertThrows(() => createRouter([first, first]), Error, "share GET /");
});
