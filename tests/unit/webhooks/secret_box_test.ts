/** Signing secrets in the database: unreadable without `AUTH_SECRET` (docs/security.md). */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { systemRandomness } from "../../../library/platform/mod.ts";
import { createSecretBox } from "../../../shared/runtime/mod.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SECRETS = {
  one: new TextEncoder().encode("the-auth-secret-of-this-deployment"),
  other: new TextEncoder().encode("the-auth-secret-of-some-other-one!"),
};
const one = createSecretBox(
  { authSecret: SECRETS.one },
  systemRandomness,
);
const other = createSecretBox(
  { authSecret: SECRETS.other },
  systemRandomness,
);

Deno.test("what was sealed opens for its endpoint, under its AUTH_SECRET, and says nothing to others", async () => {
  const sealed = await one.seal("wep_1", SECRET);
  assert(!sealed.includes("whsec_") && !sealed.includes(SECRET.slice(6)));
  assertEquals(await one.open("wep_1", sealed), SECRET);
  assertEquals(await one.open("wep_2", sealed), null);
  assertEquals(await other.open("wep_1", sealed), null);
});

Deno.test("the same secret is sealed differently each time", async () => {
  assert(await one.seal("wep_1", SECRET) !== await one.seal("wep_1", SECRET));
});

Deno.test("a secret from before secrets were sealed is still read", async () => {
  assertEquals(await one.open("wep_1", SECRET), SECRET);
});

Deno.test("what was changed, cut or never sealed opens as nothing", async () => {
  const sealed = await one.seal("wep_1", SECRET);
  const changed = sealed.slice(0, -4) + (sealed.endsWith("AAA=") ? "BBB=" : "AAA=");
  for (
    const text of [
      changed,
      sealed.slice(0, -8),
      "sealed1.",
      "sealed1.AAAA",
      "sealed1.%%%",
      "plain",
      "",
    ]
  ) {
    assertEquals(await one.open("wep_1", text), null, text);
  }
});

Deno.test("a weak AUTH_SECRET seals nothing", () => {
  assertThrows(() => createSecretBox({ authSecret: new Uint8Array(31) }, systemRandomness));
});

Deno.test("a box with the previous secret opens what either sealed, and seals anew what the previous one did", async () => {
  const both = createSecretBox(
    { authSecret: SECRETS.other, authSecretPrevious: SECRETS.one },
    systemRandomness,
  );
  const old = await one.seal("wep_1", SECRET);
  assertEquals(await both.open("wep_1", old), SECRET);
  assertEquals(await both.open("wep_2", old), null);
  const renewed = await both.renew?.("wep_1", old) ?? "";
  assertEquals(await other.open("wep_1", renewed), SECRET);
  assertEquals(await one.open("wep_1", renewed), null);
  assertEquals(await both.renew?.("wep_1", renewed), null);
  assertEquals(await both.renew?.("wep_1", SECRET), null);
  assertEquals(one.renew, undefined);
});

Deno.test("a weak AUTH_SECRET_PREVIOUS opens nothing", () => {
  const secrets = { authSecret: SECRETS.one, authSecretPrevious: new Uint8Array(31) };
  assertThrows(() => createSecretBox(secrets, systemRandomness));
});
