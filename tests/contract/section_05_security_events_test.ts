/** The log of an account (decisions/accounts, "Security events"): what is written, who reads it, and the notices by mail. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { AUTH_TABLE_NAMES } from "../../shared/model/auth_tables.ts";
import {
  FAILURES_KEPT_PER_DAY,
  NOTICE_KINDS,
  NOTICES,
  SECURITY_KINDS,
} from "../../shared/model/security_events.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { EVENT_ACTS, LIBRARY_ACTS } from "../../shared/accounts/security_log/library_acts.ts";
import type { EmailMessage } from "../../shared/runtime/ports.ts";
import {
  founder,
  helpdesk,
  ORIGIN,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, isRecord } from "../support/api.ts";
import { allowed, colleague, withOauthDesk } from "../support/oauth.ts";
import { projectFiles } from "../support/sample_files.ts";
import {
  codeIn,
  ok,
  refusalOf,
  type SignInBrowser,
  signInProject,
  withSignIn,
} from "../support/sign_in.ts";
import { TOTP, URI } from "otpauth";
import { validate } from "../../shared/compiler/mod.ts";
import { createLogPruning } from "../../shared/runtime/background/security_log.ts";

const LOG = "/api/auth/security-events";
const PASSWORD = "correct horse battery";

interface Logged {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly at: string;
  readonly address: string | null;
  readonly device: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

function loggedIn({ status, body, text }: Answer): readonly Logged[] {
  assertEquals(status, 200, text);
  const { data } = body;
  assert(Array.isArray(data));
  return data;
}

/** The oldest first. */
async function logOf(visitor: Visitor, query = ""): Promise<readonly Logged[]> {
  return loggedIn(await visitor.ask(LOG + query)).toReversed();
}

const kinds = (log: readonly Logged[]) => log.map(({ kind }) => kind);

async function done(visitor: Visitor, path: string, body: unknown): Promise<Answer> {
  const answer = await visitor.ask(`/auth/v1/${path}`, body);
  assert(answer.status < 300, `${path}: ${answer.text}`);
  return answer;
}

function signIn(
  api: ApiUnderTest,
  email: string,
  password = PASSWORD,
  headers = {},
  clientIp = "203.0.113.77",
) {
  return api.ask("/auth/v1/sign-in/email", {
    body: { email, password },
    headers: { ...ORIGIN, "user-agent": "Test/1.0", ...headers },
    clientIp,
  });
}

Deno.test("a sign-in is in its account's log, with a shortened address and the program", () =>
  withAccountsApi(async (api) => {
    const ben = await signedUp(api, "ben");
    for (const clientIp of ["203.0.113.77", "2001:db8:1:2::9"]) {
      assertEquals((await signIn(api, "Ben@example.com", PASSWORD, {}, clientIp)).status, 200);
    }
    assertEquals((await signIn(api, "ben@example.com", "wrong")).status, 401);
    const log = await logOf(ben);
    assertEquals(kinds(log), ["sign-in", "sign-in", "sign-in", "sign-in-failed"]);
    assertEquals(log.slice(1).map(({ address }) => address), [
      "203.0.113.0/24",
      "2001:db8:1::/48",
      "203.0.113.0/24",
    ]);
    assertEquals(log[3]?.device, "Test/1.0");
    assertEquals(log[3]?.details, { by: "password" });
    assertMatch(String(log[3]?.at), /^\d{4}-\d\d-\d\dT.*Z$/);
  }));

Deno.test("every write of the library and every event that ends credentials says what the log has of it", () => {
  assertEquals(Object.keys(LIBRARY_ACTS).toSorted(), AUTH_TABLE_NAMES.toSorted());
  for (const act of Object.values(EVENT_ACTS)) {
    assert(act === null || SECURITY_KINDS.includes(act.kind));
  }
});

interface Scene {
  readonly api: ApiUnderTest;
  readonly root: Visitor;
  readonly ben: Visitor;
  readonly benId: string;
  readonly organizationId: string;
}

