/** Wrong requests to the authorization server, on purpose: what is refused, how, and what it must not do (contract 5.1). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt, SignJWT } from "jose";
import { memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { founder, signedUp } from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, AUTH_SECRET, BASE_URL } from "../support/api.ts";
import {
  allowed,
  authorizePath,
  CALLBACK,
  CHALLENGE,
  colleague,
  decided,
  exchanged,
  fieldsOf,
  heard,
  type Parameters,
  refreshed,
  registered,
  sendForm,
  tokensIn,
  VERIFIER,
  withOauthDesk,
} from "../support/oauth.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const outcome = ({ status, body }: Answer) => body["code"] ?? body["error"] ?? status;

const execute = (api: ApiUnderTest, sql: string, ...args: string[]) =>
  api.database.write((transaction) => transaction.run({ sql, args }));

/** Changes of a good request, and the error that leads back to the client. */
const WRONG_REQUESTS: readonly (readonly [string, Parameters, string])[] = [
  ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
  ["a challenge without method", { code_challenge_method: undefined }, "invalid_request"],
  ["plain PKCE", { code_challenge: VERIFIER, code_challenge_method: "plain" }, "invalid_request"],
  ["a challenge that is none", { code_challenge: "short" }, "invalid_request"],
  ["another response type", { response_type: "token" }, "unsupported_response_type"],
  ["no response type", { response_type: undefined }, "unsupported_response_type"],
  ["an unknown scope", { scope: "tickets:read everything" }, "invalid_scope"],
  ["all of everything", { scope: "*:delete" }, "invalid_scope"],
  ["a scope of spaces", { scope: " " }, "invalid_scope"],
  ["a resource of somebody else", { resource: "https://other.example" }, "invalid_target"],
  ["a resource below ours", { resource: `${BASE_URL}/api` }, "invalid_target"],
  ["no page, without consent", { prompt: "none" }, "consent_required"],
];

Deno.test("a wrong request leads back to the client with its error and its state, and shows no page", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api);
    for (const [what, changes, error] of WRONG_REQUESTS) {
      const answer = await anna.ask(authorizePath(clientId, changes));
      assertEquals(answer.status, 302, what);
      const query = heard(answer);
      assertEquals([query.get("error"), query.get("state")], [error, "s t&ate"], what);
    }
    const nobody = await api.ask(authorizePath(clientId, { prompt: "none" }));
    assertEquals(heard(nobody).get("error"), "login_required");
  }));

Deno.test("a request that names no registered address leads nowhere", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api);
    const several = await registered(api, { redirect_uris: [CALLBACK, "https://b.example/cb"] });
    const path = authorizePath(clientId);
    for (
      const [what, wrong] of [
        ["another address", authorizePath(clientId, { redirect_uri: "https://evil.example/cb" })],
        ["another path", authorizePath(clientId, { redirect_uri: `${CALLBACK}/more` })],
        ["one of several", authorizePath(several, { redirect_uri: undefined })],
        ["an unknown client", authorizePath("oac_unknown")],
        ["no client", authorizePath("", { client_id: undefined })],
        ["two clients", `${path}&client_id=${several}`],
        ["two states", `${path}&state=2`],
        ["a long request", `${path}&state=${"x".repeat(20_000)}`],
      ] as const
    ) {
      const answer = await anna.ask(wrong);
      assertEquals([answer.status, answer.headers.get("location")], [400, null], what);
      assertStringIncludes(answer.text, "<h1>This request cannot be answered</h1>");
      assert(!answer.text.includes("evil.example"), what);
      assertStringIncludes(
        answer.headers.get("content-security-policy") ?? "",
        "frame-ancestors 'none'",
      );
    }
  }));

