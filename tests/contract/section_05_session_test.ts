/** A session cookie is a credential like any other: what it may read, write and mint, through the whole API (contract 5). */
import { assert, assertEquals } from "@std/assert";
import {
  admin,
  founder,
  helpdesk,
  ORIGIN,
  signedUp,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { authBaseOf, authOperationsOf } from "../../shared/surface/auth_operations.ts";

Deno.test("a session reads and writes what its role in the active organization may, and nobody else's", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const created = await anna.ask("projects", { name: "Apollo" });
    assertEquals(created.status, 201, created.text);
    assertEquals((await anna.ask("projects")).body["data"], [created.body]);
    const ben = await admin(api, "ben", "bolt");
    assertEquals((await ben.ask("projects")).body["data"], []);
    const foreign = await ben.ask(`projects/${created.body["id"]}`);
    assertEquals([foreign.status, foreign.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
  });
});

Deno.test("a session without the role, or without an organization, is refused by name", async () => {
  await withAccountsApi(async (api) => {
    const owner = await founder(api, "anna", "acme");
    const refused = await owner.ask("projects");
    assertEquals([refused.status, refused.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    assertEquals(refused.body["details"], { required: ["member", "admin"], current: ["owner"] });
    const loner = await signedUp(api, "carl");
    assertEquals((await loner.ask("projects")).status, 403);
  });
});

Deno.test("a session mints a token, the token is the session's equal, and mints nothing", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const created = await anna.ask("projects", { name: "Apollo" });
    const minted = await api.ask("token", {
      method: "POST",
      headers: { cookie: anna.cookie, ...ORIGIN },
    });
    assertEquals(minted.status, 200, minted.text);
    assertEquals(minted.headers.get("cache-control"), "no-store");
    const bearer = { authorization: `Bearer ${minted.body["token"]}` };
    const read = await api.ask(`projects/${created.body["id"]}`, { headers: bearer });
    // The token's clock is the test's, the session's is the library's own.
    assertEquals([read.status, read.body["name"]], [200, "Apollo"]);
    const again = await api.ask("token", { method: "POST", headers: bearer });
    assertEquals([again.status, again.body["code"]], [401, "AUTH_SESSION_REQUIRED"]);
    const anonymous = await api.ask("token", { method: "POST" });
    assertEquals([anonymous.status, anonymous.body["code"]], [401, "AUTH_MISSING"]);
  });
});

Deno.test("no token is minted for a foreign organization, for a foreign page or by another verb", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const foreign = await anna.ask("token", { organizationId: "somebody_elses" });
    assertEquals([foreign.status, foreign.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    const page = await anna.ask("token", {}, { origin: "https://evil.example" });
    assertEquals([page.status, page.body["code"]], [403, "ORIGIN_FORBIDDEN"]);
    const got = await anna.ask("token");
    assertEquals([got.status, got.headers.get("allow")], [405, "POST"]);
  });
});

Deno.test("a write with the cookie from a foreign page is refused, and nothing is written", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }]) {
      const refused = await anna.ask("projects", { name: "Apollo" }, headers);
      assertEquals([refused.status, refused.body["code"]], [403, "ORIGIN_FORBIDDEN"]);
    }
    assertEquals((await anna.ask("projects")).body["data"], []);
  });
});

Deno.test("a session that is over is refused, not downgraded", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    assertEquals((await anna.ask("/auth/v1/sign-out", {})).status, 200);
    const refused = await anna.ask("projects");
    assertEquals([refused.status, refused.body["code"]], [401, "AUTH_INVALID_TOKEN"]);
  });
});

Deno.test("the account routes keep to the limits of every other route", async () => {
  await withAccountsApi(async (api) => {
    const large = { body: { name: "x".repeat(1024 * 1024) }, headers: ORIGIN };
    const refused = await api.ask("/auth/v1/sign-up/email", large);
    assertEquals([refused.status, refused.body["code"]], [413, "PAYLOAD_TOO_LARGE"]);
    const broken = await api.ask("/auth/v1/sign-up/email", { body: "{", headers: ORIGIN });
    assert(broken.status >= 400 && broken.status < 500, `${broken.status} ${broken.text}`);
  });
});

Deno.test("an account route that does not exist is 404, a wrong verb 405, and a page may ask beforehand", async () => {
  await withAccountsApi(async (api) => {
    for (const path of ["no-such-route", "sign-in/social", "callback/github", "sign-out/", ""]) {
      const missing = await api.ask(`/auth/v1/${path}`, { method: "POST" });
      assertEquals([missing.status, missing.body["code"]], [404, "ROUTE_NOT_FOUND"], path);
    }
    const wrong = await api.ask("/api/auth/sign-out");
    assertEquals([wrong.status, wrong.body["code"]], [405, "METHOD_NOT_ALLOWED"]);
    assertEquals(wrong.headers.get("allow"), "POST");
    assertEquals((await api.ask("/auth/v1/get-session", { method: "HEAD" })).status, 200);
    const preflight = await api.ask("/auth/v1/sign-in/email", {
      method: "OPTIONS",
      headers: { origin: "http://localhost:5173", "access-control-request-method": "POST" },
    });
    assertEquals(preflight.status, 204);
    assertEquals(preflight.headers.get("access-control-allow-methods"), "POST");
    assertEquals(
      preflight.headers.get("access-control-allow-origin"),
      "http://localhost:5173",
    );
  });
});

Deno.test("every account route that the document lists is a real one", async () => {
  await withAccountsApi(async (api) => {
    for (const { method, path } of authOperationsOf(helpdesk)) {
      const answer = await api.ask(`${authBaseOf(helpdesk)}${path}`, { method: "OPTIONS" });
      const methods = (answer.headers.get("allow") ?? "").split(", ");
      assert(methods.includes(method), `${method} ${path}`);
    }
  });
});

Deno.test("what breaks behind the accounts tells nothing", async () => {
  await withAccountsApi(async (api) => {
    await api.database.migrate([{ sql: "DROP TABLE auth_account", args: [] }]);
    const answer = await api.ask("/auth/v1/sign-up/email", {
      body: { name: "anna", email: "anna@example.com", password: "correct horse battery" },
      headers: ORIGIN,
    });
    assertEquals(answer.status, 500);
    assert(!/auth_account|SQL|no such table/i.test(answer.text), answer.text);
  });
});
