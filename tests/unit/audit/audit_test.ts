/** What the audit of recorded statements takes, and every way of leaving a scope that it has to see (contract 1.3, definitions 4.1). */
import { assert, assertEquals } from "@std/assert";
import { auditRequests } from "../../../proof/audit/audit_requests.ts";
import type { Fault } from "../../../proof/audit/finding.ts";
import type { BeyondScope } from "../../../shared/model/beyond_scope.ts";
import type { RecordedStatement, SqlValue } from "../../../proof/audit/statement_record.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { firewallColumns } from "../../../shared/surface/row_predicate.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";

const FILES = {
  "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({ name: "audited" });
`,
  "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
import customers from "./customers.ts";
export default feature("tickets", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    customerId: q.text().references(() => customers.id, { onDelete: "set null" }),
    kind: q.enum(["public", "internal", "secret"]).default("public"),
    title: q.text().required(),
    version: q.revision(),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "ownerId", equals: "ctx.userId", exceptRoles: ["agent"] },
    { field: "kind", in: ["public", "internal"] },
  ],
  guards: { createable: ["title"], updatable: ["title"] },
  search: { mode: "fullText" },
  read: { access: { roles: ["agent", "member"] } },
  create: { access: { roles: ["agent"] } },
  update: { access: { roles: ["agent"] } },
  delete: { access: { roles: ["agent"] } },
});
`,
  "quickback/features/tickets/customers.ts": `import { feature, q } from "quickback";
export default feature("customers", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required(),
  },
  guards: { createable: ["name"] },
  read: { access: { roles: ["agent"] } },
  create: { access: { roles: ["agent"] } },
  delete: { access: { roles: ["agent"] }, mode: "hard" },
});
`,
  "quickback/features/tickets/actions/tickets/report.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Counts everything",
  path: "/report",
  input: z.object({}),
  access: { roles: ["agent"] },
  unsafe: { reason: "Counts deleted tickets too" },
  execute: () => ({ count: 0 }),
});
`,
};

const validation = validate(FILES);
assert(validation.ok, JSON.stringify(validation));
const { model } = validation;

const MEMBER: Principal = {
  ...ANONYMOUS,
  credential: "token",
  userId: "ann",
  organizationId: "home",
  roles: ["member"],
};
const AGENT: Principal = { ...MEMBER, roles: ["agent"] };

interface Run {
  readonly sql: string;
  readonly args?: readonly SqlValue[];
  readonly rows?: RecordedStatement["rows"];
  readonly changes?: number;
  readonly beyondScope?: BeyondScope;
}

interface Asked {
  readonly caller?: Principal;
  readonly path?: string;
  readonly method?: string;
  /** False: each statement by itself. */
  readonly transaction?: boolean;
}

/** In one transaction, as a member asks it. */
function audited(statements: readonly Run[], asked: Asked = {}) {
  const { caller = MEMBER, path = "/api/v1/tickets", method = "GET", transaction = true } = asked;
  return auditRequests(
    [{
      method,
      path,
      principal: "test",
      caller,
      statements: statements.map(({ args = [], rows = [], changes = 0, ...statement }) => ({
        ...statement,
        args,
        rows,
        changes,
        transaction: transaction ? 1 : null,
      })),
    }],
    model,
    ["audit_events"],
  );
}

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case "predicateMissing":
      return `${fault.role} ${fault.table.name}.${firewallColumns([fault.predicate]).join()}`;
    case "scopeNotWritten":
      return `write ${fault.table.name}.${fault.column}`;
    case "replacesRows":
      return `replace ${fault.table.name}`;
    case "chainNotBound":
      return "chain";
    case "unknownTable":
      return `unknown ${fault.name}`;
    case "unreadable":
      return "unreadable";
  }
}

function faults(statements: readonly Run[], asked: Asked = {}): readonly string[] {
  return audited(statements, asked).findings.map(({ fault }) => faultText(fault)).sort();
}

/** What holds a member to their own tickets, under an alias, and the values that it binds. */
const scopeOf = (alias: string) =>
  `(${alias}.organization_id = ? AND ${alias}.owner_id = ? AND ${alias}.kind IN (SELECT value FROM json_each(?)) AND ${alias}.deleted_at IS NULL)`;
const SCOPE = scopeOf("t");
const KINDS = '["public","internal"]';
const HELD: readonly SqlValue[] = ["home", "ann", KINDS];

/** A page of what is found in the index, where its look-up holds to this. */
const searchWhere = (condition: string) =>
  `SELECT t.id FROM (SELECT k.id FROM tickets_search_tenants AS o CROSS JOIN tickets_search CROSS JOIN ` +
  `tickets_search_keys AS k ON k.n = tickets_search.rowid WHERE (${condition} AND tickets_search MATCH ?)) ` +
  `AS f CROSS JOIN tickets AS t ON t.id = f.id WHERE ${SCOPE}`;

/** A sum of the sizes of files in rows that meet this, whoever may see them. */
const bytesWhere = (condition: string) =>
  `SELECT (SELECT coalesce(sum(json_extract(t.scan, '$.size')), 0) FROM tickets AS t WHERE ${condition})`;

Deno.test("audit-sql takes sums of files' sizes in the tenant alone, and nothing else of such rows", () => {
  const found = (sql: string) => faults([{ sql, args: ["home"], beyondScope: "fileBytes" }]);
  const sum = (from: string, file: string) =>
    `SELECT (SELECT coalesce(sum(json_extract(${file}, '$.size')), 0) FROM ${from}
      WHERE \`tickets\`.\`organization_id\` = ?1 AND \`tickets\`.\`scan\` IS NOT NULL
        AND substr(json_extract(${file}, '$.id'), 1, 13) = ?2)`;
  const own = [
    bytesWhere("t.organization_id = ?1"),
    sum("`tickets`", "`tickets`.`scan`"),
    sum("`tickets`, json_each(`tickets`.`scan`) AS file", "file.value"),
  ];
  for (const sql of own) assertEquals(found(sql), [], sql);
  const others = [
    bytesWhere("?1 = 'home'"),
    bytesWhere("t.organization_id = ?1").replace("$.size", "$.name"),
    bytesWhere("t.organization_id = ?1").replace("coalesce(", "t.title, coalesce("),
  ];
  for (const sql of others) assertEquals(found(sql).length > 0, true, sql);
  // What the data layer does not mark is held to the whole firewall, whatever it looks like.
  for (const sql of own) assertEquals(faults([{ sql, args: ["home"] }]).length > 0, true, sql);
});

