/** What `unsafe` lifts and what it never does (contract 4.4 rule 3, definitions 7 "smaller answers"). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { eq, isNotNull } from "drizzle-orm";
import { withDatabase } from "../../support/databases.ts";
import { Refusal } from "../../../shared/runtime/refusal.ts";
import type { UnsafeScope } from "../../../shared/runtime/data/scoped_db/scope.ts";
import { type ActionOptions, fillDesk, type Handler, runAction } from "./action.ts";
import { ALICE, comments, customers, notes, teamTasks, tickets } from "./desk.ts";

type Unsafe = NonNullable<Handler["unsafeDb"]>;

interface Case {
  readonly name: string;
  readonly unsafe: UnsafeScope;
  readonly options?: ActionOptions;
  readonly body: (unsafeDb: Unsafe) => unknown;
  readonly gives?: unknown;
  readonly refused?: RegExp;
}

const OWN: UnsafeScope = { crossTenant: false };
const ALL: UnsafeScope = { crossTenant: true };

const ids = async (rows: PromiseLike<readonly { readonly id: string }[]>) =>
  (await rows).map(({ id }) => id).sort();

const CASES: readonly Case[] = [
  {
    name: "owners and deleted rows do not matter, the tenant and the team do",
    unsafe: OWN,
    body: async (db) => [
      await ids(db.select().from(tickets)),
      await ids(db.select().from(notes)),
      await ids(db.select().from(teamTasks)),
    ],
    gives: [["tic_a", "tic_a2", "tic_gone"], ["not_a", "not_carl"], ["tas_1"]],
  },
  {
    name: "a deleted row can be brought back, a foreign one cannot be touched",
    unsafe: OWN,
    body: (db) =>
      ids(db.update(tickets).set({ deletedAt: null }).where(isNotNull(tickets.id)).returning()),
    gives: ["tic_a", "tic_a2", "tic_gone"],
  },
  {
    name: "a row may be made for another owner, not for another tenant",
    unsafe: OWN,
    body: (db) =>
      db.insert(notes).values({ title: "For Carl", ownerId: "carl" }).returning({
        owner: notes.ownerId,
        by: notes.createdBy,
      }),
    gives: [{ owner: "carl", by: "alice" }],
  },
  {
    name: "another tenant is refused in values",
    unsafe: OWN,
    body: (db) => db.insert(comments).values({ body: "x", organizationId: "org_b" }),
    refused: /"comments\.organizationId"/,
  },
  {
    name: "crossTenant reads everything",
    unsafe: ALL,
    body: async (db) => [
      await ids(db.select().from(customers)),
      await db.$count(teamTasks),
      (await db.query.tickets.findMany({ with: { comments: true } })).length,
    ],
    gives: [["cus_a", "cus_b", "cus_gone"], 3, 4],
  },
  {
    name: "crossTenant writes where it is told to, else into the caller's tenant",
    unsafe: ALL,
    body: (db) =>
      db.insert(comments).values([{ body: "1", organizationId: "org_b" }, { body: "2" }])
        .returning({ o: comments.organizationId }),
    gives: [{ o: "org_b" }, { o: "org_a" }],
  },
  {
    name: "raw SQL stays refused unless it is declared",
    unsafe: ALL,
    body: (db) => db.all("select * from tickets"),
    refused: /Raw SQL/,
  },
  {
    name: "accounts stay out of reach",
    unsafe: ALL,
    options: { allowRawSql: true },
    body: (db) => db.all("select * from auth_user"),
    refused: /"auth_user"/,
  },
  {
    name: "scopeTo applies the whole firewall of the named scope",
    unsafe: ALL,
    body: async (db) => {
      const there = db.scopeTo({ organizationId: "org_b", userId: "bea" });
      return [
        await ids(there.select().from(tickets)),
        await ids(there.select().from(notes)),
        await ids(there.select().from(teamTasks)),
        await there.insert(notes).values({ title: "x" }).returning({
          o: notes.organizationId,
          owner: notes.ownerId,
          by: notes.createdBy,
        }),
      ];
    },
    gives: [["tic_b"], ["not_b"], [], [{ o: "org_b", owner: "bea", by: "alice" }]],
  },
  {
    name: "scopeTo names a team",
    unsafe: ALL,
    body: (db) =>
      ids(db.scopeTo({ organizationId: "org_b", teamId: "team_1" }).select().from(teamTasks)),
    gives: ["tas_b"],
  },
  {
    name: "scopeTo keeps writes inside of what it names",
    unsafe: ALL,
    body: async (db) => {
      const there = db.scopeTo({ organizationId: "org_b" });
      return (await there.update(tickets).set({ subject: "X" })
        .where(eq(tickets.organizationId, "org_a")).returning()).length;
    },
    gives: 0,
  },
  {
    name: "scopeTo another user of the own tenant",
    unsafe: OWN,
    body: (db) => ids(db.scopeTo({ userId: "carl" }).select().from(notes)),
    gives: ["not_carl"],
  },
  {
    name: "scopeTo an organization that nobody founded",
    unsafe: ALL,
    body: (db) =>
      db.scopeTo({ organizationId: "undefined" }).insert(comments).values({ body: "x" }),
    refused: /FIREWALL_ORG_ISOLATION/,
  },
  {
    name: "scopeTo a user who does not exist",
    unsafe: ALL,
    body: (db) => ids(db.scopeTo({ userId: "nobody" }).select().from(notes)),
    refused: /FIREWALL_USER_ISOLATION/,
  },
  {
    name: "scopeTo a team of another organization",
    unsafe: ALL,
    body: (db) => ids(db.scopeTo({ teamId: "team_x" }).select().from(teamTasks)),
    refused: /FIREWALL_ORG_ISOLATION/,
  },
  {
    name: "scopeTo the caller's own context needs no account",
    unsafe: ALL,
    body: (db) =>
      ids(
        db.scopeTo({ organizationId: "org_a", userId: "alice", teamId: "team_1" })
          .select().from(teamTasks),
      ),
    gives: ["tas_1"],
  },
  {
    name: "scopeTo another tenant needs crossTenant",
    unsafe: OWN,
    body: (db) => db.scopeTo({ organizationId: "org_b" }),
    refused: /FIREWALL_ORG_ISOLATION/,
  },
  {
    name: "scopeTo another tenant is refused by targetScope",
    unsafe: { crossTenant: true, targetScope: "organization" },
    body: (db) => db.scopeTo({ organizationId: "org_b" }),
    refused: /FIREWALL_ORG_ISOLATION/,
  },
  {
    name: "scopeTo another user where there is no tenant is refused by targetScope",
    unsafe: { crossTenant: false, targetScope: "organization" },
    options: { organizationId: null, principal: { ...ALICE, organizationId: null } },
    body: (db) => db.scopeTo({ userId: "bea" }),
    refused: /FIREWALL_USER_ISOLATION/,
  },
  {
    name: "an insert without a tenant, of the caller or of the row, is refused",
    unsafe: { crossTenant: true },
    options: { organizationId: null, principal: { ...ALICE, organizationId: null } },
    body: (db) => db.insert(tickets).values({ subject: "X" }),
    refused: /^ACCESS_NO_ORG$/,
  },
];

Deno.test("an unsafe database lifts what its action declares", async (test) => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    for (const { name, unsafe, options, body, gives, refused } of CASES) {
      await test.step(name, async () => {
        const { value, error } = await runAction(database, ({ unsafeDb }) => {
          assert(unsafeDb);
          return body(unsafeDb);
        }, { ...options, unsafe });
        if (refused === undefined) {
          if (error !== null) throw error;
          assertEquals(value, gives);
        } else {
          assertMatch(error instanceof Refusal ? error.code : String(error), refused);
        }
      });
    }
  });
});

Deno.test("an action that is not unsafe has no unsafe database", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const { value } = await runAction(database, ({ unsafeDb }) => unsafeDb);
    assertEquals(value, null);
  });
});
