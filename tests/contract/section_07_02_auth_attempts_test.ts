/** Too many attempts to sign in (contract 7.2 `AUTH_RATE_LIMITED`; definitions 2, `providers.auth.rateLimit`). */
import { assertEquals } from "@std/assert";
import { memoryRateLimiter } from "../../platform/memory_rate_limiter.ts";
import type { AccountRateLimit } from "../../shared/model/project.ts";
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
