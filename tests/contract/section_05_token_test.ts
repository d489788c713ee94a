/** `POST /api/v1/token`: tokens for sessions, and for sessions only (contract 5.3, definitions 7). */
import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { ANONYMOUS } from "../../shared/model/principal.ts";
import type { JwtModel } from "../../shared/model/auth.ts";
import { createTokenVerifier } from "../../shared/runtime/layers/1-authentication/bearer_token.ts";
import type { TokenGrant } from "../../shared/runtime/layers/1-authentication/token_mint.ts";
import { createApp } from "../../shared/runtime/mod.ts";
import {
  type AccountsUnderTest,
  AUTH_SECRET,
  type Browser,
  withAccounts,
} from "../support/accounts.ts";
import { project } from "../support/sample_project.ts";

const NOW = 1_800_000_000;
const clock = { now: () => NOW * 1000 };
const random = { bytes: (length: number) => new Uint8Array(length).fill(0xab) };
const JWT: JwtModel = {
  expiresIn: 900,
  issuer: null,
  audience: null,
  algorithm: "HS256",
  revocationCheck: false,
};

/** What the endpoint answers to a request with these headers and this body. */
async function asked(
  { accounts, baseUrl, database }: AccountsUnderTest,
  headers: Headers,
  { body, jwt = JWT }: { body?: unknown; jwt?: JwtModel } = {},
): Promise<TokenGrant | string> {
  const app = createApp(
    { ...project, auth: { ...project.auth, jwt } },
    { accounts, clock, database, limiter: null, logger: { log: () => {} }, random },
    {
      baseUrl,
      authSecret: AUTH_SECRET,
      production: false,
      exposeErrorStack: false,
      allowedHosts: null,
    },
    { openapi: null },
  );
  const sent = new Headers(headers);
  sent.set("host", "localhost:8000");
  sent.set("origin", baseUrl);
  if (body !== undefined) sent.set("content-type", "application/json");
  const request = new Request(`${baseUrl}/api/v1/token`, {
    method: "POST",
    headers: sent,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await app.fetch(request, { clientIp: null });
  const told = await answer.json();
  return answer.ok ? told : told.code;
}

async function granted(
  underTest: AccountsUnderTest,
  browser: Browser,
  options?: Parameters<typeof asked>[2],
): Promise<TokenGrant> {
  const answer = await asked(underTest, browser.headers, options);
  if (typeof answer === "string") throw new Error(`Expected a token, got ${answer}`);
  return answer;
}

const verified = ({ baseUrl }: AccountsUnderTest, { token }: TokenGrant, jwt = JWT) =>
  createTokenVerifier({ jwt, settings: { baseUrl, authSecret: AUTH_SECRET }, clock })(token);

async function organizationOf(browser: Browser, slug: string): Promise<string> {
  return String((await browser.expect(200, "/organization/create", { name: slug, slug }))["id"]);
}

Deno.test("a session gets a token that is its principal for fifteen minutes", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const acme = await organizationOf(anna, "acme");
    const grant = await granted(underTest, anna);
    const session = await underTest.accounts.session(anna.headers);
    assertEquals([grant.tokenType, grant.expiresIn], ["Bearer", 900]);
    assertEquals(grant.expiresAt, new Date((NOW + 900) * 1000).toISOString());
    assertEquals(decodeProtectedHeader(grant.token), { alg: "HS256", typ: "JWT" });
    assertEquals(decodeJwt(grant.token), {
      sub: session?.userId ?? "",
      orgId: acme,
      roles: ["owner"],
      iat: NOW,
      exp: NOW + 900,
      iss: underTest.baseUrl,
      aud: underTest.baseUrl,
      jti: "ab".repeat(16),
    });
    assertEquals(await verified(underTest, grant), {
      kind: "principal",
      principal: { ...(session ?? ANONYMOUS), credential: "token" },
    });
  });
});

Deno.test("a body may name another of the caller's organizations, and no foreign one", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const acme = await organizationOf(anna, "acme");
    await organizationOf(anna, "bolt");
    const grant = await granted(underTest, anna, { body: { organizationId: acme } });
    assertEquals(decodeJwt(grant.token)["orgId"], acme);
    const foreign = await organizationOf(await underTest.signedUp("ben"), "core");
    for (const organizationId of [foreign, "missing", "' OR 1=1 --"]) {
      const answer = await asked(underTest, anna.headers, { body: { organizationId } });
      assertEquals(answer, "FIREWALL_ORG_ISOLATION");
    }
  });
});

Deno.test("an empty body is as good as none, any other is read strictly", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await granted(underTest, anna, { body: {} });
    const bodies = [[], { organizationId: 1 }, { organizationId: "" }, { organizationId: null }, {
      orgId: "x",
    }];
    for (const body of bodies) {
      assertEquals(await asked(underTest, anna.headers, { body }), "VALIDATION_ERROR");
    }
  });
});

Deno.test("no other credential gets a token, whether it is good or not", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const { token } = await granted(underTest, anna);
    const cookie = anna.headers.get("cookie") ?? "";
    const table: readonly (readonly [Record<string, string>, string])[] = [
      [{}, "AUTH_MISSING"],
      [{ cookie: "other=1" }, "AUTH_MISSING"],
      [{ authorization: `Bearer ${token}` }, "AUTH_SESSION_REQUIRED"],
      [{ authorization: `Bearer ${token}`, cookie }, "AUTH_SESSION_REQUIRED"],
      [{ authorization: "Bearer opaque-oauth-token" }, "AUTH_SESSION_REQUIRED"],
      [{ authorization: "Basic YTpi" }, "AUTH_SESSION_REQUIRED"],
      [{ "x-api-key": "key" }, "AUTH_SESSION_REQUIRED"],
      [{ "x-api-key": "key", cookie }, "AUTH_SESSION_REQUIRED"],
      [{ cookie: cookie.replace(/\.[^.]*$/, ".AAAA") }, "AUTH_INVALID_TOKEN"],
    ];
    for (const [headers, expected] of table) {
      assertEquals(await asked(underTest, new Headers(headers)), expected, JSON.stringify(headers));
    }
  });
});

Deno.test("a token outlives neither a day nor what the project says", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const short = { ...JWT, expiresIn: 60 };
    assertEquals((await granted(underTest, anna, { jwt: short })).expiresIn, 60);
    const long = { ...JWT, expiresIn: 10_000_000 };
    const grant = await granted(underTest, anna, { jwt: long });
    assertEquals(grant.expiresIn, 86_400);
    assertEquals((await verified(underTest, grant, long)).kind, "principal");
  });
});

Deno.test("an EdDSA project's tokens name their key", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const jwt: JwtModel = { ...JWT, algorithm: "EdDSA" };
    const grant = await granted(underTest, anna, { jwt });
    assertMatch(String(decodeProtectedHeader(grant.token).kid), /^[A-Za-z0-9_-]{43}$/);
    assertEquals((await verified(underTest, grant, jwt)).kind, "principal");
    assertEquals((await verified(underTest, grant)).kind, "refused");
  });
});
