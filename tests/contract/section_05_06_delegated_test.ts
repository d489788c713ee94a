/** Delegated principals: their scheme, their closed variants, and all that they never are (contract 5.4, 5.6). */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { eq } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { memoryRateLimiter } from "../../library/platform/memory_rate_limiter.ts";
import type { Verifiers } from "../../shared/runtime/layers/1-authentication/delegated.ts";
import type { RateLimiter } from "../../shared/runtime/ports.ts";
import { NO_CODE } from "../../shared/surface/authored_code.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Ask,
  isRecord,
  withDefinitions,
} from "../support/api.ts";
import { limiterOf } from "../support/limiter.ts";

const test = ofOneDatabase("a role beyond the firewall needs an organization there");

const CONFIG = `export default { name: "signs", auth: {
  roleHierarchy: ["viewer", "editor"],
  roles: ["counter"],
  principals: {
    kiosk: { scheme: "Kiosk", verify: "services/kiosk", variants: ["hall", "desk"] },
    gate: { scheme: "Gate-Key", verify: "services/gate", variants: ["north"] },
  },
} };
`;

/** A table of everybody's, with the one rule that is asked about. */
const open = (name: string, access: string, rest = "") =>
  `import { feature, q } from "quickback";
export default feature("${name}", {
  columns: { title: q.text(), secret: q.text()${rest} },
  firewall: { exception: true },
  guards: { createable: ["title", "secret"], updatable: ["title"] },
  read: { access: ${access} }, create: { access: ${access} }, update: { access: ${access} },
});
`;

const FEATURES: Readonly<Record<string, string>> = {
  signs: open("signs", '{ roles: ["kiosk/hall"] }'),
  counters: open("counters", '{ roles: ["counter"] }'),
  papers: open("papers", '{ roles: ["PUBLIC"] }'),
  insiders: open("insiders", '{ roles: ["AUTHENTICATED", "SESSION", "SCOPED"] }'),
  ranks: open("ranks", '{ roles: ["viewer+", "owner", "admin", "member", "sysadmin"] }'),
  conditions: open("conditions", '{ record: { title: "open" } }'),
  halves: open("halves", '{ or: [{ record: { title: "open" } }, { roles: ["kiosk/desk"] }] }'),
  tenants: `import { feature, q } from "quickback";
export default feature("tenants", { columns: { organizationId: q.scope("organization"), title: q.text() },
  guards: { createable: ["title"] }, read: { access: { roles: ["kiosk/hall"] } }, create: { access: { roles: ["kiosk/hall"] } } });
`,
  owned: `import { feature, q } from "quickback";
export default feature("owned", { columns: { ownerId: q.scope("owner"), title: q.text() },
  guards: { createable: ["title"] }, read: { access: { roles: ["kiosk/hall"] } }, create: { access: { roles: ["kiosk/hall"] } } });
`,
  teams: `import { feature, q } from "quickback";
export default feature("teams", { columns: { teamId: q.scope("team"), title: q.text() },
  guards: { createable: ["title"] }, read: { access: { roles: ["kiosk/hall"] } }, create: { access: { roles: ["kiosk/hall"] } } });
`,
};

const FILES = {
  "quickback/quickback.config.ts": CONFIG,
  "quickback/services/kiosk.ts": "export default (credential: string) => null;\n",
  "quickback/services/gate.ts": "export default (credential: string) => null;\n",
  ...Object.fromEntries(
    Object.entries(FEATURES).map(([name, text]) => [
      `quickback/features/${name}/${name}.ts`,
      text,
    ]),
  ),
};

const signs = sqliteTable("signs", { title: text("title"), secret: text("secret") });
const tenants = sqliteTable("tenants", { title: text("title") });

type Given = { readonly env: Readonly<Record<string, string | undefined>>; readonly db: Asked };
/** What this test's verifiers ask of their database. */
interface Asked {
  select(): {
    from(table: unknown): PromiseLike<readonly unknown[]> & {
      where(condition: unknown): PromiseLike<readonly unknown[]>;
    };
  };
  insert(table: unknown): { values(row: unknown): PromiseLike<unknown> };
}

/** The database of the verifier that kept it. */
let keptDb: Asked | null = null;