Deno.test("a page of another origin cannot press the button", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api);
    const page = await anna.ask(authorizePath(clientId));
    const form = [...fieldsOf(page.text), ["decision", "allow"]] as const;
    const { cookie } = anna;
    for (
      const from of [
        { origin: "https://evil.example" },
        { origin: "null" },
        // Trusted by the API in development, and no page of this server.
        { origin: "http://localhost:5173" },
        { referer: "https://evil.example/page" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
      ]
    ) {
      const answer = await sendForm(api, "/oauth/consent", form, { cookie, ...from });
      assertEquals(outcome(answer), "ORIGIN_FORBIDDEN", JSON.stringify(from));
      const signIn = await sendForm(api, "/oauth/sign-in", { request: "" }, { ...from });
      assertEquals(outcome(signIn), "ORIGIN_FORBIDDEN", JSON.stringify(from));
    }
    assertEquals((await api.database.run(GRANTS)).rows, [[0]]);
  }));

const GRANTS = { sql: "SELECT count(*) FROM auth_oauth_grant", args: [] };

Deno.test("the button counts for the one who saw the page, for ten minutes", () =>
  withOauthDesk(async ({ api, anna }) => {
    const ben = await colleague(api, "ben", "admin");
    const clientId = await registered(api);
    const page = await anna.ask(authorizePath(clientId));
    const fields = fieldsOf(page.text);
    const press = (cookie: string, changed: Parameters = {}) =>
      sendForm(api, "/oauth/consent", {
        ...Object.fromEntries(fields),
        decision: "allow",
        ...changed,
      }, { cookie, origin: BASE_URL });
    const ticket = Object.fromEntries(fields)["ticket"] ?? "";
    const [head = "", body = "", signature = ""] = ticket.split(".");
    assertEquals((await press(ben.cookie)).status, 400);
    assertEquals((await press(anna.cookie, { ticket: undefined })).status, 400);
    assertEquals(
      (await press(anna.cookie, { ticket: `${head}.${body}.x${signature}` })).status,
      400,
    );
    const other = await new SignJWT(decodeJwt(ticket))
      .setProtectedHeader({ alg: "HS256", typ: "quickback-consent" }).sign(AUTH_SECRET);
    assertEquals((await press(anna.cookie, { ticket: other })).status, 400);
    assertEquals(outcome(await press("")), "AUTH_MISSING");
    assertEquals((await press(anna.cookie, { organization: "elsewhere" })).status, 400);
    api.pass(10 * MINUTE + 1000);
    assertEquals((await press(anna.cookie)).status, 400);
    assertEquals((await api.database.run(GRANTS)).rows, [[0]]);
  }));

Deno.test("a ticket is no token, and a token is no ticket", () =>
  withOauthDesk(async ({ api, anna }) => {
    const { clientId, access } = await allowed(api, anna);
    const page = await anna.ask(authorizePath(clientId));
    const fields = Object.fromEntries(fieldsOf(page.text));
    const headers = { authorization: `Bearer ${fields["ticket"]}` };
    assertEquals(outcome(await api.ask("tickets", { headers })), "AUTH_INVALID_TOKEN");
    const pressed = await sendForm(api, "/oauth/consent", {
      ...fields,
      ticket: access,
      decision: "allow",
    }, { cookie: anna.cookie, origin: BASE_URL });
    assertEquals(pressed.status, 400);
  }));

