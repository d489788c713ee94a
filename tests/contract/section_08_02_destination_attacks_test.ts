/** Contract 8.2 over HTTP: hosts that mean somewhere private in ways that a URL parser, a resolver or a reader may miss. */
import { assertEquals } from "@std/assert";
import { dohResolver } from "../../library/platform/mod.ts";
import type { Resolver } from "../../shared/runtime/ports.ts";
import { ADMIN, dataOf, ENDPOINTS, withWebhooks } from "../support/webhooks.ts";

const HOSTS: readonly string[] = [
  // Loopback once more: mixed bases, leading zeros, fewer parts, empty and trailing labels.
  ...[
    "127.0.0.1:443",
    "127.000.000.001",
    "0x7f.0x0.0x0.0x1",
    "0x7f.0.1",
    "0x7F000001",
  ],
  ...[
    "0X7F.0.0.1",
    "127.0x1",
    "127.65537",
    "0177.1",
    "0x7f.00.1",
    "00000000177.0.0.1",
    "0b1111111.0.0.1",
  ],
  ...[
    "127.0.0.1.",
    "2130706433.",
    "017700000001.",
    "0x7f.1.",
    "127.1.",
    "127.0.0.1..",
    ".127.0.0.1",
  ],
  ...[
    "%31%32%37%2e%30%2e%30%2e%31",
    "127%2E0%2E0%2E1",
    "127.0.0.%31",
    "%30%78%37f.1",
    "127%00.0.0.1",
  ],
  ...[
    "１２７．０．０．１",
    "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "127｡0｡0｡1",
    "127．1",
    "⑫7.0.0.1",
    "0ｘ7f.1",
    "¹²⁷.0.0.1",
    "١٢٧.0.0.1",
  ],
  ...["127.0.0.1\u00ad", "12\u200b7.0.0.1", "127\u3002\u0030.0.1"],
  // Other private and special networks in the same disguises.
  ...[
    "0x0a.1",
    "012.1",
    "0xa000001",
    "167772161",
    "10.0x10101",
    "0300.0250.1",
    "3232235777",
    "192.168.257",
    "0xc0a80101",
  ],
  ...[
    "0xac.0x10.1",
    "2886729729",
    "172.1048577",
    "0xa9.0xfe.0xa9.0xfe",
    "169.16689662",
    "0251.0376.0251.0376",
  ],
  ...[
    "0xa9fea9fe",
    "025177524776",
    "169.254.43518",
    "1681915906",
    "100.100.100.200",
    "0x64.0x40.1",
    "192.0.0.192",
  ],
  ...[
    "0.0.0.1",
    "0.1",
    "00.0",
    "0x0",
    "0x",
    "0x.0x.0x",
    "224.0.0.251",
    "0xe0000001",
    "255.255.255.255",
    "0xffffffff",
  ],
  ...[
    "198.18.0.1",
    "0xc6120001",
    "203.0.113.77",
    "192.0.2.77",
    "198.51.100.77",
    "192.88.99.1",
    "240.0.0.1",
    "4026531841",
  ],
  // No IPv4 address, though it ends in a number.
  ...[
    "1.2.3.4.5",
    "1.2.3.256",
    "4294967296",
    "0x100000000",
    "256.256.256.256",
    "1.2.3.08",
    "09.1",
    "a.1",
    "example.0x1",
    "1..1",
    "0x7g.1",
  ],
  // IPv6 in every notation, with what it embeds.
  ...[
    "[::]",
    "[::0]",
    "[0::0:0]",
    "[::1%25lo]",
    "[::1%lo]",
    "[0000::0001]",
    "[::0001]",
    "[0:0::0:1]",
    "[::7f00:1]",
    "[::ffff:0:7f00:1]",
  ],
  ...[
    "[::FFFF:127.0.0.1]",
    "[::ffff:a00:1]",
    "[0::ffff:169.254.169.254]",
    "[::ffff:0:0]",
    "[::127.1]",
    "[::ffff:127.1]",
    "[::ffff:0x7f.1]",
  ],
  ...[
    "[64:ff9b::a00:1]",
    "[64:FF9B::169.254.169.254]",
    "[64:ff9b:1:ffff::1]",
    "[2002:a00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2002:7f00:1::1]",
  ],
  ...[
    "[2001::a00:1]",
    "[2001:0:4136:e378:8000:63bf:f5ff:fffe]",
    "[2001:db8::1]",
    "[2001:DB8:1::]",
    "[3fff:fff::1]",
    "[100::1]",
    "[100:0:0:1::1]",
  ],
  ...[
    "[fe80::1%25eth0]",
    "[fe80::1]",
    "[FEC0::1]",
    "[fd12:3456::1]",
    "[fc00::]",
    "[ff05::1:3]",
    "[5f00::1]",
    "[fd00:ec2::254]",
  ],
  ...[
    "[2606:4700::5efe:a00:1]",
    "[2606:4700::0200:5efe:c0a8:101]",
    "[2001:20::1]",
    "[2001:3::1]",
    "[1::1]",
    "[::2]",
    "[8000::1]",
    "[1:2:3:4:5:6:7:8]",
  ],
  ...[
    "[::1",
    "::1]",
    "::1",
    "[]",
    "[::1]]",
    "[[::1]]",
    "[::1]x",
    "[g::1]",
    "[1:2:3:4:5:6:7:8:9]",
    "[:::1]",
    "[v1.fe]",
  ],
  // Names that are private, or no names.
  ...[
    "localhost",
    "LocalHost",
    "LOCALHOST.",
    "localhost..",
    "ⓛocalhost",
    "loc\u00adalhost",
    "%6cocalhost",
    "a.b.localhost",
    "x.LOCALHOST.",
  ],
  ...[
    "metadata.goog",
    "METADATA.GOOG.",
    "metadata.google.internal",
    "instance-data.ec2.internal",
    "x.INTERNAL",
    "foo.local.",
    "router.home.arpa",
  ],
  ...[
    "ｌｏｃａｌ.ｌｏｃａｌ",
    "kubernetes",
    "redis",
    "db",
    "a",
    "host.docker.internal",
    "xn--",
    "a..b.com",
    ".example.com",
    "-x.example.com",
    "x-.example.com",
  ],
  ...[
    "exa mple.com",
    "exam\tple.com",
    "example.com\n",
    "ex\u0000ample.com",
    "example.com%00.evil.test",
    "*.example.com",
    "a,b.example.com",
    "{x}.example.com",
  ],
  ...[
    `${"a".repeat(64)}.example.com`,
    `${"a.".repeat(127)}example.com`,
    "😀",
    "example.com:99999",
    "example.com:-1",
    "example.com:port",
    "example.com:0x50",
  ],
];