/** What each credential makes the verifier say or do. */
const SAID: Readonly<Record<string, (given: Given) => unknown>> = {
  "hall": () => ({ variant: "hall", subject: "k1", roles: [] }),
  "hall2": () => ({ variant: "hall", subject: "k2", roles: [] }),
  "without-roles": () => ({ variant: "hall", subject: "k1" }),
  "desk": () => ({ variant: "desk", subject: "d1", roles: ["counter"] }),
  "later": () => Promise.resolve({ variant: "hall", subject: "k1", roles: [] }),
  "env": ({ env }) => env["KIOSKS"] === "on" ? { variant: "hall", subject: "k1", roles: [] } : null,
  'sig="a b", key=7': () => ({ variant: "hall", subject: "k1", roles: [] }),
  "id:secret": () => ({ variant: "hall", subject: "k1", roles: [] }),
  "stored": async ({ db }) =>
    (await db.select().from(signs).where(eq(signs.secret, "s3cr3t"))).length === 1
      ? { variant: "hall", subject: "stored", roles: [] }
      : null,
  "keeps": ({ db }) => {
    keptDb = db;
    return { variant: "hall", subject: "k1" };
  },
  "none": () => null,
  "nothing": () => undefined,
  "throws": () => {
    throw new Error("kiosk-database-password");
  },
  "rejects": () => Promise.reject(new Error("kiosk-database-password")),
  "text": () => "hall",
  "list": () => ["hall"],
  "unknown-variant": () => ({ variant: "lobby", subject: "k1", roles: [] }),
  "foreign-variant": () => ({ variant: "north", subject: "k1", roles: [] }),
  "prototype": () => ({ variant: "constructor", subject: "k1", roles: [] }),
  "no-subject": () => ({ variant: "hall", roles: [] }),
  "empty-subject": () => ({ variant: "hall", subject: "", roles: [] }),
  "long-subject": () => ({ variant: "hall", subject: "k".repeat(129), roles: [] }),
  "broken-subject": () => ({ variant: "hall", subject: "k\n1", roles: [] }),
  "number-subject": () => ({ variant: "hall", subject: 1, roles: [] }),
  "user": () => ({ variant: "hall", subject: "k1", roles: [], userId: "user_1" }),
  "organization": () => ({ variant: "hall", subject: "k1", roles: [], organizationId: "org_1" }),
  "team": () => ({ variant: "hall", subject: "k1", roles: [], teamId: "team_1" }),
  "scope": () => ({ variant: "hall", subject: "k1", roles: [], scope: "reports" }),
  "platform": () => ({ variant: "hall", subject: "k1", roles: [], userRole: "sysadmin" }),
  "symbol": () => ({ variant: "hall", subject: "k1", roles: [], [Symbol("x")]: 1 }),
  "getter": () => ({
    get variant() {
      return "hall";
    },
    subject: "k1",
    roles: [],
  }),
  "inherited": () => Object.create({ variant: "hall", subject: "k1", roles: [] }),
  "roles-text": () => ({ variant: "hall", subject: "k1", roles: "counter" }),
  "roles-number": () => ({ variant: "hall", subject: "k1", roles: [1] }),
  "roles-many": () => ({
    variant: "hall",
    subject: "k1",
    roles: Array.from({ length: 65 }, (_, at) => `r${at}`),
  }),
  ...Object.fromEntries(
    ["PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager", "owner", "admin"]
      .concat(["member", "viewer", "editor", "kiosk/desk", "gate/north", "a b", "a,b", ""])
      .map((role) => [
        `role=${role.replace(/[ ,/]/g, "_")}`,
        () => ({ variant: "hall", subject: "k1", roles: [role] }),
      ]),
  ),
  "writes": async ({ db }) => {
    await db.insert(signs).values({ title: "written" });
    return { variant: "hall", subject: "k1", roles: [] };
  },
  "tenant": async ({ db }) =>
    (await db.select().from(tenants)).length > 0
      ? { variant: "hall", subject: "k1", roles: [] }
      : null,
};

const verifiers: Verifiers = {
  "quickback/services/kiosk.ts": (credential: string, given: Given) =>
    Object.hasOwn(SAID, credential) ? SAID[credential]?.(given) : null,
  "quickback/services/gate.ts": (credential: string) =>
    credential === "north" ? { variant: "north", subject: "k1", roles: ["counter"] } : null,
};

interface Options {
  readonly limiter?: RateLimiter;
}

