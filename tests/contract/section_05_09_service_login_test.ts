/** Signing a terminal in at the build service (RFC 8628; contract 5.9, definitions 7): no database needed to verify it. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { SignJWT } from "jose";
import { DatabaseSync } from "node:sqlite";
import { openAccounts } from "../../container/accounts/open_accounts.ts";
import { createEdge } from "../../edge/edge_service.ts";
import { deviceLogin, type LoginPorts } from "../../cli/device_login.ts";
import { createService, type Sessions, signSession } from "../../shared/service/mod.ts";
import { json, KEY, projectBody, testPorts } from "../support/build_service.ts";

const ORIGIN = "https://build.test";
const BODY = await projectBody();
const SECRET = new TextEncoder().encode("a secret of the tests that is long enough");
const DAY_MS = 24 * 60 * 60 * 1000;

Deno.test("a terminal shows a code, a person lets it in, and every edge knows the token", () =>
  withService(async ({ fetch, sessions }) => {
    const said: string[] = [];
    const login = await deviceLogin(ORIGIN, {
      ...portsOf(fetch, said),
      wait: async () => {
        const page = await decide(fetch, {
          user_code: codeIn(said),
          decision: "approve",
          key: KEY,
        });
        assertMatch(await page.text(), /signed in/);
      },
    });
    assertEquals(await compileStatus(edgeWith(sessions), login.token), 200);
    assertEquals(await compileStatus(fetch, login.token), 200);
    const late: Sessions = { secret: SECRET, now: () => Date.now() + DAY_MS + 1000 };
    assertEquals(await refusalOf(edgeWith(late), login.token), [401, "AUTH_EXPIRED"]);
    const other = {
      ...sessions,
      secret: new TextEncoder().encode("another secret, as long as that one"),
    };
    assertEquals(await refusalOf(edgeWith(other), login.token), [401, "AUTH_INVALID_TOKEN"]);
    assertEquals(await refusalOf(edgeWith(null), login.token), [401, "AUTH_INVALID_TOKEN"]);
  }));

Deno.test("an account that is there signs in without a key; nobody makes one without", () =>
  withService(async ({ fetch }) => {
    const code = async () => (await json(await requestCode(fetch))).user_code;
    const stranger = await decide(fetch, {
      user_code: await code(),
      decision: "approve",
      key: "wrong",
    });
    assertEquals(stranger.status, 403);
    assertEquals(
      (await decide(fetch, { user_code: await code(), decision: "approve" })).status,
      403,
    );
    assertEquals(
      (await decide(fetch, { user_code: await code(), decision: "approve", key: KEY })).status,
      200,
    );
    assertEquals(
      (await decide(fetch, { user_code: await code(), decision: "approve" })).status,
      200,
    );
  }));

Deno.test("accounts are a file that nobody else on the machine reads", () =>
  withService(async ({ file }) => {
    assertEquals(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("a terminal that is refused, or too late, is told so", () =>
  withService(async ({ fetch, file }) => {
    const refused: string[] = [];
    await assertRejects(
      () =>
        deviceLogin(ORIGIN, {
          ...portsOf(fetch, refused),
          wait: async () => {
            await decide(fetch, { user_code: codeIn(refused), decision: "deny", key: KEY });
          },
        }),
      Error,
      "Signing in was refused",
    );
    await assertRejects(
      () =>
        deviceLogin(ORIGIN, {
          ...portsOf(fetch, []),
          wait: () => {
            using database = new DatabaseSync(file);
            database.exec("UPDATE deviceCode SET expiresAt = '2020-01-01T00:00:00.000Z'");
            return Promise.resolve();
          },
        }),
      Error,
      "The code is over",
    );
  }));

Deno.test("a terminal shows no control character that a service puts into its code or address", async () => {
  const hostile = "\u001b[2J\u202e\nSigned in";
  const said: string[] = [];
  await assertRejects(() =>
    deviceLogin(ORIGIN, {
      ...portsOf(() =>
        Promise.resolve(Response.json({
          device_code: "d",
          user_code: hostile,
          verification_uri: `${ORIGIN}/${hostile}`,
          expires_in: 900,
          interval: 5,
          error: hostile,
        })), said),
      wait: () => Promise.reject(new Error("shown")),
    })
  );
  assertEquals(said.length, 1);
  assertEquals(said.join().match(/[\p{Cc}\p{Cf}]/gu), null);
});

Deno.test("a terminal that asks too often waits longer", async () => {
  const waited: number[] = [];
  const answers = [
    { error: "authorization_pending" },
    { error: "slow_down" },
    { access_token: "token", expires_in: 60 },
  ];
  const login = await deviceLogin(ORIGIN, {
    fetch: (url) => {
      if (url.endsWith("/code")) {
        return Promise.resolve(Response.json({
          device_code: "d",
          user_code: "ABCDEFGH",
          verification_uri: `${ORIGIN}/device`,
          expires_in: 900,
          interval: 5,
        }));
      }
      const answer = answers.shift() ?? {};
      return Promise.resolve(Response.json(answer, { status: "error" in answer ? 400 : 200 }));
    },
    wait: (seconds) => Promise.resolve(void waited.push(seconds)),
    now: () => 1000,
    say: () => {},
  });
  assertEquals(login, { token: "token", expiresAt: 61_000 });
  assertEquals(waited, [5, 5, 10]);
});

Deno.test("a code gives one token, and none before somebody has decided", () =>
  withService(async ({ fetch }) => {
    const early = await json(await requestCode(fetch));
    assertEquals((await pollOnce(fetch, early.device_code)).error, "authorization_pending");
    assertEquals((await pollOnce(fetch, early.device_code)).error, "slow_down");
    const { device_code, user_code } = await json(await requestCode(fetch));
    await decide(fetch, { user_code, decision: "approve", key: KEY });
    assertEquals((await pollOnce(fetch, device_code)).token_type, "Bearer");
    assertEquals((await pollOnce(fetch, device_code)).error, "invalid_grant");
    assertEquals((await decide(fetch, { user_code, decision: "approve" })).status, 400);
  }));

Deno.test("parameters travel as a form, as RFC 8628 has them; repeated ones and other types are refused", () =>
  withService(async ({ fetch }) => {
    const ask = async (path: string, body: BodyInit, type?: string) => {
      const headers: HeadersInit = type === undefined ? {} : { "content-type": type };
      const url = `${ORIGIN}/auth/v1/device/${path}`;
      return await json(await fetch(new Request(url, { method: "POST", body, headers })));
    };
    const client = new URLSearchParams({ client_id: "quickback-cli" });
    const { device_code, user_code } = await ask("code", client);
    const poll = new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: String(device_code),
      client_id: "quickback-cli",
    });
    await decide(fetch, { user_code, decision: "approve", key: KEY });
    assertEquals((await ask("token", poll)).token_type, "Bearer");
    assertEquals((await ask("token", poll)).error, "invalid_grant");
    const other = new URLSearchParams({ ...Object.fromEntries(poll), grant_type: "password" });
    assertEquals((await ask("token", other)).error, "unsupported_grant_type");
    const repeated = `${client}&client_id=other`;
    const form = "application/x-www-form-urlencoded";
    assertEquals((await ask("code", repeated, form)).error, "invalid_request");
    assertEquals((await ask("token", `${poll}`, "text/plain")).error, "invalid_request");
    assertEquals((await ask("token", "{}", "application/json")).error, "invalid_request");
  }));

Deno.test("whoever guesses codes is stopped, and the page says that it is not the code", () =>
  withService(async ({ fetch }) => {
    const { user_code } = await json(await requestCode(fetch));
    await decide(fetch, { user_code, decision: "approve", key: KEY });
    const statuses: number[] = [];
    for (let guess = 0; guess < 25; guess++) {
      const page = await decide(fetch, { user_code: `GUESS${guess}`, decision: "approve" });
      statuses.push(page.status);
      assertMatch(await page.text(), page.status === 429 ? /Try again/ : /not known or over/);
    }
    assertEquals(statuses.filter((status) => status === 400).length <= 20, true);
    assertEquals(statuses.at(-1), 429);
  }));

Deno.test("the page runs no script, and says nothing of what is typed but its text", () =>
  withService(async ({ fetch }) => {
    const page = await fetch(new Request(`${ORIGIN}/device?user_code=%22%3E%3Cscript%3E`));
    const html = await page.text();
    assertEquals(html.includes("<script"), false);
    const policy = page.headers.get("content-security-policy") ?? "";
    assertMatch(policy, /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame/);
    assertEquals(page.headers.get("cache-control"), "no-store");
    const broken = await fetch(new Request(`${ORIGIN}/device`, { method: "POST", body: "{}" }));
    assertEquals(broken.status, 400);
  }));

Deno.test("nothing else of the account library can be reached", () =>
  withService(async ({ fetch }) => {
    for (
      const path of ["/auth/v1/sign-up/email", "/auth/v1/device/approve", "/auth/v1/get-session"]
    ) {
      const answer = await fetch(new Request(ORIGIN + path, { method: "POST", body: "{}" }));
      assertEquals([answer.status, (await json(answer)).code], [404, "ROUTE_NOT_FOUND"]);
    }
  }));

const FORGED: readonly (readonly [what: string, forge: (token: SignJWT) => SignJWT])[] = [
  ["for another audience", (token) => token.setAudience("other")],
  ["of another issuer", (token) => token.setIssuer("other")],
  ["made for another hour", (token) => token.setIssuedAt("2 days ago")],
  ["that is over", (token) => token.setExpirationTime("1 hour ago")],
];

for (const [what, forge] of FORGED) {
  Deno.test(`a token ${what} is refused`, async () => {
    const sessions = { secret: SECRET, now: Date.now };
    const { token } = await signSession("user", sessions);
    assertEquals(await compileStatus(edgeWith(sessions), token), 200);
    assertEquals(await compileStatus(edgeWith(sessions), await signed((one) => one)), 200);
    const [status, code] = await refusalOf(edgeWith(sessions), await signed(forge));
    assertEquals(status, 401);
    assert(code === "AUTH_INVALID_TOKEN" || code === "AUTH_EXPIRED");
  });
}

Deno.test("a token of another kind is refused", async () => {
  const edge = edgeWith({ secret: SECRET, now: Date.now });
  const other = await signed((one) => one, "JWT");
  assertEquals(await refusalOf(edge, other), [401, "AUTH_INVALID_TOKEN"]);
});

Deno.test("a token whose header, claims or signature were changed is refused", async () => {
  const edge = edgeWith({ secret: SECRET, now: Date.now });
  const token = await signed((one) => one);
  const [header = "", claims = "", signature = ""] = token.split(".");
  const part = (value: object) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({
      alphabet: "base64url",
      omitPadding: true,
    });
  const typ = "quickback-session+jwt";
  const longer = await new SignJWT({ sub: "user" }).setIssuer("quickback-service")
    .setAudience("quickback-compile").setIssuedAt().setExpirationTime("1 hour")
    .setProtectedHeader({ alg: "HS512", typ }).sign(await tokenKey());
  const eternal = await new SignJWT({ sub: "user" }).setIssuer("quickback-service")
    .setAudience("quickback-compile").setIssuedAt()
    .setProtectedHeader({ alg: "HS256", typ }).sign(await tokenKey());
  for (
    const forged of [
      `${part({ alg: "none", typ })}.${claims}.`,
      `${part({ alg: "HS512", typ })}.${claims}.${signature}`,
      `${part({ alg: "HS256", typ, crit: ["x"], x: 1 })}.${claims}.${signature}`,
      `${header}.${part({ sub: "admin", exp: 9_999_999_999 })}.${signature}`,
      `${header}.${claims}.${signature.slice(0, -2)}`,
      `${header}.${claims}`,
      longer,
      eternal,
    ]
  ) {
    assertEquals(await refusalOf(edge, forged), [401, "AUTH_INVALID_TOKEN"], forged);
  }
});

/** With the right key: only what was changed can be at fault. */
async function signed(
  forge: (token: SignJWT) => SignJWT,
  typ = "quickback-session+jwt",
): Promise<string> {
  return await forge(
    new SignJWT().setSubject("user").setIssuer("quickback-service").setAudience(
      "quickback-compile",
    )
      .setIssuedAt().setExpirationTime("1 hour").setProtectedHeader({
        alg: "HS256",
        typ,
      }),
  ).sign(await tokenKey());
}

