/** Too many attempts to sign in (contract 7.2 `AUTH_RATE_LIMITED`; definitions 2, `providers.auth.rateLimit`). */
import { assertEquals } from "@std/assert";
import { memoryRateLimiter } from "../../library/platform/memory_rate_limiter.ts";
import type { AccountRateLimit } from "../../shared/model/auth.ts";
import { helpdesk, ORIGIN, signedUp, withAccountsApi } from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, START } from "../support/api.ts";

const PASSWORD = "correct horse battery";
const HERE = "203.0.113.7";

interface SignIn {
  readonly name?: string;
  readonly password?: string;
  readonly clientIp?: string;
}

function signIn(
  api: ApiUnderTest,
  { name = "anna", password = PASSWORD, clientIp = HERE }: SignIn = {},
): Promise<Answer> {
  return api.ask("/auth/v1/sign-in/email", {
    body: { email: `${name}@example.com`, password },
    headers: ORIGIN,
    clientIp,
  });
}

const outcome = ({ status, body }: Answer) => `${status} ${body["code"] ?? "ok"}`;

function withLimiter(body: (api: ApiUnderTest, pass: (ms: number) => void) => Promise<void>) {
  let now = START;
  const limiter = memoryRateLimiter({ clock: { now: () => now } });
  return withAccountsApi((api) =>
    body(api, (ms) => {
      now += ms;
      api.pass(ms);
    }), { limiter });
}

Deno.test("after ten wrong passwords this address is refused this account, and the right password too", async () => {
  await withLimiter(async (api, pass) => {
    await signedUp(api, "anna");
    await signedUp(api, "bert");
    for (let count = 0; count < 10; count++) {
      const wrong = await signIn(api, { password: `wrong ${count}` });
      assertEquals(outcome(wrong), "401 INVALID_EMAIL_OR_PASSWORD");
    }
    const refused = await signIn(api, { password: "wrong" });
    assertEquals(outcome(refused), "401 AUTH_RATE_LIMITED");
    assertEquals(refused.headers.get("retry-after"), "60");
    assertEquals(outcome(await signIn(api)), "401 AUTH_RATE_LIMITED");
    assertEquals(outcome(await signIn(api, { name: "ANNA" })), "401 AUTH_RATE_LIMITED");
    assertEquals(outcome(await signIn(api, { name: "bert" })), "200 ok");
    assertEquals(outcome(await signIn(api, { clientIp: "203.0.113.8" })), "200 ok");
    pass(61_000);
    assertEquals(outcome(await signIn(api)), "200 ok");
  });
});

Deno.test("right passwords are not counted, and accounts that do not exist answer alike", async () => {
  await withLimiter(async (api) => {
    await signedUp(api, "anna");
    for (let count = 0; count < 30; count++) {
      assertEquals(outcome(await signIn(api)), "200 ok");
    }
    const answers = async (name: string) => {
      const all: string[] = [];
      for (let count = 0; count < 12; count++) {
        all.push(outcome(await signIn(api, { name, password: "wrong" })));
      }
      return all;
    };
    assertEquals(await answers("anna"), await answers("nobody"));
  });
});

Deno.test("a right password gives back its own attempt and no wrong one", async () => {
  await withLimiter(async (api) => {
    await signedUp(api, "anna");
    for (let count = 0; count < 9; count++) await signIn(api, { password: "wrong" });
    assertEquals(outcome(await signIn(api)), "200 ok");
    assertEquals(outcome(await signIn(api)), "200 ok");
    assertEquals(
      outcome(await signIn(api, { password: "wrong" })),
      "401 INVALID_EMAIL_OR_PASSWORD",
    );
    assertEquals(outcome(await signIn(api)), "401 AUTH_RATE_LIMITED");
  });
});