Deno.test("audit-sql takes a question for living children in the tenant alone, and nothing of them", () => {
  const child = (condition: string, read = "1") =>
    `SELECT EXISTS (SELECT ${read} FROM tickets AS qb_c WHERE (qb_c.parent_id = 'p' AND ${condition}))`;
  const found = (sql: string, beyondScope?: "livingChildren") =>
    faults([{ sql, args: ["home"], ...(beyondScope ? { beyondScope } : {}) }]);
  const own = child("qb_c.organization_id = ?1 AND qb_c.deleted_at IS NULL");
  assertEquals(found(own, "livingChildren"), []);
  assertEquals(found(own).length > 0, true);
  const others = [
    child("?1 = 'home'"),
    child("qb_c.organization_id = ?1", "qb_c.title"),
    own.replace("EXISTS (SELECT 1", "(SELECT qb_c.title"),
  ];
  for (const sql of others) assertEquals(found(sql, "livingChildren").length > 0, true, sql);
});

const CLEAN: readonly (readonly [sentence: string, run: Run])[] = [
  ["a page", { sql: `SELECT t.id FROM tickets AS t WHERE ${SCOPE} LIMIT ?`, args: [...HELD, 5] }],
  ["a count", { sql: `SELECT count(*) FROM tickets AS t WHERE ${SCOPE}`, args: HELD }],
  ["the bytes of the tenant's files", {
    sql: bytesWhere("t.organization_id = ?1"),
    args: ["home"],
    beyondScope: "fileBytes",
  }],
  [
    "a search among the caller's words",
    { sql: searchWhere("o.tenant = ?"), args: ["home", "word", ...HELD] },
  ],
  [
    "a label",
    {
      sql:
        `SELECT t.id, l0.name FROM tickets AS t LEFT JOIN customers AS l0 ON l0.id = t.customer_id AND l0.organization_id = ? WHERE ${SCOPE}`,
      args: ["home", ...HELD],
    },
  ],
  [
    "a page after a cursor, in two parts",
    {
      sql:
        `SELECT t.* FROM tickets AS t WHERE (${SCOPE} AND t.title > ?) UNION ALL SELECT t.* FROM tickets AS t WHERE (${SCOPE} AND t.title = ?)`,
      args: [...HELD, "a", ...HELD, "a"],
    },
  ],
  [
    "rows named by keys, with the scope kept out of the choice of an index",
    {
      sql: `SELECT t.id FROM tickets AS t WHERE t.id IN (?) AND ${scopeOf("+t")}`,
      args: [1, ...HELD],
    },
  ],
  [
    "a part for nobody",
    { sql: `SELECT t.id FROM tickets AS t WHERE (${SCOPE} OR 0)`, args: HELD },
  ],
  [
    "an update",
    {
      sql: `UPDATE tickets AS t SET title = ? WHERE (t.id = ? AND ${SCOPE})`,
      args: ["x", 1, ...HELD],
    },
  ],
  [
    "a common table expression of a table's name",
    {
      sql:
        `WITH tickets AS NOT MATERIALIZED (SELECT * FROM main.tickets AS t WHERE ${SCOPE}) SELECT a.id FROM tickets AS a JOIN tickets AS b ON a.id = b.id WHERE EXISTS (SELECT 1 FROM tickets)`,
      args: HELD,
    },
  ],
  [
    "a common table expression before a compound",
    {
      sql:
        `WITH tickets AS (SELECT * FROM main.tickets AS t WHERE ${SCOPE}) SELECT id FROM tickets UNION SELECT id FROM tickets`,
      args: HELD,
    },
  ],
  [
    "an insert with its stamps",
    {
      sql: "INSERT INTO tickets (id, organization_id, owner_id, title) VALUES (?, ?, ?, ?)",
      args: ["t1", "home", "ann", "x"],
    },
  ],
  [
    "inserts with stamps that are named once",
    {
      sql: "INSERT INTO tickets (organization_id, owner_id, id) VALUES (?1, ?2, ?3), (?1, ?2, ?4)",
      args: ["home", "ann", "t1", "elsewhere"],
    },
  ],
  [
    "a conflict that stays in scope",
    {
      sql:
        `INSERT INTO tickets (id, organization_id, owner_id, title) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title WHERE ${
          scopeOf("tickets")
        }`,
      args: ["t1", "home", "ann", "x", ...HELD],
    },
  ],
  ["a savepoint", { sql: "SAVEPOINT part" }],
  ["a table of the service", { sql: "INSERT INTO audit_events (id) VALUES (?)", args: ["a"] }],
];

