/** No secret is echoed, and the echo stays small (contract 2.7). */
import { assert, assertEquals } from "@std/assert";
import { PROBLEM_BODY_MAX_BYTES } from "../../../shared/contract/limits.ts";
import { isSensitiveKey, REDACTED_KEYS, redactedSearch } from "../../../shared/contract/masks.ts";
import { cappedEcho, redacted } from "../../../shared/runtime/response/refused.ts";

for (const key of REDACTED_KEYS) {
  Deno.test(`redacted() hides ${key} at any depth, whatever its case and type`, () => {
    const body = { a: [{ [key.toUpperCase()]: { deep: "s3cret" }, b: 1 }], [key]: ["s3cret"] };
    assertEquals(redacted(body), {
      a: [{ [key.toUpperCase()]: "[REDACTED]", b: 1 }],
      [key]: "[REDACTED]",
    });
  });
}

const KEYS: readonly (readonly [string, boolean])[] = [
  ["api_key", true],
  ["X-Api-Key", true],
  ["newPassword", true],
  ["refreshToken", true],
  ["postalCode", false],
  ["title", false],
  ["tokens", false],
];

for (const [key, sensitive] of KEYS) {
  Deno.test(`isSensitiveKey() is ${sensitive} for ${key}`, () => {
    assertEquals(isSensitiveKey(key), sensitive);
  });
}

const SEARCHES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["?", ""],
  ["?a=1&token=abc", "?a=1&token=[REDACTED]"],
  ["?token.eq=abc&b", "?token.eq=[REDACTED]&b"],
  ["?%74oken=abc", "?%74oken=[REDACTED]"],
  ["?filter[secret]=abc", "?filter[secret]=[REDACTED]"],
  ["?code=1&code=2", "?code=[REDACTED]&code=[REDACTED]"],
  ["?x=%zz", "?x=%zz"],
];

for (const [search, shown] of SEARCHES) {
  Deno.test(`redactedSearch() makes ${search || "nothing"} into ${shown || "nothing"}`, () => {
    assertEquals(redactedSearch(search), shown);
  });
}

const LARGE: readonly unknown[] = [
  Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key${at}`, at])),
  Array.from({ length: 20_000 }, (_, at) => ({ id: at, token: "s3cret", deep: [["é", null]] })),
  { a: { b: { c: "x".repeat(5000) } }, d: [1, 2, 3] },
  { password: "s3cret".repeat(2000), rest: Array(3000).fill(true) },
  Array(2100).fill(""),
  { small: 1 },
];

for (const [at, body] of LARGE.entries()) {
  Deno.test(`redacted() within a number of characters makes the same echo as without, body ${at}`, () => {
    const echo = cappedEcho(redacted(body, PROBLEM_BODY_MAX_BYTES));
    assertEquals(echo, cappedEcho(redacted(body)));
    assert(!JSON.stringify(echo).includes("s3cret"));
  });
}

Deno.test("redacted() keeps JSON's values as they are; anything else is null", () => {
  const body = { text: "a", number: 1.5, yes: true, no: false, nothing: null };
  assertEquals(redacted(body), body);
  assertEquals(redacted([undefined, 1n, Symbol.iterator]), [null, null, null]);
});

Deno.test("redacted() ends a list and an object where the characters end", () => {
  assertEquals(redacted(["aaaa", "bbbb", "cccc"], 8), ["aaaa", "bbbb"]);
  assertEquals(redacted({ a: "aaaa", b: "bbbb", c: "cccc" }, 12), { a: "aaaa", b: "bbbb" });
});

Deno.test("redacted() looks at nothing beyond the characters that it may copy", () => {
  let looks = 0;
  const seen = new Proxy(Array(10_000).fill("xxxxxxxx"), {
    get: (items, name) => {
      if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(items, name);
    },
  });
  redacted(seen, 100);
  assert(looks < 20, String(looks));
});

Deno.test("cappedEcho() keeps a small body as it is", () => {
  assertEquals(cappedEcho({ a: [1, null] }), { a: [1, null] });
});

for (const filler of ["x", '"', "\\", "é", "😀", "\ud83d", "\u0001"]) {
  Deno.test(`cappedEcho() keeps a body full of ${JSON.stringify(filler)} within 4 KB`, () => {
    const echo = cappedEcho({ a: filler.repeat(20_000) });
    const bytes = new TextEncoder().encode(JSON.stringify(echo)).length;
    assert(typeof echo === "string" && echo.isWellFormed() && echo.endsWith("…"));
    assert(bytes <= PROBLEM_BODY_MAX_BYTES, `${bytes} bytes`);
    assert(bytes > 1000, `Only ${bytes} bytes are left`);
  });
}