const URLS: readonly string[] = [
  "https://user@example.com/",
  "https://:pw@example.com/",
  "https://user:pw@8.8.8.8/",
  "https://8.8.8.8@127.0.0.1/",
  "https://127.0.0.1\\@example.com/",
  "https://127.0.0.1#@example.com/",
  "https://127.0.0.1?@example.com/",
  "https:\\\\127.0.0.1\\",
  "https:127.0.0.1",
  "https:/127.0.0.1/",
  "https:////127.0.0.1/",
  "https://///localhost/",
  "hTTps://127.0.0.1/",
  "http://example.com/",
  "HTTP://example.com/",
  "ws://example.com/",
  "wss://example.com/",
  "ftp://example.com/",
  "gopher://example.com/",
  "file:///etc/passwd",
  "file://example.com/etc/passwd",
  "data:text/plain,x",
  "blob:https://example.com/x",
  "javascript:alert(1)",
  "jar:https://example.com!/",
  "unix:///var/run/docker.sock",
  "//example.com/",
  "/relative",
  "example.com",
  "https://",
  "https:///",
  "https://?",
  "https://#",
  "https://:443/",
  "\u0000https://example.com/",
  "https://example.com/\u0007",
  " https://example.com/",
  "https://example.com/ ",
  "ｈttps://example.com/",
  "https://bücher.example/",
  "https://example.com/ü",
  "https://example.com/{id}",
  "https://example.com/a|b",
  "https://example.com/%",
  "https://example.com/%zz",
  "https://example.com/[a]",
  "https://example.com/a#b#c",
  "https://example.com/<script>",
];

