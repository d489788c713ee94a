/** What answers tell of an account that may be there: nothing, neither by their words nor by their work (contract 5.2). */
import { assertEquals } from "@std/assert";
import type { Database } from "../../shared/runtime/ports.ts";
import { withAccountsApi } from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, BASE_URL } from "../support/api.ts";
import { DEFAULT_DRIVER, type DriverUnderTest } from "../support/databases.ts";
import { signInProject } from "../support/sign_in.ts";

const password = "correct horse battery";
const ORIGIN = { origin: BASE_URL };

/** Counts transactions, and those among them that change something: only these wait for the disk. */
function counting(counted: { all: number; changing: number }): DriverUnderTest {
  const watched = (database: Database): Database => ({
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    async write(body) {
      let changes = 0;
      const result = await database.write((transaction) =>
        body({
          writable: true,
          async run(statement) {
            const done = await transaction.run(statement);
            changes += done.changes;
            return done;
          },
          async runAll(statements) {
            const done = await transaction.runAll(statements);
            for (const one of done) changes += one.changes;
            return done;
          },
        })
      );
      counted.all += 1;
      if (changes > 0) counted.changing += 1;
      return result;
    },
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
  });
  return {
    ...DEFAULT_DRIVER,
    with: (body) =>
      DEFAULT_DRIVER.with((database, ...others) => body(watched(database), ...others)),
  };
}

/** An account, made past the routes. */
async function madeAccount({ database }: ApiUnderTest, email: string, isVerified: boolean) {
  const now = new Date().toISOString();
  await database.write((transaction) =>
    transaction.run({
      sql:
        `INSERT INTO "auth_user" ("id", "name", "email", "email_verified", "created_at", "updated_at")
        VALUES (?, 'Anna', ?, ?, ?, ?)`,
      args: [email, email, isVerified ? 1 : 0, now, now],
    })
  );
}

const ASKING = [
  ["/request-password-reset", {}],
  ["/sign-in/magic-link", {}],
  ["/email-otp/send-verification-otp", { type: "sign-in" }],
] as const;

for (const disableSignUp of [false, true]) {
  for (const [path, more] of ASKING) {
    Deno.test(`${path} writes as often with an account as without one${disableSignUp ? ", where nobody may sign up" : ""}`, async () => {
      const counted = { all: 0, changing: 0 };
      const project = signInProject({ magicLink: true, emailCode: true }, { disableSignUp });
      await withAccountsApi(async (api) => {
        await madeAccount(api, "anna@example.com", true);
        await madeAccount(api, "open@example.com", false);
        const costs: Answer[] = [];
        const writes: string[] = [];
        // The second time, a message from before is there.
        for (
          const email of [
            "anna@example.com",
            "open@example.com",
            "nobody@example.com",
            "NOBODY@example.com",
          ]
        ) {
          for (const _ of [1, 2]) {
            const before = { ...counted };
            costs.push(
              await api.ask(`/auth/v1${path}`, { body: { email, ...more }, headers: ORIGIN }),
            );
            writes.push(`${counted.changing - before.changing} of ${counted.all - before.all}`);
          }
        }
        assertEquals(new Set(costs.map(({ status, text }) => `${status} ${text}`)).size, 1);
        assertEquals(new Set(writes).size, 1, writes.join());
      }, {
        project,
        driver: counting(counted),
        given: { email: { send: () => Promise.resolve() } },
      });
    });
  }
}

for (const requireEmailVerification of [false, true]) {
  Deno.test(`whoever loses a race for an address is answered as for a taken one${requireEmailVerification ? ", where addresses must be confirmed" : ""}`, async () => {
    const project = signInProject({}, { requireEmailVerification });
    await withAccountsApi(async (api) => {
      const signUp = (name: string) =>
        api.ask("/auth/v1/sign-up/email", {
          body: { name, email: "anna@example.com", password },
          headers: ORIGIN,
        });
      const answers = await Promise.all([signUp("Anna"), signUp("Ben"), signUp("Carl")]);
      const taken = await signUp("Dora");
      const shapeOf = (
        { status, body }: Answer,
      ) => [status, body["code"] ?? null, Object.keys(body).sort()];
      const [winner] = answers.filter(({ body }) => body["token"]);
      const losers = answers.filter((one) => requireEmailVerification || one !== winner);
      for (const loser of losers) assertEquals(shapeOf(loser), shapeOf(taken), loser.text);
      const sql = `SELECT count(*) FROM "auth_user"`;
      assertEquals((await api.database.run({ sql, args: [] })).rows, [[1]]);
    }, { project, given: { email: { send: () => Promise.resolve() } } });
  });
}