Deno.test("a code is good once, for its client, address and verifier, for ten minutes", () =>
  withOauthDesk(async ({ api, anna }) => {
    const [clientId, other] = [await registered(api), await registered(api)];
    const code = async () => (await decided(api, anna, authorizePath(clientId))).get("code") ?? "";
    const rows: readonly (readonly [string, Parameters, string])[] = [
      ["no verifier", { code_verifier: undefined }, "invalid_grant"],
      ["a wrong verifier", { code_verifier: VERIFIER.toLowerCase() }, "invalid_grant"],
      ["the challenge itself", { code_verifier: CHALLENGE }, "invalid_grant"],
      ["a short verifier", { code_verifier: "short" }, "invalid_grant"],
      ["another address", { redirect_uri: "http://127.0.0.1:3998/callback" }, "invalid_grant"],
      ["no address", { redirect_uri: undefined }, "invalid_grant"],
      ["another client", { client_id: other }, "invalid_grant"],
      ["no client", { client_id: undefined }, "invalid_request"],
      ["no code", { code: undefined }, "invalid_request"],
      ["no grant type", { grant_type: undefined }, "invalid_request"],
      ["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
      ["client credentials", { grant_type: "client_credentials" }, "unsupported_grant_type"],
      ["a code as a refresh token", { grant_type: "refresh_token" }, "invalid_request"],
      ["more scope", { scope: "*:read tickets:delete" }, "invalid_scope"],
      ["another resource", { resource: "https://other.example" }, "invalid_target"],
    ];
    for (const [what, changes, error] of rows) {
      const answer = await exchanged(api, clientId, await code(), changes);
      assertEquals([answer.status, answer.body["error"]], [400, error], what);
      assertEquals(Object.keys(answer.body).sort(), ["error", "error_description"], what);
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
    const late = await code();
    api.pass(10 * MINUTE);
    assertEquals(outcome(await exchanged(api, clientId, late)), "invalid_grant");
  }));

Deno.test("a code that is shown a second time ends what was given for it", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api);
    const code = (await decided(api, anna, authorizePath(clientId))).get("code") ?? "";
    const tokens = tokensIn(await exchanged(api, clientId, code));
    const headers = { authorization: `Bearer ${tokens.access}` };
    assertEquals(outcome(await api.ask("tickets", { headers })), 200);
    assertEquals(outcome(await exchanged(api, clientId, code)), "invalid_grant");
    assertEquals(outcome(await api.ask("tickets", { headers })), "AUTH_INVALID_TOKEN");
    assertEquals(outcome(await refreshed(api, clientId, tokens.refresh)), "invalid_grant");
  }));

Deno.test("refreshing gives no more than was allowed, to nobody else, and not for ever", () =>
  withOauthDesk(async ({ api, anna, ticket }) => {
    const { clientId, refresh } = await allowed(api, anna, {
      scope: "tickets:read tickets:update",
    });
    const other = await registered(api);
    assertEquals(
      outcome(await refreshed(api, clientId, refresh, { scope: "tickets:read tickets:delete" })),
      "invalid_scope",
    );
    assertEquals(outcome(await refreshed(api, other, refresh)), "invalid_grant");
    assertEquals(outcome(await refreshed(api, clientId, `${refresh}x`)), "invalid_grant");
    // None of that has used it up.
    const less = tokensIn(await refreshed(api, clientId, refresh, { scope: "tickets:read" }));
    const headers = { authorization: `Bearer ${less.access}` };
    const change = { method: "PATCH", body: { subject: "x" }, headers };
    assertEquals(outcome(await api.ask(`tickets/${ticket}`, change)), "ACCESS_ROLE_REQUIRED");
    const whole = tokensIn(await refreshed(api, clientId, less.refresh));
    assertEquals(whole.scope, "tickets:read tickets:update");
    api.pass(30 * DAY);
    assertEquals(outcome(await refreshed(api, clientId, whole.refresh)), "invalid_grant");
  }));

Deno.test("an access token ends after 15 minutes", () =>
  withOauthDesk(async ({ api, anna }) => {
    const { ask } = await allowed(api, anna);
    api.pass(15 * MINUTE - 1000);
    assertEquals(outcome(await ask("tickets")), 200);
    api.pass(1000);
    assertEquals(outcome(await ask("tickets")), "AUTH_EXPIRED");
  }));

