/** Codes that could be guessed: each is good once, and ten wrong ones an hour lock their way in (contract 7.2, definitions 2). */
import { assert, assertEquals } from "@std/assert";
import { TOTP, URI } from "otpauth";
import { CODE_GUESSES } from "../../shared/model/mod.ts";
import { DRIVERS } from "../support/databases.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";
import {
  codeIn,
  freshCode,
  ok,
  refusalOf,
  type SignInBrowser,
  signInProject,
  type SignInScene,
  withSignIn,
} from "../support/sign_in.ts";

const email = "anna@example.com";
const password = "correct horse battery staple";
const project = signInProject({ magicLink: true, emailCode: true, twoFactor: true });
const HOUR_MS = 3_600_000;

const CODE = "/auth/v1/sign-in/email-otp";
const TOTP_CODE = "/auth/v1/two-factor/verify-totp";
const BACKUP_CODE = "/auth/v1/two-factor/verify-backup-code";

interface Enrolled {
  readonly anna: SignInBrowser;
  readonly device: TOTP;
  readonly backupCodes: readonly string[];
  /** The code that enrolled the device. */
  readonly first: string;
}

/** Anna, with a password, a confirmed address and a second factor. */
async function enrolled({ api, browser }: SignInScene): Promise<Enrolled> {
  const anna = browser();
  ok(await anna.client.signUp.email({ name: "Anna", email, password }));
  const sql = `UPDATE "auth_user" SET "email_verified" = 1`;
  await api.database.write((transaction) => transaction.run({ sql, args: [] }));
  const answer = ok(await anna.client.twoFactor.enable({ password }));
  const device = "totpURI" in answer ? URI.parse(answer.totpURI) : null;
  if (!(device instanceof TOTP) || !("backupCodes" in answer)) throw new Error("No device");
  const first = device.generate();
  ok(await anna.client.twoFactor.verifyTotp({ code: first }));
  return { anna, device, first, backupCodes: answer.backupCodes };
}

let clients = 0;

/** A client of an address of its own. */
function stranger({ browser }: SignInScene): SignInBrowser {
  clients += 1;
  return browser(`198.51.${100 + Math.floor(clients / 250)}.${1 + clients % 250}`);
}

/** Somebody else who has given the password, and is asked for the second factor. */
async function asked(scene: SignInScene): Promise<SignInBrowser> {
  const visitor = stranger(scene);
  ok(await visitor.client.signIn.email({ email, password }));
  return visitor;
}

const isLocked = ({ status, body }: Answer) =>
  status === 401 && body["code"] === "AUTH_RATE_LIMITED";

function assertLocked(answer: Answer, atMost = HOUR_MS / 1000): void {
  assert(isLocked(answer), answer.text);
  const seconds = Number(answer.headers.get("retry-after"));
  assert(seconds > 0 && seconds <= atMost, answer.headers.get("retry-after") ?? "no Retry-After");
}

async function codeFor(
  { api, sent }: SignInScene,
  visitor: SignInBrowser,
  to = email,
): Promise<string> {
  // As if the hour of mails to the address were over: it is an hour of the database's clock.
  const sql = `DELETE FROM "auth_verification" WHERE "identifier" LIKE 'mail:%'`;
  await api.database.write((transaction) => transaction.run({ sql, args: [] }));
  ok(await visitor.client.emailOtp.sendVerificationOtp({ email: to, type: "sign-in" }));
  return codeIn(sent);
}

const otherThan = (code: string, offset = 1) =>
  String((Number(code) + offset) % 1_000_000).padStart(6, "0");

async function guesses({ database }: ApiUnderTest): Promise<readonly unknown[]> {
  const sql = `SELECT "guesses" FROM "${CODE_GUESSES.name}" ORDER BY 1`;
  return (await database.run({ sql, args: [] })).rows.map(([count]) => count);
}

