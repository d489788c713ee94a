/** The authorization server of a project with `agents.oauth`: registration, consent, tokens, and what they are good for (contract 5.1). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { founder, type Visitor } from "../support/accounts_api.ts";
import { type Answer, BASE_URL, START } from "../support/api.ts";
import { EVENTS, listenerOf } from "../support/realtime.ts";
import {
  allowed,
  authorizePath,
  CALLBACK,
  colleague,
  decided,
  exchanged,
  fieldsOf,
  refreshed,
  registered,
  sendForm,
  tokensIn,
  withOauthDesk,
} from "../support/oauth.ts";

const outcome = ({ status, body }: Answer) => body["code"] ?? body["error"] ?? status;

Deno.test("a client is registered, allowed, and reads what it was allowed to", () =>
  withOauthDesk(async ({ api, anna, ticket }) => {
    const client = await allowed(api, anna, { scope: "tickets:read tickets:update" });
    const { exp = 0, iat = 0, ...claims } = decodeJwt(client.access);
    assertEquals(claims["scope"], "tickets:read tickets:update");
    assertEquals([claims["client_id"], claims.aud, claims.iss, exp - iat], [
      client.clientId,
      BASE_URL,
      BASE_URL,
      900,
    ]);
    assertEquals([claims["roles"], claims["orgId"]], [undefined, undefined]);
    assertEquals(outcome(await client.ask(`tickets/${ticket}`)), 200);
    assertEquals(outcome(await client.ask("customers")), "ACCESS_ROLE_REQUIRED");
    const change = { method: "PATCH", body: { subject: "Ink" } };
    assertEquals(outcome(await client.ask(`tickets/${ticket}`, change)), 200);
    const removal = await client.ask(`tickets/${ticket}`, { method: "DELETE" });
    assertEquals(outcome(removal), "ACCESS_ROLE_REQUIRED");
  }));

Deno.test("the page says who asks, for what and where, and no script or frame has a place in it", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api, { client_name: `<b>Mallory</b> & "co"` });
    const scope = "tickets:read tickets:resolve *:read";
    const page = await anna.ask(authorizePath(clientId, { scope }));
    assertEquals(page.status, 200, page.text);
    assertStringIncludes(page.text, "&lt;b&gt;Mallory&lt;/b&gt; &amp; &quot;co&quot;");
    assert(!page.text.includes("<b>"), page.text);
    assert(!/<script|javascript:|\son\w+=/i.test(page.text), page.text);
    for (const said of ["anna@example.com", "127.0.0.1:3999", "acme", ...scope.split(" ")]) {
      assertStringIncludes(page.text, said);
    }
    const policy = page.headers.get("content-security-policy") ?? "";
    assertMatch(policy, /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; img-src data:;/);
    assertStringIncludes(policy, "frame-ancestors 'none'");
    assertStringIncludes(policy, "form-action 'self' http://127.0.0.1:3999");
    assertEquals(page.headers.get("x-frame-options"), "DENY");
    assertEquals(page.headers.get("cache-control"), "no-store");
  }));

Deno.test("whoever says no, or unticks everything, is not asked twice: the client hears access_denied", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api);
    const no = await decided(api, anna, authorizePath(clientId), "deny");
    assertEquals([no.get("error"), no.get("state"), no.get("code")], [
      "access_denied",
      "s t&ate",
      null,
    ]);
    const nothing = await decided(
      api,
      anna,
      authorizePath(clientId),
      "allow",
      (fields) => fields.filter(([name]) => name !== "scope"),
    );
    assertEquals(nothing.get("error"), "access_denied");
  }));

Deno.test("what is unticked is not allowed, and what was never asked for neither", () =>
  withOauthDesk(async ({ api, anna, ticket }) => {
    const clientId = await registered(api);
    const path = authorizePath(clientId, { scope: "tickets:read tickets:delete" });
    const answer = await decided(api, anna, path, "allow", (fields) => [
      ...fields.filter(([, value]) => value !== "tickets:delete"),
      ["scope", "customers:read"],
    ]);
    const tokens = tokensIn(await exchanged(api, clientId, answer.get("code") ?? ""));
    assertEquals(tokens.scope, "tickets:read");
    const headers = { authorization: `Bearer ${tokens.access}` };
    const removal = await api.ask(`tickets/${ticket}`, { method: "DELETE", headers });
    assertEquals(outcome(removal), "ACCESS_ROLE_REQUIRED");
  }));

Deno.test("a refresh token is good once, and the used one ends all of them", () =>
  withOauthDesk(async ({ api, anna }) => {
    const { clientId, refresh, ask } = await allowed(api, anna);
    const second = tokensIn(await refreshed(api, clientId, refresh));
    assert(second.refresh !== refresh);
    const third = tokensIn(await refreshed(api, clientId, second.refresh));
    assertEquals(outcome(await ask("tickets")), 200);
    assertEquals(outcome(await refreshed(api, clientId, refresh)), "invalid_grant");
    assertEquals(outcome(await refreshed(api, clientId, third.refresh)), "invalid_grant");
    assertEquals(outcome(await ask("tickets")), "AUTH_INVALID_TOKEN");
  }));

Deno.test("somebody without a session signs in on a page, and comes back to the request", () =>
  withOauthDesk(async ({ api }) => {
    const clientId = await registered(api);
    const path = authorizePath(clientId);
    const page = await api.ask(path);
    assertEquals(page.status, 200, page.text);
    const fields = Object.fromEntries(fieldsOf(page.text));
    const origin = { origin: BASE_URL };
    const wrong = await sendForm(api, "/oauth/sign-in", {
      ...fields,
      email: "anna@example.com",
      password: "wrong horse battery",
    }, origin);
    assertEquals(wrong.status, 400);
    assertStringIncludes(wrong.text, "The address or the password is wrong.");
    assertEquals(wrong.headers.getSetCookie().join().includes("session_token=ey"), false);
    const right = await sendForm(api, "/oauth/sign-in", {
      ...fields,
      email: "anna@example.com",
      password: "correct horse battery",
    }, origin);
    assertEquals(right.status, 303, right.text);
    assertEquals(right.headers.get("location"), path);
    const cookie = right.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
    const consent = await api.ask(path, { headers: { cookie } });
    assertStringIncludes(consent.text, "anna@example.com");
  }));

Deno.test("loopback addresses go by any port, and others letter by letter", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api, {
      redirect_uris: ["http://localhost/cb", "http://[::1]:1/cb", "https://app.example.com/cb?x=1"],
    });
    const rows: readonly (readonly [string, number])[] = [
      ["http://localhost:5123/cb", 200],
      ["http://localhost/cb", 200],
      ["http://[::1]:9/cb", 200],
      ["https://app.example.com/cb?x=1", 200],
      ["https://app.example.com/cb", 400],
      ["https://app.example.com:444/cb?x=1", 400],
      ["https://app.example.com/cb?x=1#f", 400],
      ["http://localhost:5123/cb/", 400],
      ["http://127.0.0.1:5123/cb", 400],
      ["http://localhost.example.com/cb", 400],
      ["http://localhost:80@evil.example/cb", 400],
      ["https://localhost/cb", 400],
    ];
    for (const [redirect_uri, status] of rows) {
      const { status: got, headers } = await anna.ask(authorizePath(clientId, { redirect_uri }));
      assertEquals([got, headers.get("location")], [status, null], redirect_uri);
    }
  }));

Deno.test("users see what they allowed clients, and take it back", () =>
  withOauthDesk(async ({ api, anna }) => {
    const ben = await colleague(api, "ben", "agent");
    const mine = await allowed(api, anna, { scope: "tickets:read" });
    const his = await allowed(api, ben);
    const [hers, theirs] = [await grantsOf(anna), await grantsOf(ben)];
    assertEquals([hers.length, theirs.length], [1, 1]);
    const [{ id, createdAt: _c, expiresAt: _e, userId: _u, organizationId: _o, ...told }] = hers;
    assertMatch(String(id), /^oag_/);
    assertEquals(told, {
      clientId: mine.clientId,
      clientName: "Robot",
      scopes: ["tickets:read"],
      lastUsedAt: new Date(START).toISOString(),
    });
    const revoke = (visitor: Visitor, grantId: unknown) =>
      visitor.ask("/api/auth/client-grant/revoke", { grantId });
    assertEquals(outcome(await revoke(ben, id)), "NOT_FOUND");
    assertEquals(outcome(await mine.ask("tickets")), 200);
    assertEquals(outcome(await revoke(anna, id)), 200);
    assertEquals(outcome(await revoke(anna, id)), "NOT_FOUND");
    assertEquals(outcome(await mine.ask("tickets")), "AUTH_INVALID_TOKEN");
    assertEquals(outcome(await refreshed(api, mine.clientId, mine.refresh)), "invalid_grant");
    assertEquals(outcome(await his.ask("tickets")), 200);
    assertEquals(outcome(await api.ask("/api/auth/client-grant/list")), "AUTH_MISSING");
  }));

Deno.test("an organization's owner sees and ends what acts in it, whoever allowed it", () =>
  withOauthDesk(async ({ api, anna }) => {
    const ben = await colleague(api, "ben", "agent");
    const his = await allowed(api, ben);
    const cleo = await founder(api, "cleo", "globex");
    const hers = await allowed(api, cleo);
    const list = (visitor: Visitor) => visitor.ask("/api/auth/organization/list-client-grants");
    const { body } = await list(anna);
    const grants = Array.isArray(body["grants"]) ? body["grants"] : [];
    assertEquals(grants.map(({ clientId }) => clientId), [his.clientId]);
    assertEquals(outcome(await list(ben)), "ACCESS_ROLE_REQUIRED");
    const [{ id: elsewhere }] = await grantsOf(cleo);
    const revoke = (visitor: Visitor, grantId: unknown) =>
      visitor.ask("/api/auth/organization/revoke-client-grant", { grantId });
    assertEquals(outcome(await revoke(anna, elsewhere)), "NOT_FOUND");
    assertEquals(outcome(await revoke(ben, grants[0]?.id)), "ACCESS_ROLE_REQUIRED");
    assertEquals(outcome(await revoke(anna, grants[0]?.id)), 200);
    assertEquals(outcome(await his.ask("tickets")), "AUTH_INVALID_TOKEN");
    assertEquals(outcome(await hers.ask("tickets")), 200);
  }));

Deno.test("a client hears of what it may read and of nothing else, until what it was allowed is taken back", () =>
  withOauthDesk(async ({ api, anna, ticket, elapse }) => {
    const listening = async (scope: string) => {
      const { access } = await allowed(api, anna, { scope });
      const request = new Request(BASE_URL + EVENTS, {
        headers: { host: new URL(BASE_URL).host, authorization: `Bearer ${access}` },
      });
      return await listenerOf(await api.fetch(request, { clientIp: null }));
    };
    const [hearing, deaf] = [await listening("tickets:read"), await listening("customers:read")];
    const change = await api.ask(`tickets/${ticket}`, {
      method: "PATCH",
      body: { subject: "Ink" },
      headers: { cookie: anna.cookie, origin: BASE_URL },
    });
    assertEquals(change.status, 200, change.text);
    assertEquals(await hearing.brief(1), [`record.updated tickets ${ticket}`]);
    for (const { id } of await grantsOf(anna)) {
      await anna.ask("/api/auth/client-grant/revoke", { grantId: id });
    }
    elapse(2000);
    // The first that they hear after that is the end.
    for (const listener of [hearing, deaf]) {
      assertEquals((await listener.next()).data["reason"], "credentials");
    }
  }));

async function grantsOf(visitor: Visitor) {
  const { body } = await visitor.ask("/api/auth/client-grant/list");
  return Array.isArray(body["grants"]) ? body["grants"] : [];
}

Deno.test(`a code goes back to ${CALLBACK} alone`, () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api);
    const answer = await decided(api, anna, authorizePath(clientId));
    assertEquals([...answer.keys()].sort(), ["code", "iss", "state"]);
  }));