/** Acts on the account of ben, with the kinds and details that they leave. */
const ACTS: readonly (readonly [
  act: string,
  run: (scene: Scene) => Promise<unknown>,
  left: readonly (readonly [kind: string, details: Readonly<Record<string, unknown>>])[],
])[] = [
  ["signs out", ({ ben }) => done(ben, "sign-out", {}), [["sign-out", {}]]],
  ["ends other sessions", async ({ api, ben }) => {
    await signIn(api, "ben@example.com");
    await done(ben, "revoke-other-sessions", {});
  }, [["sign-in", {}], ["session-ended", {}]]],
  ["makes, changes and deletes a key", async ({ ben }) => {
    const { body: { id: keyId } } = await done(ben, "api-key/create", { name: "ci" });
    await done(ben, "api-key/update", { keyId, enabled: false });
    await done(ben, "api-key/delete", { keyId });
  }, [["key", { act: "made" }], ["key", { act: "changed" }], ["key", { act: "deleted" }]]],
  [
    "changes the password",
    ({ ben }) =>
      done(ben, "change-password", { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` }),
    [["password", { by: "change" }]],
  ],
  ["joins, is given a role and is removed", async ({ root, benId, organizationId, api }) => {
    const { body } = await done(root, "organization/invite-member", {
      email: "ben@example.com",
      role: "member",
      organizationId,
    });
    const ben = await again(api);
    await done(ben, "organization/accept-invitation", { invitationId: body["id"] });
    const memberId = await cell(api, "SELECT id FROM auth_member WHERE user_id = ?", benId);
    await done(root, "organization/update-member-role", {
      memberId,
      role: "admin",
      organizationId,
    });
    await done(root, "organization/remove-member", { memberIdOrEmail: memberId, organizationId });
  }, [
    ["sign-in", {}],
    ["member", { isMember: true, role: "member" }],
    ["role", { role: "admin" }],
    ["member", { isMember: false }],
  ]],
  ["is given a platform role, and loses it", async ({ root, benId: userId }) => {
    await done(root, "admin/set-role", { userId, role: "appmanager" });
  }, [["role", { role: "appmanager" }]]],
  ["is banned and let in again", async ({ root, benId: userId }) => {
    await done(root, "admin/ban-user", { userId });
    await done(root, "admin/unban-user", { userId });
  }, [["ban", { banned: true }], ["ban", { banned: false }]]],
  [
    "is given a password",
    ({ root, benId: userId }) =>
      done(root, "admin/set-user-password", { userId, newPassword: `${PASSWORD}3` }),
    [
      ["password", { by: "sysadmin" }],
    ],
  ],
];

async function again(api: ApiUnderTest, password = PASSWORD): Promise<Visitor> {
  const answer = await signIn(api, "ben@example.com", password);
  assertEquals(answer.status, 200, answer.text);
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
  return {
    cookie,
    ask: (path, body) =>
      api.ask(path, { headers: { cookie, ...ORIGIN }, ...(body === undefined ? {} : { body }) }),
  };
}

async function cell(api: ApiUnderTest, sql: string, argument: string): Promise<string> {
  const { rows: [row] } = await api.database.run({ sql, args: [argument] });
  return String(row?.[0]);
}

for (const [act, run, left] of ACTS) {
  Deno.test(`the log tells that somebody ${act}`, () =>
    withAccountsApi(async (api) => {
      const root = await founder(api, "root", "acme");
      const ben = await signedUp(api, "ben");
      const benId = await cell(api, "SELECT id FROM auth_user WHERE name = ?", "ben");
      const organizationId = await cell(
        api,
        "SELECT id FROM auth_organization WHERE slug = ?",
        "acme",
      );
      await run({ api, root, ben, benId, organizationId });
      const log = await logOf(root, `?userId=${benId}`);
      const [first, ...others] = log;
      assertEquals(first?.kind, "sign-in");
      assertEquals(kinds(others), left.map(([kind]) => kind));
      others.forEach(({ details, address, kind }, at) => {
        for (const [name, value] of Object.entries(left[at]?.[1] ?? {})) {
          assertEquals(details[name], value, `${kind} ${name}`);
        }
        // Whoever acts on somebody else's account stays private.
        if (kind === "ban" || kind === "role") assertEquals(address, null);
      });
    }, { sysadminEmails: ["root@example.com"] }));
}

Deno.test("grants that are made and withdrawn are in the log of whoever gave them", () =>
  withOauthDesk(async ({ api, anna }) => {
    await allowed(api, anna);
    const { body } = await anna.ask("/api/auth/client-grant/list");
    assert(Array.isArray(body["grants"]));
    const [{ id: grantId }] = body["grants"];
    await done(anna, "client-grant/revoke", { grantId });
    const log = (await logOf(anna)).filter(({ kind }) => kind === "grant");
    assertEquals(log.map(({ details }) => [details["act"], details["grantId"]]), [
      ["made", grantId],
      ["ended", grantId],
    ]);
  }));

Deno.test("an organization's owner takes a key back, which its maker's log tells without the owner's address", () =>
  withOauthDesk(async ({ api, anna }) => {
    const ben = await colleague(api, "ben", "agent");
    const { body: { id: keyId } } = await done(ben, "api-key/create", {});
    await done(anna, "organization/revoke-api-key", { keyId });
    const last = (await logOf(ben)).at(-1);
    assertEquals([last?.kind, last?.details["act"], last?.details["by"], last?.address], [
      "key",
      "deleted",
      "organization",
      null,
    ]);
  }));

Deno.test("a log is its account's alone, in pages, and for sysadmin everybody's", () =>
  withAccountsApi(async (api) => {
    const root = await signedUp(api, "root");
    const ben = await signedUp(api, "ben");
    const benId = await cell(api, "SELECT id FROM auth_user WHERE name = ?", "ben");
    const rootId = await cell(api, "SELECT id FROM auth_user WHERE name = ?", "root");
    for (let time = 0; time < 4; time += 1) await signIn(api, "ben@example.com", "wrong");
    for (const userId of [rootId, "*", "nobody"]) {
      const { status, body } = await ben.ask(`${LOG}?userId=${userId}&limit=wrong`);
      assertEquals([status, body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    }
    assertEquals((await ben.ask(`${LOG}?userId=${benId}`)).status, 200);
    assertEquals((await ben.ask(`${LOG}?limit=wrong`)).body["code"], "VALIDATION_INVALID_INPUT");
    assertEquals((await api.ask(LOG)).body["code"], "AUTH_MISSING");
    assertEquals((await api.ask(LOG, { method: "POST", body: {} })).status, 405);
    const first = await ben.ask(`/auth/v1/security-events?limit=3`);
    const { pagination } = first.body;
    assert(isRecord(pagination));
    const next = await ben.ask(`${LOG}?limit=3&starting_after=${pagination["nextCursor"]}`);
    const ids = [...loggedIn(first), ...loggedIn(next)].map(({ id }) => id);
    assertEquals(ids, (await logOf(ben)).map(({ id }) => id).toReversed());
    assertEquals(new Set(ids).size, 5);
    // A cursor is good for its own list.
    const foreign = await root.ask(`${LOG}?limit=3&starting_after=${pagination["nextCursor"]}`);
    assertEquals(foreign.status, 400);
    const all = await logOf(root, "?userId=*&limit=100");
    assertEquals(new Set(all.map(({ userId }) => userId)), new Set([rootId, benId]));
    // No credential of a program reads it.
    const { body: { key } } = await done(ben, "api-key/create", {});
    const byKey = await api.ask(LOG, { headers: { "x-api-key": String(key) } });
    assertEquals(byKey.status, 401);
  }, { sysadminEmails: ["root@example.com"] }));

Deno.test("failures of an unknown address are nobody's, and cost what others do", () =>
  withAccountsApi(async (api) => {
    const root = await signedUp(api, "root");
    for (let time = 0; time < 3; time += 1) {
      await signIn(api, `stranger${time}@example.com`, "wrong");
    }
    assertEquals(kinds(await logOf(root, "?userId=*")), ["sign-in"]);
    const { rows } = await api.database.run({
      sql: "SELECT user_id, address, details FROM qb_security_events WHERE kind = 'sign-in-failed'",
      args: [],
    });
    assertEquals(rows, [[null, null, '{"count":3}']]);
  }, { sysadminEmails: ["root@example.com"] }));

Deno.test("beyond a thousand failures a day of one account there is a count", () =>
  withAccountsApi(async (api) => {
    const ben = await signedUp(api, "ben");
    await api.database.write((transaction) =>
      transaction.run({
        sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO qb_security_events (id, user_id, kind, details, noticed, created_at)
          SELECT 'sec_' || i, (SELECT id FROM auth_user), 'sign-in-failed', '{}', 0,
            strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM n`,
        args: [FAILURES_KEPT_PER_DAY - 1],
      })
    );
    for (let time = 0; time < 3; time += 1) await signIn(api, "ben@example.com", "wrong");
    const log = (await logOf(ben, "?limit=100")).filter(({ details }) =>
      "by" in details || "count" in details
    );
    assertEquals(log.map(({ details }) => details), [{ by: "password" }, { count: 2 }]);
  }));