Deno.test("of a hundred passwords at once ten are looked at, and the right one is not among them", async () => {
  await withLimiter(async (api) => {
    await signedUp(api, "anna");
    const guesses = Array.from({ length: 100 }, (_, at) => at === 60 ? PASSWORD : `wrong ${at}`);
    const answers = await Promise.all(guesses.map((password) => signIn(api, { password })));
    const outcomes = answers.map(outcome);
    assertEquals(outcomes.filter((one) => one === "401 INVALID_EMAIL_OR_PASSWORD").length, 10);
    assertEquals(outcomes.filter((one) => one === "401 AUTH_RATE_LIMITED").length, 90);
  });
});

Deno.test("the clock going back an hour locks nobody out for an hour", async () => {
  await withLimiter(async (api, pass) => {
    await signedUp(api, "anna");
    for (let count = 0; count < 10; count++) await signIn(api, { password: "wrong" });
    pass(-3_600_000);
    assertEquals(outcome(await signIn(api)), "401 AUTH_RATE_LIMITED");
    pass(61_000);
    assertEquals(outcome(await signIn(api)), "200 ok");
  });
});

/** Every account route that is served and checks a password of somebody who is signed in. */
const CHALLENGES: Readonly<Record<string, (password: string) => object>> = {
  "/verify-password": (password) => ({ password }),
  "/change-password": (currentPassword) => ({ currentPassword, newPassword: PASSWORD }),
};

for (const [path, body] of Object.entries(CHALLENGES)) {
  Deno.test(`POST ${path} shares the ten attempts of its account and client with sign-in`, async () => {
    await withLimiter(async (api) => {
      const { cookie } = await signedUp(api, "anna");
      const check = (password: string, clientIp = HERE) =>
        api.ask(`/auth/v1${path}`, {
          body: body(password),
          headers: { ...ORIGIN, cookie },
          clientIp,
        });
      for (let count = 0; count < 4; count++) await signIn(api, { password: "wrong" });
      assertEquals((await check(PASSWORD)).status, 200);
      for (let count = 0; count < 6; count++) {
        assertEquals(outcome(await check("wrong")), "400 INVALID_PASSWORD");
      }
      assertEquals(outcome(await check(PASSWORD)), "401 AUTH_RATE_LIMITED");
      assertEquals(outcome(await signIn(api)), "401 AUTH_RATE_LIMITED");
      assertEquals((await check(PASSWORD, "203.0.113.8")).status, 200);
    });
  });
}

const NO_JSON = [
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "application/octet-stream",
  "application/json, text/plain",
];

Deno.test("a form is no body of an account route: it is not looked at, counts nothing and opens nothing", async () => {
  await withLimiter(async (api) => {
    await signedUp(api, "anna");
    const send = (path: string, type: string, body: string) =>
      api.ask(path, {
        method: "POST",
        body,
        headers: { ...ORIGIN, "content-type": type },
        clientIp: HERE,
      });
    const values = new URLSearchParams({ email: "anna@example.com", password: PASSWORD });
    const bodies = [values.toString(), JSON.stringify(Object.fromEntries(values))];
    const forms = async () => {
      for (const base of ["/auth/v1", "/api/auth"]) {
        for (const type of NO_JSON) {
          for (const body of bodies) {
            const answer = await send(`${base}/sign-in/email`, type, body);
            assertEquals(outcome(answer), "415 UNSUPPORTED_MEDIA_TYPE", type);
            assertEquals(answer.headers.getSetCookie(), []);
          }
        }
      }
    };
    await forms();
    assertEquals(outcome(await signIn(api)), "200 ok");
    for (let count = 0; count < 10; count++) await signIn(api, { password: "wrong" });
    await forms();
    for (const type of NO_JSON) {
      assertEquals((await send("/auth/v1/sign-out", type, "")).status, 200);
    }
  });
});

const SAME_CLIENT: readonly (readonly [string, string])[] = [
  ["2001:db8:1:2::1", "2001:DB8:0001:0002:ffff:ffff:ffff:fffe"],
  ["203.0.113.7", "::ffff:203.0.113.7"],
];