/** What a public name may not be confused with. */
const ACCEPTED: readonly string[] = [
  "https://example.com/",
  "https://EXAMPLE.com./hook",
  "https://example.com:8443/a?b=c#d",
  "https://xn--bcher-kva.example/",
  "https://localhost.example.com/",
  "https://127.0.0.1.example.com/",
  "https://internal.example.com/",
  "https://my-local.example.com/",
  "https://0127.0.0.1/",
  "https://0x7f.example.com/",
  "https://a_b.example.com/",
  "https://8.8.8.8/",
  "https://0x08080808/",
  "https://8.8.2056/",
  "https://[2606:4700:4700::1111]/",
  "https://[2606:4700:4700:0:0:0:0:1111]:444/",
];

Deno.test("no disguise of a private host is taken for a public one", async () => {
  await withWebhooks(async (api) => {
    const urls = [...HOSTS.map((host) => `https://${host}/hook`), ...URLS];
    const accepted: unknown[] = [];
    for (const url of urls) {
      const answer = await api.ask(ENDPOINTS, {
        as: ADMIN,
        body: { name: "x", url, events: ["*"] },
      });
      const { code, pointer } = answer.body;
      if (answer.status !== 400 || code !== "VALIDATION_ERROR" || pointer !== "/url") {
        accepted.push([url, answer.status, code, pointer]);
      }
    }
    assertEquals(accepted, []);
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })), []);
  });
});

Deno.test("a public host is taken, whatever its name resembles, and kept as it was given", async () => {
  await withWebhooks(async (api) => {
    for (const url of ACCEPTED) {
      const answer = await api.ask(ENDPOINTS, {
        as: ADMIN,
        body: { name: "x", url, events: ["*"] },
      });
      assertEquals([url, answer.status, answer.body["url"]], [url, 201, url]);
    }
  });
});

type Records = readonly (readonly [type: number, data: string])[];

/** What the resolver of a name says: records for A and for AAAA, or an answer of its own. */
type Behaviour =
  | { readonly a: Records; readonly aaaa?: Records }
  | ((type: string, signal: AbortSignal) => Response | Promise<Response>);

const A = 1;
const CNAME = 5;
const AAAA = 28;
const PUBLIC: Records = [[A, "93.184.216.34"]];

const BEHAVIOURS: Readonly<Record<string, readonly [status: 201 | 400 | 503, Behaviour]>> = {
  "public": [201, { a: PUBLIC }],
  "aaaa-only": [201, { a: [], aaaa: [[AAAA, "2606:4700::1"]] }],
  "chain": [201, { a: [[CNAME, "b.example.net."], [CNAME, "c.example.org."], ...PUBLIC] }],
  "chain-to-nothing": [400, { a: [[CNAME, "b.example.net."]] }],
  "chain-to-private": [400, { a: [[CNAME, "localhost."], [A, "127.0.0.1"]] }],
  "private": [400, { a: [[A, "10.0.0.1"]] }],
  "metadata": [400, { a: [[A, "169.254.169.254"]] }],
  "one-of-many": [400, { a: [...PUBLIC, ...PUBLIC, [A, "192.168.0.1"]] }],
  "private-aaaa": [400, { a: PUBLIC, aaaa: [[AAAA, "::1"]] }],
  "mapped": [400, { a: [], aaaa: [[AAAA, "::ffff:93.184.216.34"]] }],
  "nat64": [400, { a: [], aaaa: [[AAAA, "64:ff9b::5db8:d822"]] }],
  "sixtofour": [400, { a: [], aaaa: [[AAAA, "2002:5db8:d822::1"]] }],
  "unique-local": [400, { a: [], aaaa: [[AAAA, "fd00::1"]] }],
  "zero": [400, { a: [[A, "0.0.0.0"]] }],
  "nothing": [400, { a: [] }],
  "other-types": [400, { a: [[16, '"v=spf1"'], [15, "10 mx.example.com."]] }],
  "nxdomain": [400, () => answer({ Status: 3 })],
  "nxdomain-a": [
    201,
    (type) => type === "A" ? answer({ Status: 3 }) : records("AAAA", [[AAAA, "2606:4700::1"]]),
  ],
  "nodata": [400, () => answer({ Status: 0 })],
  "servfail": [503, () => answer({ Status: 2 })],
  "refused": [503, () => answer({ Status: 5 })],
  "servfail-aaaa": [503, (type) => type === "A" ? records("A", PUBLIC) : answer({ Status: 2 })],
  "servfail-beside-private": [
    400,
    (type) => type === "A" ? records("A", [[A, "127.0.0.1"]]) : answer({ Status: 2 }),
  ],
  "records-32": [201, { a: Array.from({ length: 32 }, () => [A, "93.184.216.34"] as const) }],
  "records-33": [503, { a: Array.from({ length: 33 }, () => [A, "93.184.216.34"] as const) }],
  "records-33-private": [503, { a: Array.from({ length: 33 }, () => [A, "10.0.0.1"] as const) }],
  "truncated": [503, () => answer({ Status: 0, TC: true, Answer: [] })],
  "odd-address": [503, { a: [[A, "0x5d.1"]] }],
  "short-address": [503, { a: [[A, "93.184"]] }],
  "name-for-address": [503, { a: [[A, "example.com"]] }],
  "zone": [503, { a: [], aaaa: [[AAAA, "fe80::1%eth0"]] }],
  "no-json": [503, () => new Response("<html>")],
  "empty": [503, () => new Response("")],
  "null": [503, () => answer(null)],
  "status-text": [503, () => answer({ Status: "0" })],
  "http-500": [503, () => new Response("", { status: 500 })],
  "http-302": [503, () => Response.redirect("http://127.0.0.1:1/", 302)],
  "slow": [
    503,
    (_type, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(answer(null)))),
  ],
  "huge": [503, () => new Response(" ".repeat(70_000) + "{}")],
};