const NOTICED: ProjectModel = { ...helpdesk, email: { ...helpdesk.email, notices: true } };

function withNotices(
  body: (
    api: ApiUnderTest,
    subjects: () => readonly string[],
    sent: readonly EmailMessage[],
  ) => Promise<void>,
  project = NOTICED,
): Promise<void> {
  const sent: EmailMessage[] = [];
  const email = { send: (message: EmailMessage) => Promise.resolve(void sent.push(message)) };
  const subjects = () =>
    sent.splice(0).map(({ subject }) => subject).filter((one) => !one.startsWith("Confirm"));
  return withAccountsApi((api) => body(api, subjects, sent), { project, given: { email } });
}

Deno.test("a sign-in from a browser that the account does not know is told by mail, once in ten minutes", () =>
  withNotices(async (api, subjects) => {
    const ben = await signedUp(api, "ben");
    assertEquals(subjects(), []);
    assertMatch(ben.cookie, /better-auth\.device=/);
    assertEquals(
      (await signIn(api, "ben@example.com", PASSWORD, { cookie: ben.cookie })).status,
      200,
    );
    assertEquals(subjects(), []);
    const answer = await signIn(api, "ben@example.com");
    const device = answer.headers.getSetCookie().find((line) => line.includes(".device="));
    assertMatch(String(device), /Max-Age=34560000; .*HttpOnly/);
    assertEquals(subjects(), ["Sign-in to sample from a new device"]);
    await signIn(api, "ben@example.com");
    assertEquals(subjects(), []);
    const news = (await logOf(ben)).map(({ details }) => details["newDevice"] ?? false);
    assertEquals(news, [false, false, true, true]);
    // The cookie of another account, and one that is forged, are none.
    await api.database.write((transaction) =>
      transaction.run({ sql: "UPDATE qb_security_events SET noticed = 0", args: [] })
    );
    const eve = await signedUp(api, "eve");
    subjects();
    for (const cookie of [eve.cookie, ben.cookie.replace(/device=\w/, "device=_")]) {
      await signIn(api, "ben@example.com", PASSWORD, { cookie });
      assertEquals(subjects().length, 1);
      await api.database.write((transaction) =>
        transaction.run({ sql: "UPDATE qb_security_events SET noticed = 0", args: [] })
      );
    }
  }));