Deno.test("a code of a device is taken once, the one that enrolled it too, and none from before it", async () => {
  await withSignIn(project, async (scene) => {
    const { device, first } = await enrolled(scene);
    for (const visitor of [await asked(scene), await asked(scene)]) {
      assertEquals(
        refusalOf(await visitor.client.twoFactor.verifyTotp({ code: first })),
        "401 INVALID_CODE",
      );
      assertEquals(await visitor.who(), null);
    }
    const next = device.generate({ timestamp: Date.now() + 30_000 });
    const visitor = await asked(scene);
    ok(await visitor.client.twoFactor.verifyTotp({ code: next }));
    assertEquals(await visitor.who(), email);
    const late = await asked(scene);
    for (const code of [next, device.generate(), first]) {
      assertEquals(
        refusalOf(await late.client.twoFactor.verifyTotp({ code })),
        "401 INVALID_CODE",
      );
    }
    ok(
      await late.client.twoFactor.verifyTotp({ code: await freshCode(scene.api.database, device) }),
    );
  });
});

for (const driver of DRIVERS) {
  Deno.test(`of many who give one code of a device at once, one is let in (a database that is ${driver.name})`, async () => {
    await withSignIn(project, async (scene) => {
      const { device } = await enrolled(scene);
      const visitors = await Promise.all(Array.from({ length: 5 }, () => asked(scene)));
      const code = await freshCode(scene.api.database, device);
      const answers = await Promise.all(visitors.map((one) => one.ask(TOTP_CODE, { code })));
      assertEquals(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401]);
    }, { driver });
  });

  Deno.test(`of 60 clients with three guesses each at once ten are judged (a database that is ${driver.name})`, async () => {
    await withSignIn(project, async (scene) => {
      const right = await codeFor(scene, stranger(scene));
      const strangers = Array.from({ length: 60 }, () => stranger(scene));
      const answers = await Promise.all(
        strangers.flatMap((one, place) =>
          [1, 2, 3].map((offset) =>
            one.ask(CODE, { email, otp: otherThan(right, place * 3 + offset) })
          )
        ),
      );
      assertEquals(answers.filter((answer) => !isLocked(answer)).length, 10);
      // Right or not, by whoever.
      for (const to of [email, email.toUpperCase()]) {
        assertLocked(await stranger(scene).ask(CODE, { email: to, otp: right }));
      }
      assertLocked(
        await stranger(scene).ask(CODE, { email, otp: await codeFor(scene, stranger(scene)) }),
      );
      assertEquals(await guesses(scene.api), [10]);
    }, { driver });
  });
}

Deno.test("an hour after the first wrong code the way is open again, and not before", async () => {
  await withSignIn(project, async (scene) => {
    const { api } = scene;
    const wrong = async () => {
      const code = await codeFor(scene, stranger(scene));
      return await stranger(scene).ask(CODE, { email, otp: otherThan(code) });
    };
    for (let count = 0; count < 10; count++) {
      assert(!isLocked(await wrong()), `guess ${count + 1}`);
      api.pass(60_000);
    }
    // Ten minutes later.
    assertLocked(await wrong(), 50 * 60);
    api.pass(50 * 60_000 - 1000);
    assertLocked(await wrong(), 1);
    api.pass(1000);
    const visitor = stranger(scene);
    const otp = await codeFor(scene, visitor);
    assertEquals((await visitor.ask(CODE, { email, otp })).status, 200);
  });
});

Deno.test("a right code neither counts nor takes wrong ones back", async () => {
  await withSignIn(project, async (scene) => {
    for (let count = 0; count < 9; count++) {
      const code = await codeFor(scene, stranger(scene));
      await stranger(scene).ask(CODE, { email, otp: otherThan(code) });
      const visitor = stranger(scene);
      const otp = await codeFor(scene, visitor);
      assertEquals((await visitor.ask(CODE, { email, otp })).status, 200, `after ${count + 1}`);
    }
    assertEquals(await guesses(scene.api), [9]);
    const code = await codeFor(scene, stranger(scene));
    assert(!isLocked(await stranger(scene).ask(CODE, { email, otp: otherThan(code) })));
    assertLocked(await stranger(scene).ask(CODE, { email, otp: code }));
  });
});