for (const [sentence, run] of CLEAN) {
  Deno.test(`audit-sql takes ${sentence}`, () => assertEquals(faults([run]), []));
}

const FAULTS: readonly (readonly [sentence: string, run: Run, expected: readonly string[]])[] = [
  [
    "a page without any predicate",
    { sql: "SELECT t.id FROM tickets AS t" },
    ["deletedAt", "kind", "organizationId", "ownerId"].map((name) => `read tickets.${name}`),
  ],
  [
    "a page without its tenant",
    {
      sql:
        "SELECT t.id FROM tickets AS t WHERE t.owner_id = ? AND t.kind IN (?, ?) AND t.deleted_at IS NULL",
      args: ["ann", "public", "internal"],
    },
    ["read tickets.organizationId"],
  ],
  [
    "a count without its owner",
    {
      sql:
        "SELECT count(*) FROM tickets AS t WHERE t.organization_id = ? AND t.kind = ? AND t.deleted_at IS NULL",
      args: ["home", "public"],
    },
    ["read tickets.ownerId"],
  ],
  [
    "a record that is asked for by its id alone",
    { sql: "SELECT t.title FROM tickets AS t WHERE t.id = ?", args: ["t1"] },
    ["deletedAt", "kind", "organizationId", "ownerId"].map((name) => `read tickets.${name}`),
  ],
  [
    "a scope that is OR-ed",
    { sql: `SELECT t.id FROM tickets AS t WHERE t.id = ? OR ${SCOPE}`, args: ["t1", ...HELD] },
    ["deletedAt", "kind", "organizationId", "ownerId"].map((name) => `read tickets.${name}`),
  ],
  [
    "a search among another tenant's words",
    { sql: searchWhere("o.tenant = ?"), args: ["elsewhere", "word", ...HELD] },
    ["read tickets.organizationId"],
  ],
  [
    "a search among words of several tenants",
    { sql: searchWhere("(o.tenant = ? OR o.n < 9)"), args: ["home", "word", ...HELD] },
    ["read tickets.organizationId"],
  ],
  [
    "a search among all words",
    {
      sql: `SELECT t.id FROM tickets AS t WHERE t.id IN (SELECT k.id FROM tickets_search JOIN ` +
        `tickets_search_keys AS k ON k.n = tickets_search.rowid WHERE tickets_search MATCH ?) AND ${SCOPE}`,
      args: ["word", ...HELD],
    },
    ["read tickets.organizationId"],
  ],
  [
    "an OR that AND binds tighter than",
    {
      sql: "SELECT id FROM customers WHERE organization_id = ? AND deleted_at IS NULL OR name = ?",
      args: ["home", "x"],
    },
    ["read customers.organizationId"],
  ],
  [
    "a scope that is true of everything",
    { sql: "SELECT id FROM customers WHERE (organization_id = ? OR 1)", args: ["home"] },
    ["read customers.organizationId"],
  ],
  [
    "a column that is compared with itself",
    { sql: "SELECT id FROM customers WHERE organization_id = organization_id" },
    ["read customers.organizationId"],
  ],
  [
    "a scope that is negated",
    { sql: "SELECT id FROM customers WHERE NOT (organization_id = ?)", args: ["home"] },
    ["read customers.organizationId"],
  ],
  [
    "another comparison",
    { sql: "SELECT id FROM customers WHERE organization_id >= ?", args: ["home"] },
    ["read customers.organizationId"],
  ],
  [
    "another column",
    { sql: "SELECT id FROM customers WHERE name = ?", args: ["home"] },
    ["read customers.organizationId"],
  ],
  [
    "another tenant's value",
    { sql: "SELECT id FROM customers WHERE organization_id = ?", args: ["elsewhere"] },
    ["read customers.organizationId"],
  ],
  [
    "a value that is not bound",
    { sql: "SELECT id FROM customers WHERE organization_id = ?" },
    ["read customers.organizationId"],
  ],
  [
    "a list with one value too many",
    {
      sql: `SELECT t.id FROM tickets AS t WHERE ${SCOPE}`,
      args: ["home", "ann", '["public","internal","secret"]'],
    },
    ["read tickets.kind"],
  ],
  [
    "rows that are deleted in place of those that are not",
    {
      sql: `SELECT t.id, t.title FROM tickets AS t WHERE ${
        SCOPE.replace("deleted_at IS NULL", "deleted_at IS NOT NULL")
      }`,
      args: HELD,
    },
    ["read tickets.deletedAt"],
  ],
  [
    "a scope that is negated",
    {
      sql: "SELECT c.id FROM customers AS c WHERE -c.organization_id = ?",
      args: ["home"],
    },
    ["read customers.organizationId"],
  ],
  [
    "a predicate on another alias",
    {
      sql:
        "SELECT a.id FROM customers AS a JOIN customers AS b ON a.name = b.name WHERE b.organization_id = ?",
      args: ["home"],
    },
    ["read customers.organizationId"],
  ],
  [
    "a predicate of the outer query alone",
    {
      sql:
        "SELECT c.id FROM customers AS c WHERE c.organization_id = ? AND EXISTS (SELECT 1 FROM customers AS d WHERE c.organization_id = ?)",
      args: ["home", "home"],
    },
    ["read customers.organizationId"],
  ],
  [
    "a predicate in an outer join that binds the other side",
    {
      sql:
        "SELECT c.id FROM customers AS c LEFT JOIN audit_events AS e ON e.id = c.id AND c.organization_id = ?",
      args: ["home"],
    },
    ["read customers.organizationId"],
  ],
  [
    "a label without a predicate",
    {
      sql:
        `SELECT l0.name FROM tickets AS t LEFT JOIN customers AS l0 ON l0.id = t.customer_id WHERE ${SCOPE}`,
      args: HELD,
    },
    ["read customers.organizationId"],
  ],
  [
    "an embedded target without a predicate",
    {
      sql:
        `SELECT c.name FROM (SELECT DISTINCT t.customer_id AS k FROM tickets AS t WHERE ${SCOPE}) AS k CROSS JOIN customers AS c WHERE c.id = k.k`,
      args: HELD,
    },
    ["read customers.organizationId"],
  ],
  [
    "the second part of a page without a predicate",
    {
      sql: `SELECT t.id FROM tickets AS t WHERE ${SCOPE} UNION ALL SELECT c.id FROM customers AS c`,
      args: HELD,
    },
    ["read customers.organizationId"],
  ],
  [
    "a subquery in a select list",
    {
      sql: "SELECT (SELECT count(*) FROM customers) FROM audit_events",
    },
    ["read customers.organizationId"],
  ],
  [
    "a schema's name that leads past the scoped form",
    {
      sql:
        "WITH customers AS (SELECT * FROM main.customers AS c WHERE c.organization_id = ?) SELECT id FROM main.customers",
      args: ["home"],
    },
    ["read customers.organizationId"],
  ],
  [
    "a scoped form that is out of sight",
    {
      sql:
        "SELECT id FROM customers WHERE id IN (WITH customers AS (SELECT 1 AS id) SELECT id FROM customers)",
    },
    ["read customers.organizationId"],
  ],
  [
    "an update of any row",
    { sql: "UPDATE customers AS t SET name = ? WHERE t.id = ?", args: ["x", "c1"] },
    ["update customers.organizationId"],
  ],
  [
    "an update that moves a row to another tenant",
    {
      sql: "UPDATE customers AS t SET organization_id = ? WHERE t.organization_id = ?",
      args: ["elsewhere", "home"],
    },
    ["write customers.organization_id"],
  ],
  [
    "a delete of any row",
    { sql: "DELETE FROM customers AS t WHERE t.id IN (?, ?)", args: ["c1", "c2"] },
    ["delete customers.organizationId"],
  ],
  [
    "an insert into another tenant",
    {
      sql: "INSERT INTO customers (id, organization_id, name) VALUES (?, ?, ?), (?, ?, ?)",
      args: ["c1", "home", "x", "c2", "elsewhere", "y"],
    },
    ["write customers.organization_id"],
  ],
  [
    "an insert into another tenant, named once for all rows",
    {
      sql: "INSERT INTO customers (organization_id, id, name) VALUES (?1, ?2, ?3), (?1, ?4, ?5)",
      args: ["elsewhere", "c1", "home", "c2", "home"],
    },
    ["write customers.organization_id"],
  ],
  [
    "an insert without its stamps",
    { sql: "INSERT INTO customers (id, name) VALUES (?, ?)", args: ["c1", "x"] },
    ["write customers.organization_id"],
  ],
  [
    "an insert of selected rows that keep their tenant",
    {
      sql:
        "INSERT INTO customers (id, organization_id) SELECT c.id, c.organization_id FROM customers AS c WHERE c.organization_id = ?",
      args: ["home"],
    },
    ["write customers.organization_id"],
  ],
  [
    "a conflict that changes whichever row is there",
    {
      sql:
        "INSERT INTO customers (id, organization_id) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = ?",
      args: ["c1", "home", "x"],
    },
    ["upsert customers.organizationId"],
  ],
  [
    "an insert that replaces whichever row is there",
    {
      sql: "INSERT OR REPLACE INTO customers (id, organization_id) VALUES (?, ?)",
      args: ["c1", "home"],
    },
    ["replace customers"],
  ],
  [
    "a table that stands behind IN",
    {
      sql: `SELECT t.id FROM tickets AS t WHERE ${SCOPE} AND t.customer_id IN customers`,
      args: HELD,
    },
    ["unknown IN customers"],
  ],
  [
    "an update that moves rows by several columns at once",
    {
      sql: "UPDATE customers SET (organization_id, name) = (?, ?) WHERE organization_id = ?",
      args: ["elsewhere", "x", "home"],
    },
    ["write customers.organization_id"],
  ],
  ["a table that nobody knows", { sql: "SELECT * FROM sqlite_schema" }, ["unknown sqlite_schema"]],
  [
    "a function that reads",
    { sql: "SELECT name FROM pragma_table_info('tickets')" },
    ["unknown pragma_table_info"],
  ],
  ["what is no statement of SQLite's", { sql: "SELECT FROM WHERE" }, ["unreadable"]],
  ["two statements in one", { sql: "SELECT 1; SELECT 2" }, ["unreadable"]],
  ["a change of the schema", { sql: "DROP TABLE customers" }, ["unreadable"]],
];

