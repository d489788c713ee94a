/** Which `Host` headers are accepted before anything is routed. */
import { assertEquals } from "@std/assert";
import { isHostAccepted } from "../../../shared/runtime/request/read_request.ts";

const CASES: readonly (readonly [host: string | null, accepted: boolean])[] = [
  ["api.example.com", true],
  ["api.example.com.", true],
  ["localhost:8000", true],
  ["127.0.0.1:8000", true],
  ["[::1]:8000", true],
  ["my_host", true],
  [null, false],
  ["", false],
  ["x/api/v1/r/secret", false],
  ["a?b", false],
  ["a#b", false],
  ["user@host", false],
  ["a b", false],
  ["-a", false],
  ["a..b", false],
  ["host:port", false],
  ["host:123456", false],
  ["a".repeat(300), false],
];

for (const [host, accepted] of CASES) {
  Deno.test(`isHostAccepted() is ${accepted} for ${JSON.stringify(host)?.slice(0, 40)}`, () => {
    assertEquals(isHostAccepted(host, { allowedHosts: null }), accepted);
  });
}

Deno.test("isHostAccepted() takes only the listed names when there is a list, on any port", () => {
  const settings = { allowedHosts: ["api.example.com", "api.example.org"] };
  assertEquals(isHostAccepted("API.example.com:443", settings), true);
  assertEquals(isHostAccepted("api.example.org", settings), true);
  assertEquals(isHostAccepted("evil.example.com", settings), false);
});
