/** The destination policy against a table of addresses and names, and against everything a resolver may say (contract 8.2). */
import { assertEquals } from "@std/assert";
import type { Resolution, Resolver } from "../../../shared/runtime/ports.ts";
import {
  checkDestination,
  type DestinationVerdict,
  readDestination,
} from "../../../shared/runtime/destination/check_destination.ts";

/** Hosts that name, in some notation, an address that is not public. */
const SPECIAL_HOSTS: readonly string[] = [
  // The many faces of loopback.
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "0x7f.1",
  "0x7f000001",
  "0x7F.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.0.0.01",
  "017700000001",
  "2130706433",
  "127.0.0.0x1",
  "%31%32%37.0.0.1",
  "１２７.0.0.1",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::1]",
  "[2606:4700::5efe:127.0.0.1]",
  "[2606:4700::200:5efe:7f00:1]",
  // Every other IPv4 range, first and last.
  "0",
  "0.0.0.0",
  "0.255.255.255",
  "00",
  "10.0.0.0",
  "10.255.255.255",
  "10.1",
  "012.0.0.1",
  "100.64.0.0",
  "100.127.255.255",
  "169.254.0.0",
  "169.254.169.254",
  "169.254.255.255",
  "2852039166",
  "0xa9fea9fe",
  "172.16.0.0",
  "172.31.255.255",
  "192.0.0.0",
  "192.0.0.8",
  "192.0.0.255",
  "192.0.2.0",
  "192.0.2.255",
  "192.88.99.0",
  "192.88.99.255",
  "192.168.0.0",
  "192.168.255.255",
  "192.168.257",
  "198.18.0.0",
  "198.19.255.255",
  "198.51.100.0",
  "198.51.100.255",
  "203.0.113.0",
  "203.0.113.255",
  "224.0.0.0",
  "239.255.255.255",
  "240.0.0.0",
  "255.255.255.255",
  "4294967295",
  "0xffffffff",
  // IPv6.
  "[::]",
  "[0::0]",
  "[::2]",
  "[::ffff:8.8.8.8]",
  "[::ffff:0:8.8.8.8]",
  "[::8.8.8.8]",
  "[fc00::]",
  "[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]",
  "[fe80::1]",
  "[febf:ffff::1]",
  "[fec0::1]",
  "[feff::1]",
  "[ff00::]",
  "[ff02::1]",
  "[2001:db8::1]",
  "[2001:db8:ffff::1]",
  "[3fff::1]",
  "[3fff:fff:ffff::1]",
  "[2001::1]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[2001:1ff:ffff::1]",
  "[2002::1]",
  "[2002:808:808::1]",
  "[64:ff9b::8.8.8.8]",
  "[64:ff9b::808:808]",
  "[100::1]",
  "[5f00::1]",
  "[4000::1]",
  "[1fff::1]",
  "[e000::1]",
];

const PRIVATE_HOSTS: readonly string[] = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "ｌocalhost",
  "app.localhost",
  "app.localhost.",
  "metadata.goog",
  "metadata.goog.",
  "metadata.google.internal",
  "printer.local",
  "db.internal",
  "nas.home.arpa",
  "home.arpa",
  "intranet",
  "com",
  "a..example.com",
  "example.com..",
  "-a.example.com",
  "exa*mple.com",
];

const PUBLIC_HOSTS: readonly (readonly [host: string, address: string])[] = [
  ["8.8.8.8", "8.8.8.8"],
  ["134744072", "8.8.8.8"],
  ["0x8.010.8.8", "8.8.8.8"],
  ["1.0.0.0", "1.0.0.0"],
  ["9.255.255.255", "9.255.255.255"],
  ["11.0.0.0", "11.0.0.0"],
  ["100.63.255.255", "100.63.255.255"],
  ["100.128.0.0", "100.128.0.0"],
  ["126.255.255.255", "126.255.255.255"],
  ["128.0.0.0", "128.0.0.0"],
  ["172.15.255.255", "172.15.255.255"],
  ["172.32.0.0", "172.32.0.0"],
  ["192.0.1.0", "192.0.1.0"],
  ["198.17.255.255", "198.17.255.255"],
  ["198.20.0.0", "198.20.0.0"],
  ["223.255.255.255", "223.255.255.255"],
  ["[2606:4700:4700::1111]", "2606:4700:4700::1111"],
  ["[2001:200::1]", "2001:200::1"],
  ["[2001:4860:4860::8888]", "2001:4860:4860::8888"],
  ["[2003::1]", "2003::1"],
  ["[3ffe::1]", "3ffe::1"],
];

const STRICT = { allowInsecure: false };