for (const [sentence, run, expected] of FAULTS) {
  Deno.test(`audit-sql finds ${sentence}`, () => assertEquals(faults([run]), [...expected].sort()));
}

Deno.test("audit-sql takes no predicate for granted that a role lifts for others", () => {
  const run = {
    sql:
      "SELECT t.id FROM tickets AS t WHERE t.organization_id = ? AND t.kind = ? AND t.deleted_at IS NULL",
    args: ["home", "public"],
  };
  assertEquals(faults([run], { caller: AGENT }), []);
  assertEquals(faults([run]), ["read tickets.ownerId"]);
});

Deno.test("audit-sql finds rows for a caller who has no tenant", () => {
  const run = { sql: "SELECT c.id FROM customers AS c WHERE c.organization_id = ?", args: [null] };
  const none = { sql: "SELECT c.id FROM customers AS c WHERE 0" };
  const is = { ...run, sql: run.sql.replace("=", "IS") };
  assertEquals(faults([run, none], { caller: ANONYMOUS }), []);
  assertEquals(faults([is], { caller: ANONYMOUS }), ["read customers.organizationId"]);
});

const BY_ID: Run = { sql: "SELECT c.name FROM customers AS c WHERE c.id = ?", args: ["c1"] };
const IN_SCOPE: Run = {
  sql: "SELECT c.id FROM customers AS c WHERE c.id = ? AND c.organization_id = ?",
  args: ["c1", "home"],
};

