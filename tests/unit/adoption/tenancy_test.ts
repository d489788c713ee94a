/** One table is the tenant of a whole project: it is guessed with a reason, said, or asked for. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { draftOf } from "../../../cli/adopt/draft_of.ts";
import { printDecisions } from "../../../cli/adopt/print_decisions.ts";
import { readSql } from "../../../cli/adopt/read_sql.ts";
import { guessTenancy, tenancyNamed } from "../../../cli/adopt/tenancy.ts";
import { columnsOf, drafted, lineOf } from "../../support/drafts.ts";

const USERS = "CREATE TABLE users (id int PRIMARY KEY, email text);";

function members(table: string, column: string): string {
  return `CREATE TABLE ${table}_members (${column} int REFERENCES ${table} (id),
    user_id int REFERENCES users (id), UNIQUE (${column}, user_id));`;
}

/** Its name, or the names among which nothing can choose. */
function guessed(sql: string): string | null | readonly string[] {
  const guess = guessTenancy(readSql(sql));
  if (guess.kind === "unclear") return guess.candidates;
  return guess.tenancy.tenant?.name ?? null;
}

const GUESSES:
  readonly (readonly [title: string, sql: string, tenant: ReturnType<typeof guessed>])[] = [
    ["no table", "CREATE TABLE posts (id int PRIMARY KEY, title text);", null],
    [
      "an organization by its name",
      "CREATE TABLE orgs (id int PRIMARY KEY); CREATE TABLE posts (org_id int REFERENCES orgs);",
      "orgs",
    ],
    [
      "a team that has members",
      `${USERS} CREATE TABLE teams (id int PRIMARY KEY, name text); ${members("teams", "team_id")}`,
      "teams",
    ],
    ["a company that somebody writes about", "CREATE TABLE companies (id int PRIMARY KEY);", null],
    [
      "the upper of two levels",
      `${USERS} CREATE TABLE organizations (id int PRIMARY KEY); ${
        members("organizations", "organization_id")
      }
     CREATE TABLE teams (id int PRIMARY KEY, organization_id int REFERENCES organizations);`,
      "organizations",
    ],
    [
      "two that are alike",
      `${USERS} CREATE TABLE workspaces (id int PRIMARY KEY); ${
        members("workspaces", "workspace_id")
      }
     CREATE TABLE tenants (id int PRIMARY KEY); ${members("tenants", "tenant_id")}`,
      ["workspaces", "tenants"],
    ],
  ];

for (const [title, sql, tenant] of GUESSES) {
  Deno.test(`guessTenancy() finds ${title}`, () => assertEquals(guessed(sql), tenant));
}

Deno.test("a tenant becomes the organization, and its members the product's own", () => {
  const draft = drafted(
    readSql(`${USERS} CREATE TABLE workspaces (id int PRIMARY KEY, name text);
      ${members("workspaces", "workspace_id")}
      CREATE TABLE teams (id int PRIMARY KEY, workspace_id int NOT NULL REFERENCES workspaces);
      CREATE TABLE notes (id int PRIMARY KEY, workspace_id int NOT NULL REFERENCES workspaces (id),
        team_id int REFERENCES teams (id), slug text, author int REFERENCES users (id),
        UNIQUE (workspace_id, slug));`),
    true,
  );
  assertEquals(Object.keys(draft.files).length, 2);
  assertEquals(columnsOf(draft, "notes"), {
    organizationId: 'q.scope("organization")',
    itsTeamId: "q.text().references(() => teams.id)",
    slug: "q.text().unique()",
    author: "q.account()",
  });
  assertStringIncludes(draft.decisions, 'Organizations stand for "workspaces": its name is');
  assertStringIncludes(draft.decisions, 'There are two levels: "teams" and "workspaces"');
});

Deno.test("a policy by members is the organization's, and one by their roles is told", () => {
  const draft = drafted(
    readSql(`CREATE TABLE orgs (id uuid PRIMARY KEY, boss uuid);
      CREATE TABLE org_members (org_id uuid REFERENCES orgs, user_id uuid REFERENCES auth.users, role text, PRIMARY KEY (org_id, user_id));
      CREATE TABLE notes (id uuid PRIMARY KEY, org_id uuid REFERENCES orgs, writer uuid);
      CREATE POLICY r ON notes FOR SELECT USING (EXISTS (SELECT 1 FROM org_members m WHERE m.org_id = notes.org_id AND m.user_id = auth.uid()));
      CREATE POLICY u ON notes FOR UPDATE USING (writer = auth.uid() OR EXISTS (SELECT 1 FROM org_members m WHERE m.org_id = notes.org_id AND m.user_id = auth.uid() AND m.role = 'admin'));
      CREATE POLICY d ON notes FOR DELETE USING (org_id IN (SELECT id FROM orgs WHERE boss = auth.uid()));`),
    true,
  );
  for (const operation of ["read", "update", "delete"]) {
    assertEquals(
      lineOf(draft, "notes", `${operation}:`),
      `${operation}: { access: { roles: [] } },`,
    );
  }
  assertStringIncludes(draft.decisions, "before you name roles there: `notes.u`, `notes.d`");
  assertStringIncludes(draft.decisions, "1 changed: it binds no row: the roles of the operation");
});

