/** Account routes keep to their description (definitions 7, "account routes"): what it allows is taken, what it forbids is not. */
import { assert, assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import type { AuthOperation } from "../../shared/surface/auth_operations.ts";
import { authOperationsOf } from "../../shared/surface/auth_operations.ts";
import { isLinkRoute } from "../../shared/surface/accounts/operation.ts";
import { forbiddenObject, type Known, validObject } from "../support/account_requests.ts";
import {
  founder,
  helpdesk,
  ORIGIN,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";
import { type Random, seededRandom } from "../support/random.ts";

const test = ofOneDatabase("its rows refer to rows of other organizations' databases");

const OPERATIONS = authOperationsOf(helpdesk);

interface World {
  readonly callers: readonly Visitor[];
  readonly known: Known;
}

/** A sysadmin who owns an organization with a member, a stranger, and what they know. */
async function world(api: ApiUnderTest): Promise<World> {
  const anna = await founder(api, "anna", "acme");
  const ben = await signedUp(api, "ben");
  const carl = await signedUp(api, "carl");
  const invited = await anna.ask("/auth/v1/organization/invite-member", {
    email: "ben@example.com",
    role: "member",
  });
  await ben.ask("/auth/v1/organization/accept-invitation", { invitationId: invited.body["id"] });
  const open = await anna.ask("/auth/v1/organization/invite-member", {
    email: "carl@example.com",
    role: "member",
  });
  const team = await anna.ask("/auth/v1/organization/create-team", { name: "Blue" });
  const key = await anna.ask("/auth/v1/api-key/create", { name: "ci" });
  const ids = async (table: string, column = "id") =>
    (await api.database.run({ sql: `SELECT "${column}" FROM "${table}"`, args: [] })).rows
      .map(([id]) => id);
  return {
    callers: [anna, ben, carl],
    known: {
      userId: await ids("auth_user"),
      id: [key.body["id"], open.body["id"], ...await ids("auth_user")],
      keyId: [key.body["id"]],
      teamId: [team.body["id"]],
      memberId: await ids("auth_member"),
      memberIdOrEmail: await ids("auth_member"),
      invitationId: [open.body["id"]],
      organizationId: await ids("auth_organization"),
      organizationSlug: ["acme"],
      email: ["anna@example.com", "ben@example.com", "new@example.com"],
      token: await ids("auth_session", "token"),
      sessionToken: await ids("auth_session", "token"),
      password: ["correct horse battery"],
      currentPassword: ["correct horse battery"],
      callbackURL: ["/welcome", "http://localhost:8000/welcome"],
      redirectTo: ["/welcome"],
    },
  };
}

function pathOf({ path }: AuthOperation, search: Record<string, unknown> = {}): string {
  const pairs = Object.entries(search).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(pairs).toString();
  return `/auth/v1${path.replace(":token", "some%20token")}${query === "" ? "" : `?${query}`}`;
}

const REFUSED_BY_SCHEMA = ["VALIDATION_ERROR", "VALIDATION_INVALID_INPUT", "INVALID_JSON"];

/** `api.ask` itself holds every answer against the description. */
async function asked(
  api: ApiUnderTest,
  operation: AuthOperation,
  { caller, known, random }: {
    readonly caller: Visitor | null;
    readonly known: Known;
    readonly random: Random;
  },
): Promise<{ readonly answer: Answer; readonly sent: string }> {
  const path = pathOf(operation, validObject(operation.parameters, known, random));
  const body = operation.body && validObject(operation.body, known, random);
  const answer = await api.ask(path, {
    method: operation.method,
    ...(body === null ? {} : { body }),
    headers: { ...ORIGIN, ...(caller ? { cookie: caller.cookie } : {}) },
  });
  return { answer, sent: `${operation.method} ${path} ${JSON.stringify(body)}: ${answer.text}` };
}

for (const seed of [1, 2, 3, 4]) {
  Deno.test(`every account request that the description allows is taken, and answered as described (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    await withAccountsApi(async (api) => {
      const { callers, known } = await world(api);
      for (let count = 0; count < 2 * OPERATIONS.length; count++) {
        const caller = random.chance(90) ? random.pick(callers.slice(0, 2)) : null;
        const operation = random.pick(OPERATIONS);
        const { answer, sent } = await asked(api, operation, { caller, known, random });
        assert(answer.status < 500 && answer.status !== 415, sent);
        assert(!REFUSED_BY_SCHEMA.includes(String(answer.body["code"])), sent);
      }
    }, { sysadminEmails: ["anna@example.com"] });
  });
}

test("every account route answers a caller whom it serves as described", async () => {
  await withAccountsApi(async (api) => {
    const random = seededRandom(7);
    const { callers: [anna = null], known } = await world(api);
    const restore = await kept(api);
    for (const operation of OPERATIONS) {
      const { answer, sent } = await asked(api, operation, { caller: anna, known, random });
      assert(answer.status < 500, sent);
      await restore();
    }
  }, { sysadminEmails: ["anna@example.com"] });
});

Deno.test("a body that the description forbids is refused by every account route, and changes nothing", async () => {
  await withAccountsApi(async (api) => {
    const random = seededRandom(11);
    const { callers: [anna], known } = await world(api);
    const before = await everything(api);
    for (const operation of OPERATIONS) {
      const { body: schema } = operation;
      if (schema === null) continue;
      for (let count = 0; count < 4; count++) {
        // Of an organization that is not named as it should be, the caller is told first that it is not theirs.
        const { organizationId: _, organizationSlug: _slug, ...valid } = validObject(
          schema,
          known,
          random,
        );
        const { body, how } = forbiddenObject(schema, valid, random);
        const answer = await api.ask(pathOf(operation), {
          method: "POST",
          body,
          headers: { ...ORIGIN, cookie: anna?.cookie ?? "" },
        });
        const said = `${operation.path} ${how}: ${answer.text}`;
        assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], said);
      }
    }
    assertEquals(await everything(api), before);
  }, { sysadminEmails: ["anna@example.com"] });
});

/** Puts the accounts' tables back as they are now. */
async function kept({ database }: ApiUnderTest): Promise<() => Promise<void>> {
  const { rows: names } = await database.run({
    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'auth_*'",
    args: [],
  });
  const tables = await Promise.all(names.map(async ([name]) => {
    const { rows } = await database.run({ sql: `SELECT * FROM "${name}"`, args: [] });
    return { name, rows };
  }));
  return () =>
    database.write(async (transaction) => {
      await transaction.run({ sql: "PRAGMA defer_foreign_keys = ON", args: [] });
      for (const { name } of tables) {
        await transaction.run({ sql: `DELETE FROM "${name}"`, args: [] });
      }
      for (const { name, rows } of tables) {
        for (const row of rows) {
          const sql = `INSERT INTO "${name}" VALUES (${row.map(() => "?").join(", ")})`;
          await transaction.run({ sql, args: row });
        }
      }
    });
}

async function everything(api: ApiUnderTest): Promise<unknown> {
  const tables = ["user", "session", "account", "organization", "member", "team", "apikey"];
  return await api.database.runAll(
    tables.map((name) => ({ sql: `SELECT * FROM "auth_${name}" ORDER BY "id"`, args: [] })),
  );
}

/** Nobody is served in an organization that there is not. */
function inKnown(sent: Record<string, unknown>, { organizationId, organizationSlug }: Known) {
  const names = { organizationId: organizationId?.[0], organizationSlug: organizationSlug?.[0] };
  const meant = Object.entries(names).filter(([name]) => Object.hasOwn(sent, name));
  return { ...sent, ...Object.fromEntries(meant) };
}

Deno.test("a NUL character in any text of any account route is 400 for whom it serves, and 404 in a path", async () => {
  await withAccountsApi(async (api) => {
    const random = seededRandom(13);
    const { callers: [anna], known } = await world(api);
    for (const operation of OPERATIONS) {
      for (const cookie of [anna?.cookie ?? "", ""]) {
        const headers = { ...ORIGIN, ...(cookie === "" ? {} : { cookie }) };
        const ask = async (path: string, body?: unknown) => {
          const answer = await api.ask(path, {
            method: operation.method,
            headers,
            ...(body === undefined ? {} : { body }),
          });
          const isRefused = operation.who === "session" && cookie === "";
          const expected = path.includes("%00token") ? 404 : isRefused ? 401 : 400;
          assertEquals(
            answer.status,
            expected,
            `${operation.method} ${path} ${JSON.stringify(body)}`,
          );
        };
        const query = inKnown(validObject(operation.parameters, known, random), known);
        const body = operation.body && inKnown(validObject(operation.body, known, random), known);
        for (const name of Object.keys(query)) {
          await ask(pathOf(operation, { ...query, [name]: "a\0b" }), body ?? undefined);
        }
        for (const [name, value] of Object.entries(body ?? {})) {
          if (typeof value !== "string") continue;
          await ask(pathOf(operation, query), { ...body, [name]: "a\0b" });
        }
        if (operation.path.includes(":token")) {
          await ask(pathOf(operation, query).replace("%20", "%00"));
        }
      }
    }
  }, { sysadminEmails: ["anna@example.com"] });
});

Deno.test("a form is 415 on every account route but those of mailed links, and an empty body is fine where nothing is asked for", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    for (const operation of OPERATIONS.filter((one) => one.body !== null && !isLinkRoute(one))) {
      for (const cookie of [anna.cookie, ""]) {
        const answer = await api.ask(pathOf(operation), {
          method: "POST",
          body: "email=anna%40example.com",
          headers: {
            ...ORIGIN,
            ...(cookie === "" ? {} : { cookie }),
            "content-type": "application/x-www-form-urlencoded",
          },
        });
        assertEquals(
          [answer.status, answer.body["code"]],
          operation.who === "session" && cookie === ""
            ? [401, "AUTH_MISSING"]
            : [415, "UNSUPPORTED_MEDIA_TYPE"],
          operation.path,
        );
      }
    }
    const out = { method: "POST", headers: { ...ORIGIN, cookie: anna.cookie } };
    assertEquals((await api.ask("/auth/v1/sign-out", out)).status, 200);
  }, { sysadminEmails: ["anna@example.com"] });
});

Deno.test("an address and a slug that two ask for at once are one's, and the other is told", async () => {
  await withAccountsApi(async (api) => {
    const [anna, ben] = [await signedUp(api, "anna"), await signedUp(api, "ben")];
    const found = (visitor: Visitor) =>
      visitor.ask("/auth/v1/organization/create", { name: "Acme", slug: "acme" });
    const statuses = (await Promise.all([found(anna), found(ben)])).map(({ status }) => status);
    assertEquals(statuses.toSorted()[0], 200);
    assert([400, 409].includes(statuses.toSorted()[1] ?? 0), String(statuses));
  });
});

Deno.test("where nobody may sign up there is no route for it, and signing in is as ever", async () => {
  const closed = { ...helpdesk, auth: { ...helpdesk.auth, disableSignUp: true } };
  await withAccountsApi(async (api) => {
    const body = { name: "ben", email: "ben@example.com", password: "correct horse battery" };
    const refused = await api.ask("/auth/v1/sign-up/email", { body, headers: ORIGIN });
    assertEquals([refused.status, refused.body["code"]], [404, "ROUTE_NOT_FOUND"]);
    const { rows } = await api.database.run({ sql: 'SELECT 1 FROM "auth_user"', args: [] });
    assertEquals(rows, []);
    const { email, password } = body;
    const unknown = await api.ask("/auth/v1/sign-in/email", {
      body: { email, password },
      headers: ORIGIN,
    });
    assertEquals(unknown.status, 401);
  }, { project: closed });
});