Deno.test("a name is taken for what its resolver says, over HTTP, on register and on update", async () => {
  await withDoh(async (url) => {
    await withWebhooks(async (api) => {
      // Whoever answers is waited for, on a busy machine too.
      const resolver: Resolver = {
        resolve: (name) =>
          dohResolver({ url, timeout: name.startsWith("slow.") ? 200 : 120_000 }).resolve(name),
      };
      const { webhooks } = api.ports;
      if (webhooks) Object.assign(webhooks, { resolver });
      const { id } = await api.register({ url: "https://8.8.8.8/" });
      const told: Record<string, unknown> = {};
      for (const name of Object.keys(BEHAVIOURS)) {
        const body = { url: `https://${name}.example.com/` };
        const registered = await api.ask(ENDPOINTS, {
          as: ADMIN,
          body: { ...body, name, events: ["*"] },
        });
        const updated = await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "PATCH", body });
        told[name] = [registered.status, updated.status];
        if (registered.status === 201) {
          await api.ask(`${ENDPOINTS}/${registered.body["id"]}`, { as: ADMIN, method: "DELETE" });
        }
      }
      const expected = Object.entries(BEHAVIOURS).map(([name, [status]]) =>
        [name, [status, status === 201 ? 200 : status]] as const
      );
      assertEquals(told, Object.fromEntries(expected));
    });
  });
});

async function withDoh(body: (url: string) => Promise<void>): Promise<void> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { searchParams } = new URL(request.url);
    const label = (searchParams.get("name") ?? "").split(".")[0] ?? "";
    const type = searchParams.get("type") ?? "";
    const behaviour = BEHAVIOURS[label]?.[1];
    if (behaviour === undefined) return new Response("", { status: 500 });
    if (typeof behaviour === "function") return behaviour(type, request.signal);
    return records(type, type === "A" ? behaviour.a : behaviour.aaaa ?? []);
  });
  try {
    await body(`http://127.0.0.1:${server.addr.port}/dns-query`);
  } finally {
    await server.shutdown();
  }
}

function records(_type: string, list: Records): Response {
  return answer({
    Status: 0,
    Answer: list.map(([type, data]) => ({ name: "x.", type, TTL: 1, data })),
  });
}

function answer(body: unknown): Response {
  return Response.json(body, { headers: { "content-type": "application/dns-json" } });
}