Deno.test("a client may what its user may at the time of the call", () =>
  withOauthDesk(async ({ api, ticket }) => {
    const ben = await colleague(api, "ben", "admin");
    const { ask, clientId, refresh } = await allowed(api, ben, {
      scope: "tickets:read tickets:delete",
    });
    const removal = () => ask(`tickets/${ticket}`, { method: "DELETE" });
    const mine = "WHERE user_id IN (SELECT id FROM auth_user WHERE name = 'ben')";
    await execute(api, `UPDATE auth_member SET role = 'agent' ${mine}`);
    assertEquals(outcome(await removal()), "ACCESS_ROLE_REQUIRED");
    assertEquals(outcome(await ask("tickets")), 200);
    await execute(api, `UPDATE auth_member SET role = 'admin' ${mine}`);
    assertEquals(outcome(await removal()), 200);
    await execute(api, `DELETE FROM auth_member ${mine}`);
    assertEquals(outcome(await ask("tickets")), "AUTH_INVALID_TOKEN");
    assertEquals(outcome(await refreshed(api, clientId, refresh)), "invalid_grant");
  }));

Deno.test("a client of somebody who is banned, or gone, is nobody", () =>
  withOauthDesk(async ({ api }) => {
    for (
      const end of [
        "UPDATE auth_user SET banned = 1 WHERE name = ?",
        "DELETE FROM auth_user WHERE name = ?",
      ]
    ) {
      const name = end.startsWith("UPDATE") ? "ben" : "cleo";
      const { ask, clientId, refresh } = await allowed(api, await colleague(api, name, "admin"));
      assertEquals(outcome(await ask("tickets")), 200);
      await execute(api, end, name);
      assertEquals(outcome(await ask("tickets")), "AUTH_INVALID_TOKEN", end);
      assertEquals(outcome(await refreshed(api, clientId, refresh)), "invalid_grant", end);
    }
  }));

Deno.test("a client ends its own grant by either token, and nobody else's", () =>
  withOauthDesk(async ({ api, anna }) => {
    for (const kind of ["access", "refresh"] as const) {
      const client = await allowed(api, anna);
      const { clientId, ask } = client;
      const revoke = (client_id: string | undefined, token: string | undefined) =>
        sendForm(api, "/oauth/revoke", { client_id, token });
      assertEquals(outcome(await revoke(await registered(api), client[kind])), "invalid_client");
      assertEquals(outcome(await revoke(undefined, client[kind])), "invalid_request");
      assertEquals(outcome(await revoke(clientId, undefined)), "invalid_request");
      assertEquals(outcome(await revoke(clientId, "nonsense")), 200);
      assertEquals(outcome(await ask("tickets")), 200);
      assertEquals(outcome(await revoke(clientId, client[kind])), 200);
      assertEquals(outcome(await ask("tickets")), "AUTH_INVALID_TOKEN");
      assertEquals(outcome(await refreshed(api, clientId, client.refresh)), "invalid_grant");
    }
  }));

Deno.test("only public clients with addresses of https or of this machine are registered", () =>
  withOauthDesk(async ({ api }) => {
    const rows: readonly (readonly [unknown, string])[] = [
      [{}, "invalid_redirect_uri"],
      [{ redirect_uris: [] }, "invalid_redirect_uri"],
      [{ redirect_uris: "https://a.example" }, "invalid_redirect_uri"],
      [{ redirect_uris: ["https://a.example", 1] }, "invalid_redirect_uri"],
      [{ redirect_uris: Array(11).fill(CALLBACK) }, "invalid_redirect_uri"],
      ...[
        "http://a.example/cb",
        "http://192.168.0.1/cb",
        "http://localhost.a.example/cb",
        "https://a.example/cb#here",
        "https://user:pass@a.example/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "app.example:/cb",
        "https:a.example",
        "https://a.example\\@b.example/",
        "https://a.example/\n",
        "*",
      ].map((
        uri,
      ): readonly [unknown, string] => [{ redirect_uris: [uri] }, "invalid_redirect_uri"]),
      [{ redirect_uris: [CALLBACK], client_name: 1 }, "invalid_client_metadata"],
      [{ redirect_uris: [CALLBACK], client_name: "x".repeat(101) }, "invalid_client_metadata"],
      [{ redirect_uris: [CALLBACK], client_name: "a\u202Eb" }, "invalid_client_metadata"],
      [{ redirect_uris: [CALLBACK], client_name: " " }, "invalid_client_metadata"],
      [
        { redirect_uris: [CALLBACK], grant_types: ["client_credentials"] },
        "invalid_client_metadata",
      ],
      [{ redirect_uris: [CALLBACK], response_types: ["token"] }, "invalid_client_metadata"],
    ];
    for (const [body, error] of rows) {
      const answer = await api.ask("/oauth/register", { body });
      assertEquals([answer.status, answer.body["error"]], [400, error], JSON.stringify(body));
    }
    const { body } = await api.ask("/oauth/register", {
      body: { redirect_uris: [CALLBACK], token_endpoint_auth_method: "client_secret_basic" },
    });
    assertEquals([body["token_endpoint_auth_method"], body["client_secret"]], ["none", undefined]);
  }));

