/** Credentials in the wrong place, sent twice or against each other, on every kind of route (contract 5.1–5.3, 7.2). */
import { assertEquals, assertMatch } from "@std/assert";
import { admin, ORIGIN, type Visitor, withAccountsApi } from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, BASE_URL, tokenFor } from "../support/api.ts";

type Sent = Readonly<Record<string, string>>;

/** Two people of two organizations, and what each may show. */
interface Cast {
  readonly anna: Visitor;
  readonly ben: Visitor;
  readonly token: string;
  readonly key: string;
  readonly bensKey: string;
}

async function castOf(api: ApiUnderTest): Promise<Cast> {
  const [anna, ben] = [await admin(api, "anna", "acme"), await admin(api, "ben", "bolt")];
  const made = async (visitor: Visitor, path: string, name: string) =>
    String((await visitor.ask(path, {})).body[name]);
  return {
    anna,
    ben,
    token: await made(anna, "token", "token"),
    key: await made(anna, "/auth/v1/api-key/create", "key"),
    bensKey: await made(ben, "/auth/v1/api-key/create", "key"),
  };
}

const SESSION = "better-auth.session_token";
const valueIn = ({ cookie }: Visitor) => cookie.slice(SESSION.length + 1);
const bearer = (token: string): Sent => ({ authorization: `Bearer ${token}` });
const outcome = ({ status, body }: Answer) => `${status} ${body["code"] ?? "ok"}`;

const OK = "200 ok";
const MISSING = "401 AUTH_MISSING";
const INVALID = "401 AUTH_INVALID_TOKEN";

const ROWS: readonly (readonly [what: string, sent: (cast: Cast) => Sent, expected: string])[] = [
  ["a session", ({ anna }) => ({ cookie: anna.cookie }), OK],
  ["a token", ({ token }) => bearer(token), OK],
  ["a key", ({ key }) => ({ "x-api-key": key }), OK],
  ["the scheme in another case", ({ token }) => ({ authorization: `bEARER ${token}` }), OK],

  ["a token without its scheme", ({ token }) => ({ authorization: token }), INVALID],
  ["a token after Token", ({ token }) => ({ authorization: `Token ${token}` }), INVALID],
  ["a token after a tab", ({ token }) => ({ authorization: `Bearer\t${token}` }), INVALID],
  [
    "a token twice",
    ({ token }) => ({ authorization: `Bearer ${token}, Bearer ${token}` }),
    INVALID,
  ],
  [
    "a token with a parameter",
    ({ token }) => ({ authorization: `Bearer ${token}; realm="x"` }),
    INVALID,
  ],
  ["a token as a key", ({ token }) => ({ "x-api-key": token }), INVALID],
  ["a token as a session", ({ token }) => ({ cookie: `${SESSION}=${token}` }), INVALID],
  ["a token in another cookie", ({ token }) => ({ cookie: `token=${token}` }), MISSING],
  ["a token for a proxy", ({ token }) => ({ "proxy-authorization": `Bearer ${token}` }), MISSING],
  ["a token in a header of no meaning", ({ token }) => ({ "x-access-token": token }), MISSING],
  ["a key as a token", ({ key }) => bearer(key), INVALID],
  ["a key after its own scheme", ({ key }) => ({ authorization: `ApiKey ${key}` }), INVALID],
  ["a key as a password", ({ key }) => ({ authorization: `Basic ${btoa(`:${key}`)}` }), INVALID],
  ["a key twice", ({ key }) => ({ "x-api-key": `${key}, ${key}` }), INVALID],
  ["an empty key", () => ({ "x-api-key": "" }), INVALID],
  [
    "a session as a token",
    ({ anna }) => bearer(decodeURIComponent(valueIn(anna))),
    INVALID,
  ],
  [
    "a session's unsigned half",
    ({ anna }) => ({ cookie: `${SESSION}=${valueIn(anna).split(".")[0]}` }),
    INVALID,
  ],
  ["a session of https", ({ anna }) => ({ cookie: `__Secure-${anna.cookie}` }), INVALID],
  ["a session of another name", ({ anna }) => ({ cookie: `x-${anna.cookie}` }), MISSING],
  ["a name without a session", () => ({ cookie: SESSION }), MISSING],
  ["an empty session", () => ({ cookie: `${SESSION}=` }), INVALID],

  ["one session twice", ({ anna }) => ({ cookie: `${anna.cookie}; ${anna.cookie}` }), OK],
  ["two sessions", ({ anna, ben }) => ({ cookie: `${anna.cookie}; ${ben.cookie}` }), INVALID],
  ["a session, then nonsense", ({ anna }) => ({ cookie: `${anna.cookie}; ${SESSION}=x` }), INVALID],
  ["nonsense, then a session", ({ anna }) => ({ cookie: `${SESSION}=x; ${anna.cookie}` }), INVALID],
  ["a session, then none", ({ anna }) => ({ cookie: `${anna.cookie}; ${SESSION}=` }), INVALID],
  [
    "two sessions without a space",
    ({ anna, ben }) => ({ cookie: `${anna.cookie};${ben.cookie}` }),
    INVALID,
  ],

  ["a token and its session", ({ token, anna }) => ({ ...bearer(token), cookie: anna.cookie }), OK],
  ["a token and a foreign session", ({ token, ben }) => ({
    ...bearer(token),
    cookie: ben.cookie,
  }), INVALID],
  ["a token and a foreign key", ({ token, bensKey }) => ({
    ...bearer(token),
    "x-api-key": bensKey,
  }), INVALID],
  ["a key and a foreign session", ({ key, ben }) => ({
    "x-api-key": key,
    cookie: ben.cookie,
  }), INVALID],
  ["all three of one caller", ({ token, key, anna }) => ({
    ...bearer(token),
    "x-api-key": key,
    cookie: anna.cookie,
  }), OK],
  ["two of one caller and a foreign session", ({ token, key, ben }) => ({
    ...bearer(token),
    "x-api-key": key,
    cookie: ben.cookie,
  }), INVALID],
  ["a token and a session that is none", ({ token }) => ({
    ...bearer(token),
    cookie: `${SESSION}=x`,
  }), INVALID],
  ["a token and an empty key", ({ token }) => ({ ...bearer(token), "x-api-key": "" }), INVALID],
];

