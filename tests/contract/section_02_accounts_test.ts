/** `q.account()`: rows name members of their own organization, whichever way they are written (definitions 3). */
import { assertEquals, assertMatch } from "@std/assert";
import { analyzed, CONFIG_FILE } from "../support/analysis.ts";
import { type Answer, type ApiUnderTest, type Claims, isRecord } from "../support/api.ts";
import { withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DEFAULT_DRIVER, DRIVERS, TENANT_DRIVERS } from "../support/databases.ts";
import { type Random, seededRandom } from "../support/random.ts";

const lead: Claims = { sub: "lead", orgId: "org_1", roles: ["lead"] };
const other: Claims = { sub: "otto", orgId: "org_2", roles: ["lead"] };
const root: Claims = { sub: "root", orgId: "org_1", roles: ["root"] };

const LEADS = '{ access: { roles: ["lead", "root"] } }';

export const FILES: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": `export default {
  name: "desk",
  contract: { changeset: true },
  providers: { database: { name: "libsql", generateId: false } },
};
`,
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text(),
    assigneeId: q.account(),
    reviewerId: q.account(),
    createdFor: q.account().default("$ctx.userId"),
    version: q.revision(),
  },
  firewall: [{ field: "organizationId", equals: "ctx.activeOrgId", exceptRoles: ["root"] }],
  guards: false,
  read: ${LEADS}, create: ${LEADS}, update: ${LEADS}, upsert: ${LEADS},
  delete: { access: { roles: ["lead", "root"] }, restore: ${LEADS} },
});
`,
};

/** Accounts, and their memberships as `<user>@<organization>`. */
export async function people(
  api: ApiUnderTest,
  members: readonly string[],
  alone: readonly string[] = [],
): Promise<void> {
  const users = new Set([...members.map((one) => one.split("@")[0] ?? ""), ...alone]);
  const organizations = new Set(members.map((one) => one.split("@")[1] ?? ""));
  const at = new Date(api.ports.clock.now()).toISOString();
  await api.database.write(async (transaction) => {
    for (const id of users) {
      await transaction.run({
        sql: `INSERT OR IGNORE INTO auth_user
          (id, name, email, email_verified, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?)`,
        args: [id, `The ${id}`, `${id}@example.com`, at, at],
      });
    }
    for (const id of organizations) {
      await transaction.run({
        sql:
          `INSERT OR IGNORE INTO auth_organization (id, name, slug, created_at) VALUES (?, ?, ?, ?)`,
        args: [id, id, id, at],
      });
    }
    for (const one of members) {
      const [user = "", organization = ""] = one.split("@");
      await transaction.run({
        sql: `INSERT INTO auth_member (id, organization_id, user_id, role, created_at)
          VALUES (?, ?, ?, 'member', ?)`,
        args: [one, organization, user, at],
      });
    }
  });
}

const sqlOf = (api: ApiUnderTest, sql: string, ...args: string[]) =>
  api.database.write((transaction) => transaction.run({ sql, args }));

const leave = (api: ApiUnderTest, member: string) =>
  sqlOf(api, "DELETE FROM auth_member WHERE id = ?", member);

const ban = (api: ApiUnderTest, user: string, until: string | null = null) =>
  api.database.write((transaction) =>
    transaction.run({
      sql: "UPDATE auth_user SET banned = 1, ban_expires = ? WHERE id = ?",
      args: [until, user],
    })
  );

let count = 0;
const newId = () => `order_${count += 1}`;

function assertStranger(answer: Answer, column = "assigneeId"): void {
  assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], answer.text);
  assertEquals(answer.body["pointer"], `/${column}`);
  const { details } = answer.body;
  assertEquals(isRecord(details) ? details["fields"] : null, {
    [column]: "Must be the id of a member of the record's organization",
  });
}