Deno.test("new keys and passwords are told by mail, and nothing where notices are off", async () => {
  const acts = async (api: ApiUnderTest) => {
    const ben = await signedUp(api, "ben");
    await done(ben, "api-key/create", { name: "one" });
    await done(ben, "api-key/create", { name: "two" });
    await done(ben, "change-password", { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` });
    const refused = await ben.ask("/auth/v1/change-password", {
      currentPassword: "wrong",
      newPassword: `${PASSWORD}4`,
    });
    assertEquals(refused.status, 400);
  };
  await withNotices(async (api, subjects) => {
    await acts(api);
    assertEquals(subjects(), ["New API key at sample", "Your password at sample was changed"]);
  });
  const off = { ...helpdesk, email: { ...helpdesk.email, notices: false } };
  await withNotices(async (api, subjects) => {
    await acts(api);
    assertEquals(subjects(), []);
  }, off);
});

Deno.test("a notice is in the project's words where it has some", async () => {
  const templates = {
    key: { txt: "{{ app }}: {{email}} has a key since {{at}} from {{address}}" },
  };
  await withNotices(async (api, _subjects, sent) => {
    const ben = await signedUp(api, "ben");
    await done(ben, "api-key/create", {});
    assertMatch(
      String(sent.at(-1)?.text),
      /^sample: ben@example.com has a key since \d{4}-.*Z from unknown$/,
    );
  }, { ...NOTICED, email: { ...NOTICED.email, templates } });
});

Deno.test("each notice has a template of its own", () => {
  assertEquals(Object.keys(NOTICES).toSorted(), [...NOTICE_KINDS].toSorted());
});

/** The log of the browser's account, the oldest first. */
async function ownLog(browser: SignInBrowser): Promise<readonly Logged[]> {
  return loggedIn(await browser.ask(LOG)).toReversed();
}

const BOTH = signInProject({ emailCode: true, twoFactor: true });
const EMAIL = "anna@example.com";

Deno.test("a wrong code is a failure, the first right one takes the account over, and the log tells both", () =>
  withSignIn(BOTH, async ({ sent, browser }) => {
    ok(await browser().client.signUp.email({ name: "Eve", email: EMAIL, password: PASSWORD }));
    const anna = browser();
    const enter = (otp: string) => anna.client.signIn.emailOtp({ email: EMAIL, otp });
    ok(await anna.client.emailOtp.sendVerificationOtp({ email: EMAIL, type: "sign-in" }));
    const code = codeIn(sent);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    assertEquals(refusalOf(await enter(wrong)), "400 INVALID_OTP");
    ok(await enter(code));
    const log = await ownLog(anna);
    assertEquals(kinds(log), ["sign-in", "sign-in-failed", "take-over", "sign-in"]);
    assertEquals(log[1]?.details, { by: "mailedCode" });
    assert(isRecord(log[2]?.details["ended"]), "It says what ended");
  }));

Deno.test("with a second factor the log has one sign-in, and each wrong code", () =>
  withSignIn(BOTH, async ({ api, browser }) => {
    const anna = browser();
    ok(await anna.client.signUp.email({ name: "Anna", email: EMAIL, password: PASSWORD }));
    const sql = `UPDATE "auth_user" SET "email_verified" = 1`;
    await api.database.write((transaction) => transaction.run({ sql, args: [] }));
    const enabled = ok(await anna.client.twoFactor.enable({ password: PASSWORD }));
    assert("totpURI" in enabled);
    const device = URI.parse(enabled.totpURI);
    assert(device instanceof TOTP);
    ok(await anna.client.twoFactor.verifyTotp({ code: device.generate() }));
    assertEquals(kinds(await ownLog(anna)), ["sign-in", "factor"]);
    const again = browser();
    ok(await again.client.signIn.email({ email: EMAIL, password: PASSWORD }));
    assertEquals(kinds(await ownLog(anna)), ["sign-in", "factor"]);
    const wrong = String((Number(device.generate()) + 1) % 1_000_000).padStart(6, "0");
    assertEquals(
      refusalOf(await again.client.twoFactor.verifyTotp({ code: wrong })),
      "401 INVALID_CODE",
    );
    const { backupCodes: [backup = ""] } = enabled;
    ok(await again.client.twoFactor.verifyBackupCode({ code: backup }));
    const log = await ownLog(anna);
    assertEquals(kinds(log), ["sign-in", "factor", "sign-in-failed", "sign-in"]);
    assertEquals(log[2]?.details, { by: "totp" });
  }));

Deno.test("events are kept for a year, and forgotten in steps", () =>
  withAccountsApi(async (api) => {
    await signedUp(api, "ben");
    const { rows: [row] } = await api.database.run({
      sql: "SELECT created_at FROM qb_security_events",
      args: [],
    });
    const made = Date.parse(String(row?.[0]));
    const time = { now: made };
    const prune = createLogPruning({ database: api.database, clock: { now: () => time.now } });
    const count = async () =>
      Number(await cell(api, "SELECT count(*) FROM qb_security_events WHERE id > ?", ""));
    const day = 24 * 60 * 60 * 1000;
    time.now = made + 365 * day;
    assertEquals([await prune(), await count()], [false, 1]);
    time.now += 2 * 60 * 60 * 1000;
    assertEquals([await prune(), await count()], [false, 0]);
  }));

Deno.test("templates of notices are checked as those of other messages", async () => {
  const files = await projectFiles(new URL("../../examples/helpdesk/", import.meta.url));
  const codesOf = (name: string, text: string) => {
    const checked = validate({ ...files, [`quickback/email-templates/${name}`]: text });
    return checked.ok ? [] : checked.errors.map(({ code }) => code);
  };
  for (const template of Object.values(NOTICES)) {
    assertEquals(
      codesOf(`${template}.txt`, "{{app}} {{email}} {{at}} {{ address }} {{device}}"),
      [],
    );
    assertEquals(codesOf(`${template}.html`, "{{url}}"), ["EMAIL_PLACEHOLDER_UNKNOWN"]);
  }
  assertEquals(codesOf("notice-none.txt", ""), ["EMAIL_TEMPLATE_UNKNOWN"]);
});