Deno.test("an address registers 20 clients in an hour, and others are not held up by it", () =>
  withOauthDesk(async ({ api }) => {
    const register = (clientIp: string) =>
      api.ask("/oauth/register", { clientIp, body: { redirect_uris: [CALLBACK] } });
    for (let at = 0; at < 20; at++) assertEquals((await register("192.0.2.1")).status, 201);
    assertEquals(outcome(await register("192.0.2.1")), "RATE_LIMITED");
    assertEquals((await register("192.0.2.2")).status, 201);
    api.pass(60 * MINUTE + 1);
    assertEquals((await register("192.0.2.1")).status, 201);
  }));

Deno.test("a client that nobody uses is gone after 30 days; one with a grant is not", () =>
  withOauthDesk(async ({ api, anna }) => {
    const [unused, used] = [await registered(api), await allowed(api, anna)];
    api.pass(29 * DAY);
    const { refresh } = tokensIn(await refreshed(api, used.clientId, used.refresh));
    api.pass(2 * DAY);
    assertEquals((await anna.ask(authorizePath(unused))).status, 400);
    assertEquals((await anna.ask(authorizePath(used.clientId))).status, 200);
    await registered(api);
    const ids = await api.database.run({ sql: "SELECT id FROM auth_oauth_client", args: [] });
    assertEquals(ids.rows.flat().includes(unused), false);
    assertEquals(ids.rows.flat().includes(used.clientId), true);
    tokensIn(await refreshed(api, used.clientId, refresh));
  }));

Deno.test("forms alone are taken where the protocol has forms", () =>
  withOauthDesk(async ({ api, anna }) => {
    const body = { grant_type: "authorization_code" };
    for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/sign-in"]) {
      assertEquals(outcome(await api.ask(path, { body })), "UNSUPPORTED_MEDIA_TYPE", path);
    }
    const { clientId, refresh } = await allowed(api, anna);
    const twice = await sendForm(api, "/oauth/token", [
      ["grant_type", "refresh_token"],
      ["client_id", clientId],
      ["refresh_token", refresh],
      ["refresh_token", refresh],
    ]);
    assertEquals(outcome(twice), "invalid_request");
    assertEquals(outcome(await api.ask("/oauth/token")), "METHOD_NOT_ALLOWED");
  }));