/** One row with this account, made or changed in each way that a request has; answers by way. */
async function writtenBy(
  api: ApiUnderTest,
  as: Claims,
  assigneeId: string,
): Promise<Readonly<Record<string, Answer>>> {
  const made = async () => {
    const id = newId();
    assertEquals((await api.ask("orders", { as, body: { id } })).status, 201);
    return id;
  };
  const [one, two, three, four] = [await made(), await made(), await made(), await made()];
  return {
    create: await api.ask("orders", { as, body: { id: newId(), assigneeId } }),
    update: await api.ask(`orders/${one}`, { as, method: "PATCH", body: { assigneeId } }),
    "merge patch": await api.ask(`orders/${one}`, {
      as,
      method: "PATCH",
      body: { assigneeId },
      headers: { "content-type": "application/merge-patch+json" },
    }),
    put: await api.ask(`orders/${two}`, { as, method: "PUT", body: { assigneeId } }),
    "put of a new row": await api.ask(`orders/${newId()}`, {
      as,
      method: "PUT",
      body: { assigneeId },
    }),
    "create under a key": await api.ask("orders", {
      as,
      body: { id: newId(), assigneeId },
      headers: { "idempotency-key": newId() },
    }),
    "batch create": await api.ask("orders/batch", {
      as,
      body: { records: [{ id: newId(), assigneeId }] },
    }),
    "batch update": await api.ask("orders/batch", {
      as,
      method: "PATCH",
      body: { records: [{ id: three, assigneeId }] },
    }),
    "batch upsert": await api.ask("orders/batch", {
      as,
      method: "PUT",
      body: { records: [{ id: four, assigneeId }, { id: newId(), assigneeId }] },
    }),
    "changeset create": await api.ask("changeset", {
      as,
      body: {
        operations: [{ op: "create", resource: "orders", data: { id: newId(), assigneeId } }],
      },
    }),
    "changeset update": await api.ask("changeset", {
      as,
      body: { operations: [{ op: "update", resource: "orders", id: one, data: { assigneeId } }] },
    }),
  };
}

/** Every code in an answer, those of a batch's items too. */
function codesIn(answer: Answer): readonly string[] {
  return [...answer.text.matchAll(/"code":"([A-Z_]+)"/g)].map(([, code = ""]) => code);
}

const isTaken = (answer: Answer) => codesIn(answer).length === 0 && answer.status < 300;

for (const driver of [...DRIVERS, ...TENANT_DRIVERS]) {
  Deno.test(`only members of the row's organization are taken, on every way (${driver.name})`, async () => {
    await withDefinitions(FILES, async (api) => {
      await people(api, ["mia@org_1", "ned@org_2", "gone@org_1", "bad@org_1"], ["ivy"]);
      await leave(api, "gone@org_1");
      await ban(api, "bad");
      const takes: Record<string, boolean> = {
        mia: true,
        // The caller's own credential is the proof of it.
        lead: true,
        // Of another tenant, removed, banned, without any organization, and nobody.
        ned: false,
        gone: false,
        bad: false,
        ivy: false,
        nobody: false,
      };
      for (const [user, isMember] of Object.entries(takes)) {
        for (const [way, answer] of Object.entries(await writtenBy(api, lead, user))) {
          assertEquals(isTaken(answer), isMember, `${way} of ${user}: ${answer.text}`);
          if (!isMember) assertEquals(new Set(codesIn(answer)), new Set(["VALIDATION_ERROR"]), way);
        }
      }
      if (api.tenants !== null) return;
      const { rows } = await api.database.run({
        sql: "SELECT DISTINCT assignee_id FROM orders WHERE assignee_id IS NOT NULL ORDER BY 1",
        args: [],
      });
      assertEquals(rows, [["lead"], ["mia"]]);
    }, { driver });
  });
}

Deno.test("every stranger of a body is named, and a caller of another tenant is none of ours", async () => {
  await withDefinitions(FILES, async (api) => {
    await people(api, ["mia@org_1", "ned@org_2"]);
    const { body } = await api.ask("orders", {
      as: lead,
      body: { id: newId(), assigneeId: "ned", reviewerId: "otto" },
    });
    assertEquals(
      isRecord(body["details"]) ? Object.keys(Object(body["details"]["fields"])) : null,
      [
        "assigneeId",
        "reviewerId",
      ],
    );
    assertStranger(
      await api.ask("orders", { as: other, body: { id: newId(), assigneeId: "mia" } }),
    );
    assertEquals(
      (await api.ask("orders", { as: other, body: { id: newId(), assigneeId: "ned" } })).status,
      201,
    );
  });
});

