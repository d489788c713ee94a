/** Which addresses are one client (definitions 7, "one client by address"). */
import { assertEquals } from "@std/assert";
import { clientAddress } from "../../../shared/runtime/request/read_request.ts";

const CLIENTS: readonly (readonly [string | null, readonly string[]])[] = [
  ["203.0.113.7", [
    "203.0.113.7",
    "::ffff:203.0.113.7",
    "::FFFF:203.0.113.7",
    "::ffff:cb00:7107",
    "0:0:0:0:0:ffff:203.0.113.7",
    "0000:0000:0000:0000:0000:FFFF:CB00:7107",
  ]],
  ["2001:db8:1:2::", [
    "2001:db8:1:2::",
    "2001:db8:1:2::1",
    "2001:DB8:1:2:3:4:5:6",
    "2001:0db8:0001:0002:ffff:ffff:ffff:ffff",
    "2001:db8:1:2:0:0:203.0.113.7",
  ]],
  ["2001:db8:1:3::", ["2001:db8:1:3::1"]],
  ["fe80:0:0:0::", ["fe80::1", "fe80::1%eth0", "fe80::2%eth1"]],
  ["0:0:0:0::", ["::1", "::"]],
  [null, [
    "",
    "unknown",
    "203.0.113.7:4711",
    "[2001:db8::1]",
    "203.0.113.256",
    "203.0.113.07",
    "203.0.113",
    "3405803783",
    "0xcb.0.113.7",
    " 203.0.113.7",
    "2001:db8:1:2",
    "2001:db8::1::2",
    "::ffff:203.0.113.256",
    "203.0.113.7, 203.0.113.8",
  ]],
];

for (const [client, spellings] of CLIENTS) {
  Deno.test(`clientAddress() is ${client} for ${spellings.length} texts`, () => {
    for (const text of spellings) assertEquals(clientAddress(text), client, text);
  });
}

Deno.test("clientAddress() leaves what it made as it is", () => {
  for (const [client] of CLIENTS) assertEquals(clientAddress(client), client);
});
