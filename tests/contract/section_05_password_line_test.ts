/** Passwords at once: one hash for each processor, one an account, and a line that ends (contract 7.2). */
import { assert, assertEquals } from "@std/assert";
import { memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import type { PasswordHasher } from "../../shared/accounts/dependencies.ts";
import { ORIGIN, signedUp, withAccountsApi } from "../support/accounts_api.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";
import { until } from "../support/until.ts";

const PASSWORD = "correct horse battery";
const PROCESSORS = 3;

/** Hashes that are the passwords, and wait while they are held. */
class HeldHasher implements PasswordHasher {
  /** Checks that are going on, by password. */
  readonly going: string[] = [];
  most = 0;
  mostOfOne = 0;
  #held: PromiseWithResolvers<void> | null = null;

  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = null;
  }

  readonly hash = (password: string) => this.#counted(password, () => `hash of ${password}`);

  readonly verify: PasswordHasher["verify"] = ({ hash, password }) =>
    this.#counted(hash, () => hash === `hash of ${password}`);

  async #counted<T>(what: string, result: () => T): Promise<T> {
    this.going.push(what);
    this.most = Math.max(this.most, this.going.length);
    const same = this.going.filter((one) => one === what).length;
    this.mostOfOne = Math.max(this.mostOfOne, same);
    await (this.#held?.promise ?? new Promise((resolve) => setTimeout(resolve, 1)));
    this.going.splice(this.going.indexOf(what), 1);
    return result();
  }
}

interface Scene {
  readonly api: ApiUnderTest;
  readonly hasher: HeldHasher;
  signIn(name: string, password?: string): Promise<Answer>;
}

/** Accounts, each with a password of its own: its name and the usual one. */
function withPeople(
  count: number,
  body: (scene: Scene, people: readonly string[]) => Promise<void>,
  limits = false,
): Promise<void> {
  const hasher = new HeldHasher();
  return withAccountsApi(async (api) => {
    const people = Array.from({ length: count }, (_, place) => `person${place}`);
    const ask = (path: string, name: string, body: Readonly<Record<string, string>>) =>
      api.ask(`/auth/v1${path}`, {
        body: { email: `${name}@example.com`, ...body },
        headers: ORIGIN,
        clientIp: "203.0.113.9",
      });
    for (const name of people) {
      const body = { name, password: name + PASSWORD };
      assertEquals((await ask("/sign-up/email", name, body)).status, 200);
    }
    Object.assign(hasher, { most: 0, mostOfOne: 0 });
    const signIn = (name: string, password = name + PASSWORD) =>
      ask("/sign-in/email", name, { password });
    await body({ api, hasher, signIn }, people);
  }, {
    processors: PROCESSORS,
    given: { passwords: hasher },
    ...(limits ? { limiter: memoryRateLimiter({ clock: systemClock }) } : {}),
  });
}

Deno.test("so many passwords are looked at at once as there are processors, and each gets its answer", async () => {
  await withPeople(12, async ({ hasher, signIn }, people) => {
    const answers = await Promise.all(
      people.flatMap((name) => [signIn(name), signIn(name, "wrong")]),
    );
    assertEquals(answers.map(({ status }) => status), people.flatMap(() => [200, 401]));
    assertEquals(hasher.most, PROCESSORS);
  });
});

Deno.test("of one account one password is looked at at a time, and others are not kept waiting by it", async () => {
  await withPeople(2, async ({ hasher, signIn }, [anna = "", ben = ""]) => {
    hasher.hold();
    const many = Array.from({ length: 6 }, () => signIn(anna));
    const spelled = signIn(anna.toUpperCase(), anna + PASSWORD);
    const other = signIn(ben);
    await until("both are looked at", () => hasher.going.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(hasher.going.toSorted(), [anna, ben].map((name) => `hash of ${name}${PASSWORD}`));
    hasher.release();
    const answers = await Promise.all([...many, spelled, other]);
    assertEquals(answers.map(({ status }) => status), Array(8).fill(200));
    assertEquals(hasher.mostOfOne, 1);
  });
});

Deno.test("a hundred wait; whoever comes then is told to come again, and nothing is counted", async () => {
  await withPeople(3, async ({ api, hasher, signIn }, [anna = "", ben = ""]) => {
    hasher.hold();
    // Nobody has these addresses: the library hashes for them all the same.
    const waiting = Array.from(
      { length: PROCESSORS + 100 },
      (_, place) => signIn(`nobody${place}`),
    );
    await until("all places are taken", () => hasher.going.length === PROCESSORS);
    const late: Answer[] = [];
    for (let count = 0; count < 15; count++) late.push(await signIn(anna));
    for (const answer of late) {
      assertEquals([answer.status, answer.body["code"]], [503, "AUTH_BUSY"], answer.text);
      assertEquals([answer.body["layer"], answer.headers.get("retry-after")], [
        "authentication",
        "1",
      ]);
    }
    // The service's own choice: a stack tells nothing, and there are as many lines as callers.
    const told = api.log.filter(({ message }) => message.startsWith("AUTH_BUSY"));
    assertEquals(told.map(({ error }) => error), late.map(() => undefined));
    // What needs no password goes on.
    assertEquals((await api.ask("/health")).status, 200);
    assertEquals((await api.ask("/auth/v1/get-session", { headers: ORIGIN })).status, 200);
    hasher.release();
    const answers = await Promise.all(waiting);
    assert(
      answers.every(({ status }) => status === 401),
      answers.map(({ text }) => text).join("\n"),
    );
    assertEquals((await signIn(anna)).status, 200);
    assertEquals((await signIn(ben)).status, 200);
    assertEquals(hasher.most, PROCESSORS);
  }, true);
});

Deno.test("every route that hashes a password waits in the line, and leaves it when it fails", async () => {
  await withPeople(1, async ({ api, hasher }, [anna = ""]) => {
    const visitor = await signedUp(api, "visitor");
    const bodies: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
      ["/sign-in/email", { email: `${anna}@example.com`, password: "wrong" }],
      ["/sign-up/email", { name: "x", email: `${anna}@example.com`, password: PASSWORD }],
      ["/change-password", { currentPassword: "wrong", newPassword: PASSWORD }],
      ["/verify-password", { password: "wrong" }],
      ["/delete-user", { password: "wrong" }],
      ["/reset-password", { token: "unknown", newPassword: PASSWORD }],
      ["/organization/delete?purge=true", { organizationId: "unknown", password: "wrong" }],
    ];
    hasher.hold();
    const held = Array.from(
      { length: PROCESSORS + 100 },
      (_, place) =>
        api.ask("/auth/v1/sign-in/email", {
          body: { email: `nobody${place}@example.com`, password: "wrong" },
          headers: ORIGIN,
        }),
    );
    await until("all places are taken", () => hasher.going.length === PROCESSORS);
    for (const [path, body] of bodies) {
      const answer = await visitor.ask(`/auth/v1${path}`, body);
      // A route that asks for a role, or for a link, says first that there is none.
      const first = path.startsWith("/organization/")
        ? 403
        : path === "/reset-password"
        ? 400
        : 503;
      assert([first, 503].includes(answer.status), `${path} ${answer.text}`);
    }
    hasher.release();
    await Promise.all(held);
    for (let count = 0; count < 20; count++) {
      for (const [path, body] of bodies) await visitor.ask(`/auth/v1${path}`, body);
    }
    const name = { name: "last", email: "last@example.com", password: PASSWORD };
    assertEquals((await visitor.ask("/auth/v1/sign-up/email", name)).status, 200);
    assert(hasher.most <= PROCESSORS);
  });
});