Deno.test("an invitation is no membership, and a ban that is over is none any more", async () => {
  await withDefinitions(FILES, async (api) => {
    await people(api, ["mia@org_1", "was@org_1"], ["guest"]);
    await sqlOf(
      api,
      `INSERT INTO auth_invitation (id, organization_id, email, status, inviter_id, expires_at, created_at)
        VALUES ('i', 'org_1', 'guest@example.com', 'pending', 'mia', '2030-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    );
    assertStranger(
      await api.ask("orders", { as: lead, body: { id: newId(), assigneeId: "guest" } }),
    );
    await ban(api, "was", "2026-01-02T03:04:06.000Z");
    assertStranger(await api.ask("orders", { as: lead, body: { id: newId(), assigneeId: "was" } }));
    api.pass(1000);
    assertEquals(
      (await api.ask("orders", { as: lead, body: { id: newId(), assigneeId: "was" } })).status,
      201,
    );
  });
});

Deno.test("whoever writes rows of other tenants names members of the row's own", async () => {
  await withDefinitions(FILES, async (api) => {
    await people(api, ["mia@org_1", "ned@org_2"]);
    const id = newId();
    assertEquals((await api.ask("orders", { as: other, body: { id } })).status, 201);
    const change = (assigneeId: string) =>
      api.ask(`orders/${id}`, { as: root, method: "PATCH", body: { assigneeId } });
    assertStranger(await change("mia"));
    assertStranger(await change("root"));
    assertEquals((await change("ned")).status, 200);
    const batch = (assigneeId: string) =>
      api.ask("orders/batch", {
        as: root,
        method: "PATCH",
        body: { records: [{ id, assigneeId }] },
      });
    assertEquals(isTaken(await batch("mia")), false);
    assertEquals(isTaken(await batch("ned")), true);
  });
});

Deno.test("a row that names who is gone stays as it is, and may be changed elsewhere", async () => {
  await withDefinitions(FILES, async (api) => {
    await people(api, ["mia@org_1"]);
    const id = newId();
    assertEquals(
      (await api.ask("orders", { as: lead, body: { id, assigneeId: "mia" } })).status,
      201,
    );
    await leave(api, "mia@org_1");
    const { status, body } = await api.ask(`orders/${id}`, {
      as: lead,
      method: "PATCH",
      body: { title: "a" },
    });
    assertEquals([status, body["assigneeId"], body["createdFor"]], [200, "mia", "lead"]);
    assertEquals((await api.ask(`orders/${id}`, { as: lead, method: "DELETE" })).status, 200);
    const restored = await api.ask(`orders/${id}/restore`, { as: lead, method: "POST" });
    assertEquals([restored.status, restored.body["assigneeId"]], [200, "mia"]);
    assertStranger(
      await api.ask(`orders/${id}`, { as: lead, method: "PATCH", body: { assigneeId: "mia" } }),
    );
    assertEquals((await api.ask("orders?assigneeId=mia", { as: lead })).status, 200);
  });
});

const ASSIGN = `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { orders } from "../schema";
export default defineAction({
  description: "Assign", path: "/assign", method: "POST",
  input: z.object({ id: z.string(), assigneeId: z.string().nullable(), way: z.enum(["insert", "update", "upsert", "all"]) }),
  access: { roles: ["lead"] },
  execute: async ({ db, input: { id, assigneeId, way } }) => {
    if (way === "insert") return void await db.insert(orders).values({ id, assigneeId });
    if (way === "update") return void await db.update(orders).set({ assigneeId }).where(eq(orders.id, id));
    if (way === "all") return void await db.update(orders).set({ assigneeId: orders.title });
    await db.insert(orders).values({ id }).onConflictDoUpdate({ target: orders.id, set: { assigneeId } });
  },
});
`;

for (const driver of [DEFAULT_DRIVER, ...TENANT_DRIVERS]) {
  Deno.test(`handlers' own writes are judged in their statements (${driver.name})`, async () => {
    const files = { ...FILES, "quickback/features/orders/actions/assign.ts": ASSIGN };
    await withCompiledActions(files, async (api) => {
      await people(api, ["mia@org_1", "ned@org_2", "bad@org_1"]);
      await ban(api, "bad");
      const id = newId();
      await api.ask("orders", { as: lead, body: { id, title: "ned" } });
      const assign = (way: string, assigneeId: string | null) =>
        api.ask("assign", {
          as: lead,
          body: { id: way === "insert" ? newId() : id, way, assigneeId },
        });
      for (const way of ["insert", "update", "upsert"]) {
        for (const user of ["mia", "lead", null]) {
          assertEquals((await assign(way, user)).status, 200, `${way} of ${user}`);
        }
        for (const user of ["ned", "otto", "bad", "nobody"]) {
          assertHandlerRefused(await assign(way, user), `${way} of ${user}`);
        }
      }
      assertHandlerRefused(await assign("all", null), "an expression");
    }, { driver });
  });
}

function assertHandlerRefused(answer: Answer, what: string): void {
  assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], what);
  const { details } = answer.body;
  assertEquals(isRecord(details) ? details["fields"] : null, {
    assigneeId: "Must be the id of a member of the record's organization",
  });
}