Deno.test("each credential counts in its own place, once, and against no other", async () => {
  await withAccountsApi(async (api) => {
    const cast = await castOf(api);
    for (const [what, sent, expected] of ROWS) {
      const answer = await api.ask("projects", { headers: sent(cast) });
      assertEquals(outcome(answer), expected, what);
    }
  });
});

Deno.test("a query holds no credential", async () => {
  await withAccountsApi(async (api) => {
    const { token, key } = await castOf(api);
    for (const query of [`access_token=${token}`, `token=${token}`, `api_key=${key}`]) {
      const answer = await api.ask(`projects?${query}`);
      assertEquals(outcome(answer), MISSING);
      assertEquals(answer.text.includes(token) || answer.text.includes(key), false);
    }
  });
});

Deno.test("two sessions are none on the account routes, and signing in ends the dispute", async () => {
  await withAccountsApi(async (api) => {
    const { anna, ben } = await castOf(api);
    const headers = { cookie: `${anna.cookie}; ${ben.cookie}`, ...ORIGIN };
    assertEquals((await api.ask("/auth/v1/get-session", { headers })).text, "null");
    const listed = await api.ask("/auth/v1/organization/list", { headers });
    assertEquals(listed.status, 401);
    const body = { email: "anna@example.com", password: "correct horse battery" };
    const again = await api.ask("/auth/v1/sign-in/email", { body, headers });
    assertEquals([again.status, again.headers.getSetCookie().length], [200, 1]);
  });
});

/** Everything that mints or keeps a secret of a user wants the user. Null: no body, GET. */
const SESSION_ROUTES: readonly (readonly [path: string, body: unknown])[] = [
  ["api-key/create", {}],
  ["api-key/list", null],
  ["list-sessions", null],
  ["revoke-sessions", {}],
  ["update-user", { name: "Eve" }],
  ["change-password", { currentPassword: "correct horse battery", newPassword: "another one" }],
  ["organization/create", { name: "Eve", slug: "eve" }],
  ["organization/list", null],
  ["admin/list-users", null],
];

Deno.test("account routes take neither a token nor a key", async () => {
  await withAccountsApi(async (api) => {
    const { token, key } = await castOf(api);
    for (const [path, body] of SESSION_ROUTES) {
      for (const sent of [bearer(token), { "x-api-key": key }, {}]) {
        const answer = await api.ask(`/auth/v1/${path}`, {
          headers: { ...sent, ...ORIGIN },
          ...(body === null ? {} : { body }),
        });
        assertEquals(answer.status, 401, `${path} ${answer.text}`);
        assertMatch(String(answer.body["code"]), /^[A-Z_]+$/, path);
      }
    }
  });
});

Deno.test("methods are what the request line says, whatever a header says", async () => {
  await withAccountsApi(async (api) => {
    const { anna } = await castOf(api);
    const created = await anna.ask("projects", { name: "Apollo" });
    for (const header of ["x-http-method-override", "x-http-method", "x-method-override"]) {
      const headers = { cookie: anna.cookie, origin: "https://evil.example", [header]: "DELETE" };
      const answer = await api.ask(`projects/${created.body["id"]}`, { headers });
      assertEquals(answer.body["name"], "Apollo");
    }
    assertEquals((await anna.ask("projects")).body["data"], [created.body]);
  });
});

Deno.test("whatever a token is refused for, the answer is the same", async () => {
  await withAccountsApi(async (api) => {
    const claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
    const good = await tokenFor(claims);
    const [header = "", payload = "", signature = ""] = good.split(".");
    const none = btoa('{"alg":"none"}').replaceAll("=", "");
    const tokens = [
      "x",
      "a.b.c",
      good.slice(0, -1),
      `${good}A`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${signature}.${payload}`,
      await tokenFor({ ...claims, sub: "" }),
      "x".repeat(7000),
      "x".repeat(20_000),
    ];
    const answers = await Promise.all(tokens.map(async (token) => {
      const { status, body, headers } = await api.ask("projects", { headers: bearer(token) });
      const challenge = headers.get("www-authenticate");
      return { status, body: { ...body, request: null }, challenge };
    }));
    for (const answer of answers) assertEquals(answer, answers[0]);
    assertEquals(answers[0]?.status, 401);
    assertEquals(
      answers[0]?.challenge?.includes(`${BASE_URL}/.well-known/oauth-protected-resource`),
      true,
    );
  });
});
