/** Whom the playground's server refuses: every other page of the browser, and every other user of the machine. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ROUTES, TOKEN_HEADER } from "../../../playground/protocol.ts";
import {
  type AskOptions,
  NOTES,
  PORT,
  TOKEN,
  withPlayground,
  writeOf,
} from "../../support/playground.ts";

/** Everything that says or does something. */
const GUARDED: readonly (readonly [path: string, init: AskOptions])[] = [
  [ROUTES.project, {}],
  [ROUTES.events, {}],
  [`${ROUTES.compile}?complete=false`, { method: "POST", body: "{}" }],
  [ROUTES.requests, { method: "POST", body: "{}" }],
  [ROUTES.frames, { method: "POST", body: "{}" }],
  [ROUTES.stored, { method: "POST", body: "{}" }],
  [ROUTES.reset, { method: "POST" }],
  [ROUTES.renames, { method: "POST", body: "{}" }],
  [writeOf(NOTES), { method: "PUT", body: "gone", headers: { "if-none-match": "*" } }],
  [writeOf(NOTES), { method: "DELETE" }],
  ["/nothing-here", {}],
];

const REFUSED: readonly (readonly [
  who: string,
  headers: Readonly<Record<string, string | null>>,
  status: number,
  code: string,
])[] = [
  ["a name that was made to lead here", { host: "evil.example" }, 421, "HOST_REFUSED"],
  ["the same name with the port", { host: `evil.example:${PORT}` }, 421, "HOST_REFUSED"],
  ["another port", { host: `127.0.0.1:${PORT + 1}` }, 421, "HOST_REFUSED"],
  ["no host", { host: null }, 421, "HOST_REFUSED"],
  ["another page", { origin: "https://evil.example" }, 403, "ORIGIN_REFUSED"],
  ["another port's page", { origin: "http://127.0.0.1:9999" }, 403, "ORIGIN_REFUSED"],
  ["a sandboxed page", { origin: "null" }, 403, "ORIGIN_REFUSED"],
  ["a page of this machine", { "sec-fetch-site": "same-site" }, 403, "ORIGIN_REFUSED"],
  ["a page elsewhere", { "sec-fetch-site": "cross-site" }, 403, "ORIGIN_REFUSED"],
  ["an address typed in", { "sec-fetch-site": "none" }, 403, "ORIGIN_REFUSED"],
  ["a program without fetch metadata", { "sec-fetch-site": null }, 403, "ORIGIN_REFUSED"],
  ["somebody without a token", { [TOKEN_HEADER]: null }, 401, "TOKEN_REFUSED"],
  [
    "somebody with another token",
    { [TOKEN_HEADER]: TOKEN.replace("0", "1") },
    401,
    "TOKEN_REFUSED",
  ],
  ["somebody with half a token", { [TOKEN_HEADER]: TOKEN.slice(0, 24) }, 401, "TOKEN_REFUSED"],
  ["somebody with an empty token", { [TOKEN_HEADER]: "" }, 401, "TOKEN_REFUSED"],
];

for (const [who, headers, status, code] of REFUSED) {
  Deno.test(`the playground refuses ${who} everywhere: ${status} ${code}`, () =>
    withPlayground(async ({ ask, read }) => {
      const before = await read(NOTES);
      for (const [path, init] of GUARDED) {
        const answer = await ask(path, { ...init, headers: { ...init.headers, ...headers } });
        assertEquals([path, answer.status, (await answer.json()).code], [path, status, code]);
      }
      assertEquals(await read(NOTES), before);
    }));
}

Deno.test("a write without Origin is refused, a read of the own page has none", () =>
  withPlayground(async ({ ask, read }) => {
    const read1 = await ask(ROUTES.project, { headers: { origin: null } });
    assertEquals(read1.status, 200);
    await read1.body?.cancel();
    const init = { method: "DELETE", headers: { origin: null } };
    const refused = await ask(writeOf(NOTES), init);
    assertEquals((await refused.json()).code, "ORIGIN_REFUSED");
    assertStringIncludes(await read(NOTES), "feature(");
  }));

Deno.test("localhost is a name of the playground too, with its own origin", () =>
  withPlayground(async ({ ask }) => {
    const host = `localhost:${PORT}`;
    const own = await ask(ROUTES.renames, {
      method: "POST",
      body: "{}",
      headers: { host, origin: `http://${host}` },
    });
    assertEquals((await own.json()).code, "BODY_REFUSED");
    const other = await ask(ROUTES.renames, { method: "POST", body: "{}", headers: { host } });
    assertEquals((await other.json()).code, "ORIGIN_REFUSED");
  }));

Deno.test("no answer can be read by another page, framed, or run foreign script", () =>
  withPlayground(async ({ ask }) => {
    for (const [path, init] of [["/", {}], ["/page.css", {}], ...GUARDED] as const) {
      const { headers, body } = await ask(path, init);
      const policy = headers.get("content-security-policy") ?? "";
      for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
        assertStringIncludes(policy, rule);
      }
      assertEquals(policy.includes("unsafe"), false);
      assertEquals(headers.get("cross-origin-resource-policy"), "same-origin");
      assertEquals(headers.get("x-content-type-options"), "nosniff");
      // A style sheet is the same for everybody, and asked about again each time.
      assertEquals(headers.get("cache-control"), path === "/page.css" ? "no-cache" : "no-store");
      const names = [...headers.keys()];
      assertEquals(names.filter((name) => name.startsWith("access-control-")), []);
      assertEquals(names.filter((name) => name === "set-cookie"), []);
      await body?.cancel();
    }
  }));

Deno.test("the page holds no token, no inline script, and a nonce that its policy names", () =>
  withPlayground(async ({ ask }) => {
    const texts = [await ask("/"), await ask("/")];
    const nonces = await Promise.all(texts.map(async (answer) => {
      const text = await answer.text();
      assertEquals(text.includes(TOKEN), false);
      assertEquals(/<script(?![^>]* src=)/.test(text) || /\son\w+=|style=/.test(text), false);
      assertEquals(/https?:\/\//.test(text), false);
      const nonce = /name="style-nonce" content="([^"]+)"/.exec(text)?.[1] ?? "";
      assertStringIncludes(answer.headers.get("content-security-policy") ?? "", `'nonce-${nonce}'`);
      return nonce;
    }));
    assert(nonces[0] !== nonces[1] && nonces[0] !== "");
  }));