Deno.test("without organizations any account is taken that is not banned", async () => {
  const files = {
    "quickback/quickback.config.ts":
      'export default { name: "alone", features: { organizations: false } };\n',
    "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { ownerId: q.scope("owner"), forId: q.account() },
  guards: { createable: ["forId"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
});
`,
  };
  await withDefinitions(files, async (api) => {
    await people(api, [], ["ann", "bad"]);
    await ban(api, "bad");
    const create = async (forId: string) =>
      (await api.ask("notes", { as: { sub: "me" }, body: { forId } })).status;
    assertEquals(
      [await create("ann"), await create("me"), await create("bad"), await create("nobody")],
      [201, 201, 400, 400],
    );
  });
});

Deno.test("an account needs rows of an organization, and no literal default", () => {
  const told = (columns: string, rest: string) => {
    const { errors } = analyzed({
      [CONFIG_FILE]: 'export default { name: "x" };',
      "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", { columns: { ${columns} }, ${rest} });`,
    });
    return errors.map(({ code, message, hint }) => `${code} ${message} | ${hint}`);
  };
  assertEquals(told("forId: q.account()", "firewall: { exception: true }"), [
    `ACCOUNT_UNSCOPED Column "forId" names a member of the row's organization, and rows of "notes" belong to none | ` +
    'Add q.scope("organization"), or write q.text() for an id that nobody judges',
  ]);
  assertEquals(told('ownerId: q.scope("owner"), forId: q.account()', "").length, 1);
  const scoped = 'organizationId: q.scope("organization"), ';
  assertEquals(told(`${scoped}forId: q.account().default("$ctx.userId")`, ""), []);
  const [literal = ""] = told(`${scoped}forId: q.account().default("mia")`, "");
  assertMatch(literal, /^DEFAULT_INVALID .*no account is a member everywhere/);
});

/** Over random joins, removals and bans, a write is taken exactly where its account is a member at that time. */
async function playWorld(api: ApiUnderTest, random: Random, run: number): Promise<void> {
  const users = ["a", "b", "c", "d"].map((name) => `${name}${run}`);
  const organizations = [`x${run}`, `y${run}`];
  await people(api, [], users);
  const at = new Date(api.ports.clock.now()).toISOString();
  for (const id of organizations) {
    await sqlOf(
      api,
      "INSERT INTO auth_organization (id, name, slug, created_at) VALUES (?, ?, ?, ?)",
      id,
      id,
      id,
      at,
    );
  }
  const members = new Set<string>();
  const banned = new Set<string>();
  for (let turn = 0; turn < 14; turn += 1) {
    const user = random.pick(users);
    const organization = random.pick(organizations);
    const member = `${user}@${organization}`;
    if (random.chance(25)) {
      if (members.delete(member)) await leave(api, member);
      else {
        await people(api, [member]);
        members.add(member);
      }
    } else if (random.chance(10)) {
      await ban(api, user);
      banned.add(user);
    } else {
      const as: Claims = { sub: random.pick(users), orgId: organization, roles: ["lead"] };
      const isExpected = user === as.sub || (members.has(member) && !banned.has(user));
      const answers = await writtenBy(api, as, user);
      for (const [name, answer] of Object.entries(answers)) {
        assertEquals(isTaken(answer), isExpected, `${name} of ${member} by ${as.sub}`);
      }
    }
  }
}

Deno.test("over random worlds, accounts are taken exactly while they are members", async () => {
  await withDefinitions(FILES, async (api) => {
    for (let seed = 1; seed <= 3; seed += 1) await playWorld(api, seededRandom(seed), seed);
  });
});