Deno.test("an address that is not public is refused in every notation", () => {
  const accepted = SPECIAL_HOSTS.filter((host) =>
    readDestination(`https://${host}/hook`, STRICT).kind !== "refused"
  );
  assertEquals(accepted, []);
});

Deno.test("a private name is refused in every spelling", () => {
  const accepted = PRIVATE_HOSTS.filter((host) =>
    readDestination(`https://${host}/hook`, STRICT).kind !== "refused"
  );
  assertEquals(accepted, []);
});

Deno.test("a public address passes, just outside of every range too", () => {
  for (const [host, address] of PUBLIC_HOSTS) {
    const destination = readDestination(`https://${host}:8443/hook`, STRICT);
    assertEquals(destination, { kind: "address", address }, host);
  }
});

Deno.test("a URL is https, carries no credentials and no blanks", () => {
  const refused = [
    "http://hooks.example.com/",
    "ftp://hooks.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "hooks.example.com",
    "//hooks.example.com",
    "https://",
    "https://user@hooks.example.com/",
    "https://user:secret@hooks.example.com/",
    "https://:secret@hooks.example.com/",
    " https://hooks.example.com/",
    "https://hooks.exa\tmple.com/",
    "https://hooks.example.com/\n",
    "https://[fe80::1%25eth0]/",
    "https://1.2.3.4.5/",
    "https://256.1.1.1/",
    `https://hooks.example.com/${"a".repeat(2048)}`,
  ];
  assertEquals(refused.filter((url) => readDestination(url, STRICT).kind !== "refused"), []);
});

Deno.test("allowInsecure relaxes the scheme and nothing else", () => {
  const relaxed = { allowInsecure: true };
  const name = { kind: "name", name: "hooks.example.com" } as const;
  assertEquals(readDestination("http://hooks.example.com/", relaxed), name);
  assertEquals(readDestination("https://Hooks.Example.com./", relaxed), name);
  for (
    const url of ["http://127.0.0.1/", "http://localhost/", "ftp://a.example/", "http://u@a.b/"]
  ) {
    assertEquals(readDestination(url, relaxed).kind, "refused", url);
  }
});

const FINE: Resolution = { addresses: ["8.8.8.8", "2606:4700::1"], exists: true, failure: null };

const RESOLUTIONS: readonly (readonly [string, Resolution, DestinationVerdict])[] = [
  ["all public", FINE, { kind: "public", addresses: ["8.8.8.8", "2606:4700::1"] }],
  [
    "one is not public",
    { ...FINE, addresses: ["8.8.8.8", "10.0.0.1"] },
    { kind: "refused", reason: "The host resolves to an address that is not public" },
  ],
  [
    "a mapped address",
    { ...FINE, addresses: ["::ffff:8.8.8.8"] },
    { kind: "refused", reason: "The host resolves to an address that is not public" },
  ],
  [
    "one is not public and the other question failed",
    { ...FINE, addresses: ["127.0.0.1"], failure: "The resolver took too long" },
    { kind: "refused", reason: "The host resolves to an address that is not public" },
  ],
  [
    "public, and the other question failed",
    { ...FINE, failure: "The resolver took too long" },
    { kind: "unresolved", reason: "The resolver took too long" },
  ],
  [
    "what is no address",
    { ...FINE, addresses: ["8.8.8.8", "hooks.example.com"] },
    { kind: "unresolved", reason: "The resolver gave a malformed answer" },
  ],
  [
    "an address in another notation",
    { ...FINE, addresses: ["0x8.8.8.8"] },
    { kind: "unresolved", reason: "The resolver gave a malformed answer" },
  ],
  [
    "no records",
    { ...FINE, addresses: [] },
    { kind: "refused", reason: "The host has no address" },
  ],
  [
    "no such name",
    { addresses: [], exists: false, failure: null },
    { kind: "refused", reason: "The host does not exist" },
  ],
];

for (const [what, resolution, verdict] of RESOLUTIONS) {
  Deno.test(`a name is judged by what it resolves to: ${what}`, async () => {
    const asked: string[] = [];
    const resolver: Resolver = {
      resolve(name) {
        asked.push(name);
        return Promise.resolve(resolution);
      },
    };
    const url = "https://Hooks.example.com:8443/a";
    assertEquals(await checkDestination(url, { resolver, allowInsecure: false }), verdict);
    assertEquals(asked, ["hooks.example.com"]);
  });
}

Deno.test("a literal is judged without asking anybody", async () => {
  const resolver: Resolver = { resolve: () => Promise.reject(new Error("Nobody asks")) };
  const options = { resolver, allowInsecure: false };
  assertEquals(await checkDestination("https://8.8.8.8/", options), {
    kind: "public",
    addresses: ["8.8.8.8"],
  });
});