function withKiosks(body: (api: ApiUnderTest) => Promise<void>, options: Options = {}) {
  const authored = { ...NO_CODE, verifiers };
  const actions = { authored, schema: { signs, tenants }, env: { KIOSKS: "on" } };
  return withDefinitions(FILES, async (api) => {
    await api.database.write((transaction) =>
      transaction.runAll([
        `INSERT INTO signs (id, title, secret, created_at, modified_at) VALUES ('s1', 'open', 's3cr3t', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
        `INSERT INTO tenants (id, title, organization_id, created_at, modified_at) VALUES ('t1', 'a', 'org_1', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
      ].map((sql) => ({ sql, args: [] })))
    );
    await body(api);
  }, { actions, ...options });
}

const as = (authorization: string, rest: Ask = {}): Ask => ({
  ...rest,
  headers: { ...rest.headers, authorization },
});
const outcome = ({ status, body }: Answer) =>
  body["code"] === undefined ? status : `${status} ${body["code"]}`;

Deno.test("a credential is good when its verifier says so in the closed form", async () => {
  await withKiosks(async (api) => {
    for (
      const credential of [
        "hall",
        "without-roles",
        "later",
        "env",
        "stored",
        "id:secret",
        'sig="a b", key=7',
      ]
    ) {
      assertEquals(outcome(await api.ask("signs", as(`Kiosk ${credential}`))), 200, credential);
    }
    assertEquals(api.log, []);
  });
});

Deno.test("whatever else a verifier says or does is an invalid credential, and tells nothing", async () => {
  const good = ["hall", "hall2", "without-roles", "desk", "later", "env", "stored", "id:secret"]
    .concat("keeps");
  const bad = Object.keys(SAID).filter((name) => !good.includes(name) && !name.includes(" "));
  assert(bad.length > 30);
  await withKiosks(async (api) => {
    const bodies = new Set<string>();
    for (const credential of bad) {
      const answer = await api.ask("signs", as(`Kiosk ${credential}`));
      assertEquals(outcome(answer), "401 AUTH_INVALID_TOKEN", credential);
      bodies.add(answer.text.replace(/"requestId":"[^"]*"/, ""));
    }
    assertEquals(bodies.size, 1);
    const [body = ""] = bodies;
    assert(!/kiosk|password|verifier/i.test(body), body);
    const { rows } = await api.database.run({ sql: "SELECT count(*) FROM signs", args: [] });
    assertEquals(rows, [[1]]);
  });
});

const HEADERS: readonly (readonly [string, string])[] = [
  ["another case", "kiosk hall"],
  ["a longer scheme", "KioskX hall"],
  ["a shorter scheme", "Kios hall"],
  ["no credential", "Kiosk"],
  ["an empty credential", "Kiosk  "],
  ["a tab", "Kiosk\thall"],
  ["a colon", "Kiosk: hall"],
  ["another principal's scheme", "Gate-Key hall"],
  ["the header twice", "Kiosk hall, Kiosk hall"],
  ["a bearer beside it", "Kiosk hall, Bearer abc"],
  ["a bearer before it", "Bearer abc, Kiosk hall"],
  ["the credential as a bearer", "Bearer hall"],
  ["two words", "Kiosk hall desk"],
  ["a list", "Kiosk hall,desk"],
  ["a half parameter", 'Kiosk sig="a'],
  ["letters outside of ASCII", "Kiosk h\u00e4ll"],
  ["more than 8 KiB", `Kiosk ${"h".repeat(8200)}`],
];

for (const [what, authorization] of HEADERS) {
  Deno.test(`an Authorization header with ${what} is 401`, async () => {
    await withKiosks(async (api) => {
      const answer = await api.ask("signs", as(authorization));
      assertEquals(outcome(answer), "401 AUTH_INVALID_TOKEN");
    });
  });
}

const ADMITTED: readonly (readonly [path: string, credential: string, expected: unknown])[] = [
  ["signs", "Kiosk hall", 200],
  ["signs", "Kiosk desk", "403 ACCESS_ROLE_REQUIRED"],
  ["signs", "Gate-Key north", "403 ACCESS_ROLE_REQUIRED"],
  ["counters", "Kiosk hall", "403 ACCESS_ROLE_REQUIRED"],
  ["counters", "Kiosk desk", 200],
  ["counters", "Gate-Key north", 200],
  ["papers", "Kiosk hall", 200],
  ["insiders", "Kiosk hall", "403 ACCESS_ROLE_REQUIRED"],
  ["insiders", "Kiosk desk", "403 ACCESS_ROLE_REQUIRED"],
  ["ranks", "Kiosk desk", "403 ACCESS_ROLE_REQUIRED"],
  ["conditions", "Kiosk hall", "403 ACCESS_ROLE_REQUIRED"],
  ["halves", "Kiosk hall", "403 ACCESS_ROLE_REQUIRED"],
  ["halves", "Kiosk desk", 200],
  ["tenants", "Kiosk hall", "403 ACCESS_NO_ORG"],
  ["tenants?organizationId=org_1", "Kiosk hall", "403 ACCESS_NO_ORG"],
  ["tenants/t1", "Kiosk hall", "403 ACCESS_NO_ORG"],
  ["owned", "Kiosk hall", 200],
  ["teams", "Kiosk hall", 200],
  ["/openapi.json", "Kiosk hall", "403 ACCESS_ROLE_REQUIRED"],
  ["/llms.txt", "Kiosk hall", "403 ACCESS_ROLE_REQUIRED"],
];

for (const [path, authorization, expected] of ADMITTED) {
  test(`${authorization} reading ${path} is ${expected}`, async () => {
    await withKiosks(async (api) => {
      assertEquals(outcome(await api.ask(path, as(authorization))), expected);
    });
  });
}

const WRITES: readonly (readonly [path: string, expected: unknown])[] = [
  ["signs", 201],
  ["counters", "403 ACCESS_ROLE_REQUIRED"],
  ["tenants", "403 ACCESS_NO_ORG"],
  ["owned", "403 ACCESS_OWNERSHIP_REQUIRED"],
  ["teams", "403 ACCESS_CONDITION_FAILED"],
  ["/api/v1/token/scope", "401 AUTH_SESSION_REQUIRED"],
];

for (const [path, expected] of WRITES) {
  Deno.test(`Kiosk hall writing to ${path} is ${expected}`, async () => {
    await withKiosks(async (api) => {
      const body = path.includes("token") ? { scope: "reports" } : { title: "a" };
      assertEquals(outcome(await api.ask(path, as("Kiosk hall", { body }))), expected);
    });
  });
}

Deno.test("what a delegated principal writes has no author, and no owner sees it plain", async () => {
  await withKiosks(async (api) => {
    const created = await api.ask("signs", as("Kiosk hall", { body: { title: "a", secret: "b" } }));
    assertEquals([created.body["createdBy"], created.body["secret"]], [null, "[REDACTED]"]);
    const listed = await api.ask("signs", as("Kiosk hall"));
    const data = listed.body["data"];
    assert(Array.isArray(data) && data.length === 2);
    assert(data.every((row) => isRecord(row) && row["secret"] === "[REDACTED]"));
  });
});

Deno.test("a member can neither hold a variant nor be taken for one", async () => {
  await withKiosks(async (api) => {
    const member = { sub: "user_1", orgId: "org_1", roles: ["kiosk/hall", "kiosk/desk"] };
    assertEquals(outcome(await api.ask("signs", { as: member })), "403 ACCESS_ROLE_REQUIRED");
    assertEquals(outcome(await api.ask("halves", { as: { sub: "kiosk/k1" } })), 200);
    assertEquals(api.project.auth.roles.some((role) => role.includes("/")), false);
  });
});

Deno.test("a delegated credential beside any other one is refused", async () => {
  await withKiosks(async (api) => {
    for (const headers of [{ "x-api-key": "abc" }, { "x-api-key": "" }]) {
      const answer = await api.ask("signs", as("Kiosk hall", { headers }));
      assertEquals(outcome(answer), "401 AUTH_INVALID_TOKEN");
    }
  });
});

Deno.test("each subject has a limit and idempotency keys of its own", async () => {
  const taken: string[] = [];
  const limiter = limiterOf((key) => Promise.resolve(Boolean(taken.push(key))));
  await withKiosks(async (api) => {
    const write = (credential: string, title: string) =>
      api.ask("signs", {
        ...as(credential, { headers: { "idempotency-key": "key-1" } }),
        body: { title },
        clientIp: "203.0.113.7",
      });
    const first = await write("Kiosk hall", "a");
    assertEquals(first.status, 201);
    assertEquals((await write("Kiosk hall", "a")).text, first.text);
    assertEquals(outcome(await write("Kiosk hall", "b")), "422 IDEMPOTENCY_KEY_REUSED");
    assertEquals((await write("Kiosk hall2", "b")).status, 201);
    assertEquals(new Set(taken), new Set(["signs:create:kiosk/k1", "signs:create:kiosk/k2"]));
  }, { limiter });
});

Deno.test("refused credentials count against their address", async () => {
  const limiter = memoryRateLimiter({ clock: { now: () => 0 } });
  await withKiosks(async (api) => {
    const ask = () => api.ask("signs", { ...as("Kiosk none"), clientIp: "203.0.113.7" });
    for (let count = 0; count < 600; count++) await ask();
    assertEquals(outcome(await ask()), "401 AUTH_RATE_LIMITED");
    const good = await api.ask("signs", { ...as("Kiosk hall"), clientIp: "203.0.113.7" });
    assertEquals(good.status, 200);
  }, { limiter });
});

Deno.test("a failing verifier is logged with its principal, and without the credential", async () => {
  await withKiosks(async (api) => {
    await api.ask("signs", as("Kiosk throws"));
    const [entry] = api.log;
    assertMatch(entry?.message ?? "", /delegated principal "kiosk" failed/);
    assertEquals(entry?.fields, undefined);
  });
});

Deno.test("a verifier's database ends with its verdict", async () => {
  await withKiosks(async (api) => {
    assertEquals(outcome(await api.ask("signs", as("Kiosk keeps"))), 200);
    const late = keptDb;
    assert(late !== null);
    await assertRejects(async () => await late.select().from(signs), Error, "is over");
  });
});

Deno.test("an application without the code of a verifier does not start", async () => {
  let message = "";
  try {
    await withDefinitions(FILES, () => Promise.resolve());
  } catch (error) {
    message = String(error);
  }
  assertMatch(message, /"gate" has no verifier "quickback\/services\/gate.ts"/);
});
