/** One path has one reading, or no route. */
import { assertEquals } from "@std/assert";
import { targetOf } from "../../../shared/runtime/request/read_request.ts";

const CASES: readonly (readonly [target: string, path: string | null])[] = [
  ["/", "/"],
  ["/api/v1/tickets", "/api/v1/tickets"],
  ["/api/v1/tickets/tkt_1~a.b-c", "/api/v1/tickets/tkt_1~a.b-c"],
  ["/api/v1/%74ickets", "/api/v1/tickets"],
  ["/api/v1/tickets/a%20b", "/api/v1/tickets/a%20b"],
  ["/api/v1/tickets/%e2%82%ac", "/api/v1/tickets/%E2%82%AC"],
  ["/api/v1/tickets/é", "/api/v1/tickets/%C3%A9"],
  ["/api/v1/tickets/", null],
  ["/api//v1/tickets", null],
  ["/api/v1/../v1/tickets", null],
  ["/api/v1/%2e%2e/v1/tickets", null],
  ["/api/v1/./tickets", null],
  ["/api/v1/tickets/a%2Fb", null],
  ["/api/v1/tickets/a%5Cb", null],
  ["/api/v1/tickets/a%00", null],
  ["/api/v1/tickets/a%0Ab", null],
  ["/api/v1/tickets/%zz", null],
  ["/api/v1/tickets/%ff", null],
];

for (const [target, path] of CASES) {
  Deno.test(`targetOf() reads ${target} as ${path ?? "no path"}`, () => {
    assertEquals(targetOf(`http://localhost:8000${target}`).path, path);
  });
}

Deno.test("targetOf() parts the query and drops the fragment", () => {
  assertEquals(targetOf("http://a/b?c=/d?e#f?g"), { raw: "/b", path: "/b", search: "?c=/d?e" });
});