/** The key that the service signs sessions with. */
async function tokenKey(): Promise<Uint8Array> {
  const usage = { name: "HMAC", hash: "SHA-256" };
  const root = await crypto.subtle.importKey("raw", SECRET, usage, false, ["sign"]);
  const kind = new TextEncoder().encode("quickback-session+jwt");
  return new Uint8Array(await crypto.subtle.sign("HMAC", root, kind));
}

type Fetch = (request: Request) => Promise<Response>;

interface Service {
  readonly fetch: Fetch;
  readonly sessions: Sessions;
  readonly file: string;
}

async function withService(body: (service: Service) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/accounts.db`;
  const { ports } = testPorts();
  const sessions = { secret: SECRET, now: Date.now };
  const hosted = await openAccounts({
    file,
    baseUrl: ORIGIN,
    apiKeys: [KEY],
    sessions,
    logger: ports.logger,
  });
  assert(hosted, "The service hosts accounts");
  try {
    const service = createService({
      ports,
      compiler: VALID,
      settings: {
        backend: "container",
        version: "0.0.0",
        baseUrl: ORIGIN,
        apiKeys: [KEY],
        sessions,
        accounts: hosted.accounts,
        templates: null,
        running: 1,
        waiting: 1,
      },
    });
    await body({ fetch: async (request) => await service.fetch(request), sessions, file });
  } finally {
    hosted[Symbol.dispose]();
    await Deno.remove(folder, { recursive: true });
  }
}

const VALID = {
  async *compile() {
    yield { kind: "finished", contract: "v1", commands: [], warnings: [] } as const;
  },
};

function edgeWith(sessions: Sessions | null): Fetch {
  return createEdge({ ports: testPorts().ports, baseUrl: ORIGIN, apiKeys: [KEY], sessions });
}

function portsOf(fetch: Fetch, said: string[]): Omit<LoginPorts, "wait"> {
  return {
    fetch: (url, { redirect: _redirect, ...init }) => fetch(new Request(url, init)),
    now: Date.now,
    say: (text) => void said.push(text),
  };
}

function codeIn(said: readonly string[]): string {
  const [, code = ""] = /the code ([A-Z0-9-]+)$/.exec(said.join()) ?? [];
  assert(code !== "", said.join());
  return code;
}

interface Decision {
  readonly user_code: unknown;
  readonly decision: "approve" | "deny";
  readonly key?: string;
}

async function decide(
  fetch: Fetch,
  { user_code, decision, key = "" }: Decision,
): Promise<Response> {
  people += key === "" ? 0 : 1;
  const form = new URLSearchParams({
    user_code: String(user_code),
    decision,
    key,
    email: `ada${people}@example.com`,
    password: "correct horse battery",
  });
  return await fetch(new Request(`${ORIGIN}/device`, { method: "POST", body: form }));
}

let people = 0;

async function requestCode(fetch: Fetch): Promise<Response> {
  return await post(fetch, "/auth/v1/device/code", { client_id: "quickback-cli" });
}

async function pollOnce(fetch: Fetch, device_code: unknown) {
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  return await json(
    await post(fetch, "/auth/v1/device/token", {
      grant_type,
      device_code,
      client_id: "quickback-cli",
    }),
  );
}

async function post(fetch: Fetch, path: string, body: object): Promise<Response> {
  return await fetch(
    new Request(ORIGIN + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

async function compileWith(fetch: Fetch, token: string): Promise<Response> {
  return await fetch(
    new Request(`${ORIGIN}/compile?complete=false`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: BODY,
    }),
  );
}

async function compileStatus(fetch: Fetch, token: string): Promise<number> {
  const answer = await compileWith(fetch, token);
  await answer.body?.cancel();
  return answer.status;
}

async function refusalOf(fetch: Fetch, token: string): Promise<readonly unknown[]> {
  const answer = await compileWith(fetch, token);
  return [answer.status, (await json(answer)).code];
}