Deno.test("audit-sql takes a row by its id that the same transaction wrote or met in scope", () => {
  const inserted: Run = {
    sql: "INSERT INTO customers (id, organization_id) VALUES (?, ?)",
    args: ["c1", "home"],
    changes: 1,
  };
  assertEquals(faults([inserted, BY_ID]), []);
  assertEquals(faults([{ ...IN_SCOPE, rows: [["c1"]] }, BY_ID]), []);
});

Deno.test("audit-sql finds a row by its id that was never met, or in another transaction", () => {
  const met = { ...IN_SCOPE, rows: [["c1"]] };
  assertEquals(faults([{ ...IN_SCOPE, rows: [] }, BY_ID]), ["read customers.organizationId"]);
  assertEquals(faults([met, { ...BY_ID, args: ["c2"] }]), ["read customers.organizationId"]);
  assertEquals(faults([met, BY_ID], { transaction: false }), ["read customers.organizationId"]);
});

Deno.test("audit-sql takes an update of a met row that holds what has changed since, and none that holds less", () => {
  const met: Run = {
    sql: `SELECT t.id FROM tickets AS t WHERE t.id = ? AND ${SCOPE}`,
    args: ["t1", ...HELD],
    rows: [["t1"]],
  };
  const update = (where: string, ...args: readonly SqlValue[]): Run => ({
    sql: `UPDATE tickets AS t SET title = ? WHERE t.id = ? AND t.organization_id = ? AND ${where}`,
    args: ["x", "t1", "home", ...args],
  });
  const moved = update(
    "t.owner_id = ? AND t.kind = ? AND t.deleted_at = ?",
    "bob",
    "secret",
    "now",
  );
  assertEquals(faults([met, moved]), []);
  assertEquals(faults([moved]).length, 3);
  const loose = update("t.owner_id = ? AND t.kind = ?", "bob", "secret");
  assertEquals(faults([met, loose]).includes("update tickets.deletedAt"), true);
  const other = { ...moved, args: ["x", "t2", ...moved.args?.slice(2) ?? []] };
  assertEquals(faults([met, other]).length, 3);
});