Deno.test("a token of a client reaches nothing of the account, and begets no other", () =>
  withOauthDesk(async ({ api, anna }) => {
    const everything = "*:read tickets:read tickets:create tickets:update tickets:delete";
    const { ask } = await allowed(api, anna, { scope: everything });
    const rows: readonly (readonly [string, unknown])[] = [
      ["token", {}],
      ["token/scope", { scope: "kiosk" }],
      ["/api/auth/api-key/create", {}],
      ["/api/auth/change-password", { currentPassword: "x", newPassword: "correct horse" }],
      ["/api/auth/organization/create", { name: "b", slug: "b" }],
      ["/api/auth/update-user", { name: "x" }],
      ["/api/auth/revoke-sessions", {}],
    ];
    for (const [path, body] of rows) {
      const answer = await ask(path, { body });
      assertEquals(answer.status, 401, `${path} ${answer.text}`);
    }
    for (const path of ["/api/auth/list-sessions", "/api/auth/api-key/list"]) {
      assertEquals((await ask(path)).status, 401, path);
    }
    const session = await ask("/api/auth/get-session");
    assertEquals(session.text, "null");
  }));

Deno.test("what a client's token says beside its grant counts for nothing", () =>
  withOauthDesk(async ({ api, anna }) => {
    const { access } = await allowed(api, anna, { scope: "tickets:read" });
    const { jti: _, ...claims } = decodeJwt(access);
    const signed = async (changes: Record<string, unknown>) => {
      const token = await new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(AUTH_SECRET);
      return { headers: { authorization: `Bearer ${token}` } };
    };
    const rows: readonly (readonly [Record<string, unknown>, string, unknown])[] = [
      [{}, "tickets", 200],
      [{ scope: "*:read customers:read" }, "customers", "ACCESS_ROLE_REQUIRED"],
      [{ scope: "constructor:read __proto__:read" }, "tickets", "ACCESS_ROLE_REQUIRED"],
      [{ roles: ["owner"] }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ userRole: "sysadmin" }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ orgId: "other" }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ scope: undefined }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ grant_id: undefined }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ grant_id: "oag_other" }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ client_id: "oac_other" }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ client_id: 1 }, "tickets", "AUTH_INVALID_TOKEN"],
      // Without a client it would be a scope token, or a user's own.
      [{ client_id: undefined }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ sub: "somebody" }, "tickets", "AUTH_INVALID_TOKEN"],
      [{ aud: "https://other.example" }, "tickets", "AUTH_INVALID_TOKEN"],
    ];
    for (const [changes, path, expected] of rows) {
      const answer = await api.ask(path, await signed(changes));
      assertEquals(outcome(answer), expected, JSON.stringify(changes));
    }
  }));

Deno.test("a token for /mcp is good there, and nowhere else", () =>
  withOauthDesk(async ({ api, anna }) => {
    const { access, ask, clientId, refresh } = await allowed(api, anna, {
      resource: `${BASE_URL}/mcp`,
    });
    assertEquals(decodeJwt(access).aud, `${BASE_URL}/mcp`);
    assertEquals(outcome(await ask("tickets")), "AUTH_INVALID_TOKEN");
    const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    assertEquals((await ask("/mcp", { body: listing })).status, 200);
    const wider = await refreshed(api, clientId, refresh, { resource: BASE_URL });
    assertEquals(outcome(wider), "invalid_target");
    const whole = await allowed(api, anna, { resource: `${BASE_URL}/` });
    assertEquals(outcome(await whole.ask("tickets")), 200);
    assertEquals((await whole.ask("/mcp", { body: listing })).status, 200);
    const narrowed = tokensIn(
      await refreshed(api, whole.clientId, whole.refresh, { resource: `${BASE_URL}/mcp` }),
    );
    const headers = { authorization: `Bearer ${narrowed.access}` };
    assertEquals(outcome(await api.ask("tickets", { headers })), "AUTH_INVALID_TOKEN");
  }));

Deno.test("ten wrong passwords on the page lock the account there, too", () =>
  withOauthDesk(async ({ api }) => {
    const clientId = await registered(api);
    const page = await api.ask(authorizePath(clientId));
    const { request } = Object.fromEntries(fieldsOf(page.text));
    const attempt = (password: string) =>
      sendForm(api, "/oauth/sign-in", { request, email: "anna@example.com", password }, {
        origin: BASE_URL,
      });
    for (let at = 0; at < 10; at++) {
      assertStringIncludes((await attempt("wrong horse battery")).text, "is wrong");
    }
    const locked = await attempt("correct horse battery");
    assertEquals(locked.status, 400);
    assertStringIncludes(locked.text, "Too many attempts");
    assertEquals(locked.headers.getSetCookie(), []);
  }, { limiter: memoryRateLimiter({ clock: systemClock }) }));