Deno.test("an address without an account is locked as one with an account is, and another one is not", async () => {
  for (const disableSignUp of [false, true]) {
    const closed = { ...project, auth: { ...project.auth, disableSignUp } };
    await withSignIn(closed, async (scene) => {
      const body = { email: "nobody@example.com", otp: "123456" };
      const answers: Answer[] = [];
      for (let count = 0; count < 12; count++) answers.push(await stranger(scene).ask(CODE, body));
      assertEquals(answers.map(isLocked), [...Array(10).fill(false), true, true]);
      assert(!isLocked(await stranger(scene).ask(CODE, { ...body, email: "other@example.com" })));
      // No address of a person stands in the table.
      const sql = `SELECT * FROM "${CODE_GUESSES.name}"`;
      const { rows } = await scene.api.database.run({ sql, args: [] });
      assert(!JSON.stringify(rows).includes("nobody"), JSON.stringify(rows));
    });
  }
});

Deno.test("each way in is locked by itself, for the account over all questions and clients", async () => {
  await withSignIn(project, async (scene) => {
    const { anna, device, backupCodes: [backup = ""] } = await enrolled(scene);
    const wrongs = async (path: string, code: string) => {
      for (let count = 0; count < 10; count += 2) {
        const visitor = await asked(scene);
        for (const _ of [1, 2]) {
          const answer = await visitor.ask(path, { code });
          assertEquals(answer.status, 401, answer.text);
          assert(!isLocked(answer), `${path} ${count}`);
        }
      }
    };
    await wrongs(TOTP_CODE, otherThan(device.generate(), 500_000));
    const code = await freshCode(scene.api.database, device);
    assertLocked(await (await asked(scene)).ask(TOTP_CODE, { code }));
    // With a session, too.
    assertLocked(await anna.ask(TOTP_CODE, { code }));
    // The others go on.
    const visitor = await asked(scene);
    assertEquals((await visitor.ask(BACKUP_CODE, { code: backup })).status, 200);
    assertEquals(await visitor.who(), email);
    const mailed = stranger(scene);
    const otp = await codeFor(scene, mailed);
    assertEquals((await mailed.ask(CODE, { email, otp })).status, 200);
    await wrongs(BACKUP_CODE, "AAAAA-aaaaa");
    assertLocked(await (await asked(scene)).ask(BACKUP_CODE, { code: backup }));
    scene.api.pass(HOUR_MS);
    const again = await asked(scene);
    assertEquals((await again.ask(TOTP_CODE, { code })).status, 200);
  });
});

Deno.test("two cookies of a first factor that differ ask for nobody's code", async () => {
  await withSignIn(project, async (scene) => {
    const { device } = await enrolled(scene);
    const visitor = await asked(scene);
    const other = await asked(scene);
    const [name = ""] = [...visitor.cookies.keys()].filter((one) => one.includes("two_factor"));
    const cookie = [visitor, other].map(({ cookies }) => `${name}=${cookies.get(name)}`).join("; ");
    const code = await freshCode(scene.api.database, device);
    const answer = await stranger(scene).ask(TOTP_CODE, { code }, { cookie });
    assertEquals(answer.status, 401, answer.text);
    assertEquals(await guesses(scene.api), []);
    assertEquals((await visitor.ask(TOTP_CODE, { code })).status, 200);
  });
});

Deno.test("nothing is counted for whoever is asked for no code", async () => {
  await withSignIn(project, async (scene) => {
    const { anna } = await enrolled(scene);
    const nobody = stranger(scene);
    for (const path of [TOTP_CODE, BACKUP_CODE]) {
      assertEquals((await nobody.ask(path, { code: "123456" })).status, 401);
      assertEquals(
        (await nobody.ask(path, { code: "123456" }, { cookie: "better-auth.two_factor=x" })).status,
        401,
      );
    }
    assertEquals(await guesses(scene.api), []);
    assertEquals((await anna.ask(TOTP_CODE, { code: "000000" })).status, 401);
    assertEquals(await guesses(scene.api), [1]);
  });
});