const PROBE: Run = {
  sql: `SELECT 1 FROM tickets AS t WHERE (t.id = ? AND ${
    SCOPE.replace("deleted_at IS NULL", "deleted_at IS NOT NULL")
  })`,
  args: ["t1", ...HELD],
};
const MISSED: Run = {
  sql: `SELECT t.id FROM tickets AS t WHERE (t.id = ? AND ${SCOPE})`,
  args: ["t1", ...HELD],
};

Deno.test("audit-sql takes the question whether a row that was missed is deleted, and no other", () => {
  assertEquals(faults([MISSED, PROBE]), []);
  assertEquals(faults([PROBE]), ["read tickets.deletedAt"]);
  const telling = { ...PROBE, sql: PROBE.sql.replace("SELECT 1", "SELECT t.title") };
  assertEquals(faults([MISSED, telling]), ["read tickets.deletedAt"]);
});

Deno.test("audit-sql takes what a declared foreign key clears with a row in scope, and writes nothing else there", () => {
  const counts = {
    sql:
      "UPDATE tickets AS t SET version = t.version + 1 WHERE t.customer_id IN (SELECT t.id FROM customers AS t WHERE t.id = ? AND t.organization_id = ?)",
    args: ["c1", "home"],
  };
  assertEquals(faults([counts]), []);
  const more = { ...counts, sql: counts.sql.replace("SET ", "SET title = 'x', ") };
  assertEquals(faults([more]).includes("update tickets.organizationId"), true);
  assertEquals(faults([counts], { transaction: false }).length, 4);
  const foreign = { ...counts, sql: counts.sql.replace("AND t.organization_id = ?", "") };
  assertEquals(faults([foreign]), ["read customers.organizationId"]);
});

const DELETED_TOO: Run = {
  sql: "SELECT count(*) FROM tickets AS t WHERE t.organization_id = ? AND t.kind = ?",
  args: ["home", "public"],
};

Deno.test("audit-sql lets a declared unsafe lift what it declares, and the tenant only across tenants", () => {
  const asked = { method: "POST", path: "/api/v1/report" };
  assertEquals(audited([DELETED_TOO], asked).clearances, new Map([["unsafe", 1]]));
  assertEquals(faults([{ sql: "SELECT count(*) FROM customers" }], asked), [
    "read customers.organizationId",
  ]);
  assertEquals(faults([DELETED_TOO]), ["read tickets.deletedAt", "read tickets.ownerId"]);
});

Deno.test("audit-sql tells the scoped tables that nothing used", () => {
  assertEquals(audited([IN_SCOPE]).unused, ["tickets"]);
});