Deno.test("somebody in several organizations chooses one, and the client acts in no other", () =>
  withOauthDesk(async ({ api, anna }) => {
    const other = await founder(api, "cleo", "globex");
    const globex = await other.ask("customers", { name: "Gus", email: "gus@example.com" });
    assertEquals(globex.status, 201, globex.text);
    await execute(
      api,
      "INSERT INTO auth_member (id, organization_id, user_id, role, created_at) " +
        "SELECT 'second', o.id, u.id, 'agent', '2026-01-01T00:00:00.000Z' " +
        "FROM auth_organization o, auth_user u WHERE o.slug = 'globex' AND u.name = 'anna'",
    );
    const clientId = await registered(api);
    const path = authorizePath(clientId);
    const page = await anna.ask(path);
    const radios = [...page.text.matchAll(/type="radio" name="organization" value="([^"]*)"/g)];
    assertEquals(radios.length, 2, page.text);
    assertMatch(page.text, /<legend>In which organization\?<\/legend>/);
    for (const [, id = ""] of radios) {
      const answer = await decided(api, anna, path, "allow", (fields) => [
        ...fields.filter(([name]) => name !== "organization"),
        ["organization", id],
      ]);
      const tokens = tokensIn(await exchanged(api, clientId, answer.get("code") ?? ""));
      const headers = { authorization: `Bearer ${tokens.access}` };
      const { body } = await api.ask("customers", { headers });
      const rows = Array.isArray(body["data"]) ? body["data"] : [];
      assertEquals(rows.map(({ organizationId }) => organizationId), [id]);
    }
  }));

Deno.test("who acts as somebody else lets no client act for them", () =>
  withOauthDesk(async ({ api, anna }) => {
    const clientId = await registered(api);
    const root = await signedUp(api, "root");
    const page = await anna.ask(authorizePath(clientId));
    const user = await api.database.run({
      sql: "SELECT id FROM auth_user WHERE name = 'anna'",
      args: [],
    });
    const userId = String(user.rows[0]?.[0]);
    const begun = await root.ask("/api/auth/admin/impersonate-user", { userId });
    assertEquals(begun.status, 200, begun.text);
    const pairs = begun.headers.getSetCookie().map((line) => (line.split(";")[0] ?? "").split("="));
    const set = new Map(pairs.map(([name = "", ...value]) => [name, value.join("=")]));
    const cookie = [...set].map(([name, value]) => `${name}=${value}`).join("; ");
    const shown = await api.ask(authorizePath(clientId), { headers: { cookie } });
    assertEquals(shown.status, 200, shown.text);
    assertStringIncludes(shown.text, "Sign in to");
    assertEquals(shown.text.includes("ticket"), false);
    const pressed = await sendForm(api, "/oauth/consent", {
      ...Object.fromEntries(fieldsOf(page.text)),
      decision: "allow",
    }, { cookie, origin: BASE_URL });
    assertEquals([pressed.status, pressed.headers.get("location")], [400, null], pressed.text);
    assertStringIncludes(pressed.text, "You act as somebody else");
    assertEquals((await api.database.run(GRANTS)).rows, [[0]]);
  }, { sysadminEmails: ["root@example.com"], impersonation: true }));

Deno.test("somebody in no organization lets a client act in none", () =>
  withOauthDesk(async ({ api }) => {
    const loner = await signedUp(api, "loner");
    const { ask } = await allowed(api, loner);
    assertEquals(outcome(await ask("tickets")), "ACCESS_NO_ORG");
  }));