for (const [one, other] of SAME_CLIENT) {
  Deno.test(`${one} and ${other} are one client: for passwords, refused credentials, limits and keys`, async () => {
    await withLimiter(async (api) => {
      await signedUp(api, "anna");
      for (let count = 0; count < 10; count++) {
        await signIn(api, { password: "wrong", clientIp: count % 2 ? one : other });
      }
      assertEquals(outcome(await signIn(api, { clientIp: one })), "401 AUTH_RATE_LIMITED");
      assertEquals(outcome(await signIn(api, { clientIp: other })), "401 AUTH_RATE_LIMITED");
      const elsewhere = await signIn(api, { clientIp: "2001:db8:1:3::1" });
      assertEquals(outcome(elsewhere), "200 ok");
      const guess = (clientIp: string) =>
        api.ask("projects", { headers: { authorization: "Bearer x" }, clientIp });
      for (let count = 0; count < 600; count++) await guess(count % 2 ? one : other);
      assertEquals(outcome(await guess(one)), "401 AUTH_RATE_LIMITED");
    });
  });
}

Deno.test("a body without an account is the account library's to refuse", async () => {
  await withLimiter(async (api) => {
    for (const body of ["{", "[]", "null", "{}", '{"email":1}', '{"__proto__":{"email":"a"}}']) {
      const answer = await api.ask("/auth/v1/sign-in/email", {
        body,
        headers: ORIGIN,
        clientIp: HERE,
      });
      assertEquals(answer.status, 400, body);
    }
  });
});

const withLibraryLimit = (rateLimit: AccountRateLimit) => ({
  ...helpdesk,
  auth: { ...helpdesk.auth, rateLimit },
});

Deno.test("the account library's limit is AUTH_RATE_LIMITED for attempts, and RATE_LIMITED for other requests", async () => {
  const project = withLibraryLimit({ enabled: true, window: 60, max: 5 });
  await withAccountsApi(async (api) => {
    const signUps: string[] = [];
    for (let count = 0; count < 5; count++) {
      const answer = await api.ask("/auth/v1/sign-up/email", {
        body: { name: "anna", email: `anna${count}@example.com`, password: PASSWORD },
        headers: ORIGIN,
        clientIp: HERE,
      });
      signUps.push(outcome(answer));
    }
    assertEquals(signUps.slice(0, 3), ["200 ok", "200 ok", "200 ok"]);
    assertEquals(signUps.slice(3), ["401 AUTH_RATE_LIMITED", "401 AUTH_RATE_LIMITED"]);
    const reads: string[] = [];
    for (let count = 0; count < 7; count++) {
      reads.push(outcome(await api.ask("/auth/v1/get-session", { clientIp: HERE })));
    }
    assertEquals(reads.slice(0, 5), Array(5).fill("200 ok"));
    assertEquals(reads.slice(5), Array(2).fill("429 RATE_LIMITED"));
    const elsewhere = await api.ask("/auth/v1/get-session", { clientIp: "203.0.113.8" });
    assertEquals(outcome(elsewhere), "200 ok");
  }, { project });
});

Deno.test("a header that a caller may set changes no address", async () => {
  const project = withLibraryLimit({ enabled: true, window: 60, max: 2 });
  await withAccountsApi(async (api) => {
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) {
      const spoofed = {
        "x-forwarded-for": `198.51.100.${count}`,
        "x-real-ip": `198.51.100.${count}`,
      };
      const answer = await api.ask("/auth/v1/get-session", { clientIp: HERE, headers: spoofed });
      statuses.push(answer.status);
    }
    assertEquals(statuses, [200, 200, 429, 429]);
  }, { project });
});

Deno.test("without a limit nobody is refused, as often as they ask", async () => {
  const project = withLibraryLimit({ enabled: false, window: null, max: null });
  await withAccountsApi(async (api) => {
    for (let count = 0; count < 120; count++) {
      const answer = await api.ask("/auth/v1/get-session", { clientIp: HERE });
      assertEquals(answer.status, 200);
    }
  }, { project });
});