Deno.test("another tenant, or none, is said", () => {
  const sql = "CREATE TABLE orgs (id int PRIMARY KEY); CREATE TABLE shops (id int PRIMARY KEY); " +
    "CREATE TABLE bills (id int PRIMARY KEY, shop_id int REFERENCES shops, org_id int REFERENCES orgs);";
  const said = (named: string) => {
    const schema = readSql(sql);
    const tenancy = tenancyNamed(schema, named);
    if (!tenancy) return null;
    const draft = draftOf(schema, { multiTenant: true, tenancy, taken: [] });
    assertStringIncludes(printDecisions(draft), `--tenant ${named} says so`);
    return draft.tables.map(({ name }) => name);
  };
  assertEquals(said("Shop"), ["orgs", "bills"]);
  assertEquals(said("none"), ["orgs", "shops", "bills"]);
  assertEquals(said("nowhere"), null);
});

Deno.test("a table is the product's own only where its columns fit", () => {
  const draft = drafted(
    readSql(`CREATE TABLE sessions (id int PRIMARY KEY, trainer text, starts date);
    CREATE TABLE accounts (id int PRIMARY KEY, balance numeric(10, 2)); CREATE TABLE users (id int, name text);
    CREATE TABLE verification_tokens (identifier text, token text, expires date);`),
  );
  assertEquals(Object.keys(draft.files).length, 3);
});

Deno.test("the key of a row of an account is the account's id", () => {
  const draft = drafted(
    readSql(`CREATE TABLE profiles (id uuid PRIMARY KEY REFERENCES auth.users, bio text);
    CREATE TABLE notes (id int PRIMARY KEY, writer uuid NOT NULL REFERENCES profiles (id) ON DELETE CASCADE);
    CREATE TABLE pairs (note_id int REFERENCES notes, reader uuid REFERENCES profiles, PRIMARY KEY (note_id, reader));`),
  );
  assertEquals(columnsOf(draft, "profiles"), {
    userId: "q.account().required().unique()",
    bio: "q.text()",
  });
  assertEquals(columnsOf(draft, "notes"), { writer: "q.account().required()" });
  assertEquals(columnsOf(draft, "pairs"), {
    noteId: "q.text().required().references(() => notes.id)",
    reader: "q.account().required()",
  });
});

Deno.test("policies become conditions that follow relations, for nobody yet", () => {
  const draft = drafted(
    readSql(`CREATE TABLE orgs (id uuid PRIMARY KEY);
      CREATE TABLE orgs_members (org_id uuid REFERENCES orgs, user_id uuid REFERENCES auth.users, PRIMARY KEY (org_id, user_id));
      CREATE TABLE orders (id uuid PRIMARY KEY, org_id uuid REFERENCES orgs, assignee uuid REFERENCES auth.users, open boolean);
      CREATE TABLE lines (id uuid PRIMARY KEY, order_id uuid REFERENCES orders, org_id uuid REFERENCES orgs);
      CREATE TABLE watchers (id uuid PRIMARY KEY, order_id uuid REFERENCES orders, user_id uuid, org_id uuid REFERENCES orgs);
      CREATE POLICY a ON orders FOR SELECT USING (open OR (select auth.uid()) = assignee);
      CREATE POLICY b ON orders FOR UPDATE TO authenticated USING (EXISTS (SELECT 1 FROM watchers w WHERE w.order_id = orders.id AND w.user_id = auth.uid()));
      CREATE POLICY c ON lines FOR ALL USING (order_id IN (SELECT id FROM orders WHERE assignee = auth.uid()));
      CREATE POLICY d ON lines AS RESTRICTIVE FOR DELETE USING (org_id IN (SELECT org_id FROM orgs_members WHERE user_id = auth.uid()));
      CREATE POLICY e ON watchers FOR SELECT USING (is_admin(user_id));`),
    true,
  );
  const caller = '{ equals: "$ctx.userId" }';
  assertEquals(
    lineOf(draft, "orders", "read:"),
    `read: { access: { roles: [], record: { or: [{ open: { equals: true } }, { assignee: ${caller} }] } } },`,
  );
  assertEquals(
    lineOf(draft, "orders", "update:"),
    `update: { access: { roles: [], record: { watchers: { some: { userId: ${caller} } } } } },`,
  );
  assertEquals(
    lineOf(draft, "lines", "delete:"),
    `delete: { access: { roles: [], record: { order: { assignee: ${caller} } } } },`,
  );
  assertEquals(lineOf(draft, "watchers", "read:"), "read: { access: { roles: [] } },");
  assertStringIncludes(draft.decisions, "Conditions drafted from policies: name the roles");
});
