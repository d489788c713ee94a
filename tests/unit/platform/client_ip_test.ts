/** Whose word about the client's address is believed (contract 8.1.4). */
import { assertEquals } from "@std/assert";
import { clientIp } from "../../../library/platform/mod.ts";

const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: "198.51.100.1", port: 4711 };

const SAID: readonly (readonly [string | null, string])[] = [
  [null, "198.51.100.1"],
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["192.0.2.1, 203.0.113.7", "203.0.113.7"],
  // What is no address is not believed: the connection's counts.
  ["", "198.51.100.1"],
  ["unknown", "198.51.100.1"],
  ["203.0.113.7:80", "198.51.100.1"],
  ["[2001:db8::1]", "198.51.100.1"],
  ["203.0.113.7, unknown", "198.51.100.1"],
];

for (const [said, believed] of SAID) {
  Deno.test(`clientIp() is ${believed} where the proxy's header says ${said}`, () => {
    const headers = new Headers(said === null ? {} : { "x-real-ip": said });
    assertEquals(clientIp(headers, { trustedHeader: "x-real-ip", remoteAddr }), believed);
  });
}

Deno.test("clientIp() believes no header unless one is named", () => {
  const headers = new Headers({ "x-real-ip": "203.0.113.7", "x-forwarded-for": "203.0.113.8" });
  assertEquals(clientIp(headers, { trustedHeader: null, remoteAddr }), "198.51.100.1");
});