const SHOWN = {
  ...FILES,
  "quickback/features/orders/orders.ts": (FILES["quickback/features/orders/orders.ts"] ?? "")
    .replace(
      `read: ${LEADS}`,
      `read: {
    access: { roles: ["lead", "root", "PUBLIC", "SCOPED"] },
    include: ["assigneeId", { from: "lines.orderId", as: "lines" }],
    views: { short: { fields: ["id", "assigneeId"], access: { roles: ["lead"] }, include: ["assigneeId"] } },
  }, audit: { access: { roles: ["lead"] } },
  masking: { reviewerId: { type: "redact", show: { roles: ["root"] } } }`,
    ),
  "quickback/features/lines/lines.ts": `import { feature, q } from "quickback";
import orders from "../orders/orders.ts";
export default feature("lines", {
  columns: {
    organizationId: q.scope("organization"), orderId: q.text().references(() => orders.id), pickerId: q.account(),
  },
  guards: false, read: ${LEADS}, create: ${LEADS},
});
`,
};

function memberIn(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => isRecord(at) ? at[name] : undefined, value);
}

Deno.test("names of members are shown beside their ids, and of nobody else", async () => {
  await withDefinitions(SHOWN, async (api) => {
    await people(api, ["mia@org_1", "ned@org_2", "mia@org_2"]);
    const id = newId();
    await api.ask("orders", { as: lead, body: { id, assigneeId: "mia", reviewerId: "mia" } });
    const line = newId();
    await api.ask("lines", { as: lead, body: { id: line, orderId: id, pickerId: "mia" } });
    const one = await api.ask(`orders/${id}?include=assigneeId,lines`, { as: lead });
    assertEquals(
      [one.body["assignee_label"], one.body["reviewer_label"]],
      ["The mia", null],
      one.text,
    );
    const account = { id: "mia", name: "The mia", image: null };
    assertEquals(memberIn(one.body, "included", "assigneeId"), { mia: account });
    const [picked] = Object.values(Object(memberIn(one.body, "included", "lines", id, "data")));
    assertEquals(memberIn(picked, "picker_label"), "The mia");
    const list = await api.ask("orders?include=assigneeId&fields[assigneeId]=name", { as: lead });
    assertEquals(memberIn(list.body, "included", "assigneeId"), { mia: { name: "The mia" } });
    const view = await api.ask("orders/views/short?include=assigneeId", { as: lead });
    assertEquals(memberIn(view.body, "included", "assigneeId"), { mia: account });
    // Nothing else of an account is there to be asked for.
    for (
      const path of [
        "fields[assigneeId]=email",
        'where={"assignee":{"name":"The mia"}}',
        "sort=assignee_label",
        "assignee_label=a",
      ]
    ) {
      const { status } = await api.ask(`orders?include=assigneeId&${path}`, { as: lead });
      assertEquals(status, 400, path);
    }
    assertEquals((await api.ask("orders?search=The", { as: lead })).text.includes(id), false);
    const history = await api.ask(`orders/${id}/history`, { as: lead });
    assertEquals([history.status, history.text.includes("The mia")], [200, false]);

    const seen = async (as: Claims | null) => {
      const query = as === null ? "&organizationId=org_1" : "";
      const answer = await api.ask(
        `orders/${id}?include=assigneeId${query}`,
        as === null ? {} : { as },
      );
      assertEquals(answer.status, 200, answer.text);
      return [answer.body["assignee_label"], memberIn(answer.body, "included", "assigneeId")];
    };
    assertEquals(await seen(null), [null, {}]);
    assertEquals(await seen({ sub: "scope:kiosk", orgId: "org_1", scope: "kiosk" }), [null, {}]);
    // Of another tenant, who reads all of them: the account is a member where the row is.
    assertEquals(await seen({ ...root, orgId: "org_2" }), ["The mia", { mia: account }]);
    await leave(api, "mia@org_1");
    assertEquals(await seen(lead), [null, {}]);
    assertEquals(await seen({ ...root, orgId: "org_2" }), [null, {}]);
    assertEquals((await api.ask(`orders/${id}`, { as: lead })).body["assigneeId"], "mia");
  });
});

Deno.test("with databases of organizations ids are shown alone", () => {
  const config = (FILES[CONFIG_FILE] ?? "").replace(
    "generateId: false",
    'generateId: false, tenancy: "perOrganization"',
  );
  const { errors } = analyzed({ ...SHOWN, [CONFIG_FILE]: config });
  assertEquals([...new Set(errors.map(({ code }) => code))], ["INCLUDE_NOT_KEY"]);
});
