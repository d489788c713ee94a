/** Ways for a statement to leave its scope, to plant in an output's own copy of the runtime; the environment opens one at a time. */
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { Patch } from "./leaky_project.ts";

/** Names the fault that is open. */
export const SWITCH = "PLANTED_STATEMENT";

const on = (name: string) => `(Deno.env.get("${SWITCH}") === ${JSON.stringify(name)})`;

/** `<role> <table>.<column>` of what must be found. */
export interface PlantedStatement {
  readonly name: string;
  readonly found: RegExp;
}

const DATA = "quickback/runtime/data";

/** What stands in the runtime, and what it becomes. */
type Planting = readonly [file: string, find: string, replace: string];

interface Planted extends PlantedStatement {
  readonly patches: readonly Planting[];
}

/** A place of the runtime takes several faults at once. */
const PLANTED: readonly Planted[] = [
  {
    name: "a job in another tenant's scope",
    found: /^read tickets\.organizationId/,
    patches: [[
      "quickback/runtime/background/jobs.ts",
      "    organizationId,\n    ...(home.directory",
      `    organizationId: ${
        on("a job in another tenant's scope")
      } ? "elsewhere" : organizationId,\n    ...(home.directory`,
    ]],
  },
  {
    name: "a file of any row for a handler",
    found: /^read tickets\.organizationId/,
    patches: [[
      `${DATA}/scoped_db/find_file.ts`,
      "WHERE ${within.sql} AND",
      `WHERE (\${within.sql}\${${on("a file of any row for a handler")} ? " OR 1" : ""}) AND`,
    ]],
  },
  {
    name: "a job that meets deleted rows",
    found: /^read tickets\.deletedAt/,
    patches: [[
      "quickback/runtime/background/jobs.ts",
      '    lifted: ["owner", "rule"],',
      `    lifted: ${
        on("a job that meets deleted rows")
      } ? ["owner", "notDeleted", "rule"] : ["owner", "rule"],`,
    ]],
  },
  {
    name: "an unsafe job that meets every tenant's rows",
    found: /^read tickets\.organizationId/,
    patches: [[
      `${DATA}/scoped_db/scope.ts`,
      "const lifted = crossTenant ? LIFTED_CROSS_TENANT : LIFTED",
      `const lifted = crossTenant || ${
        on("an unsafe job that meets every tenant's rows")
      } ? LIFTED_CROSS_TENANT : LIFTED`,
    ]],
  },
  {
    name: "a history of any tenant's records",
    found: /^chainNotBound/,
    patches: [[
      `${DATA}/record_history.ts`,
      '      WHERE "chain" = ? AND',
      `      WHERE ("chain" = ?\${${on("a history of any tenant's records")} ? " OR 1" : ""}) AND`,
    ]],
  },
  {
    name: "a list without its firewall",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/select_page.ts`,
      `    visibleSql(rule, {
      firewall,
      alias: isNamed ? BESIDE_KEYS : ROW,
      reading: isNamed ? "row" : "rows",
    }),`,
      `    ...(${on("a list without its firewall")}
      ? []
      : [visibleSql(rule, { firewall, alias: isNamed ? BESIDE_KEYS : ROW })]),`,
    ]],
  },
  {
    name: "the nearest rows of every tenant",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/nearest_rows.ts`,
      "WHERE ${matching.sql} ORDER",
      `WHERE \${${
        on("the nearest rows of every tenant")
      } ? comparableSql(near) : matching.sql} ORDER`,
    ], [
      `${DATA}/nearest_rows.ts`,
      "    ...matching.args,",
      `    ...(${on("the nearest rows of every tenant")} ? [] : matching.args),`,
    ]],
  },
  {
    name: "a search that ranks everybody's rows",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/full_text.ts`,
      "`WHERE ${wanted.sql}) AS ${ROW}`,",
      "`WHERE ${" + on("a search that ranks everybody's rows") +
      ' ? "1 OR " + wanted.sql : wanted.sql}) AS ${ROW}`,',
    ]],
  },
  {
    name: "a search for words of every tenant",
    found: /^read tickets\.organizationId/,
    patches: [[
      `${DATA}/full_text.ts`,
      'fragment("o.tenant = ?", tenant),',
      `fragment(${
        on("a search for words of every tenant")
      } ? "o.tenant = ? OR 1" : "o.tenant = ?", tenant),`,
    ]],
  },
  {
    name: "a where that looks into any row of another table",
    found: /^read customers\.organizationId/,
    patches: [[
      `${DATA}/row_filter_sql.ts`,
      "visibleSql(rule, inner),",
      `${
        on("a where that looks into any row of another table")
      } ? fragment("1") : visibleSql(rule, inner),`,
    ]],
  },
  {
    name: "an include of rows that refer to a record, without their firewall",
    found: /^read tickets\.organizationId/,
    patches: [[
      `${DATA}/included_children.ts`,
      'visibleSql(rule, { firewall, alias: ROW, reading: "row" })',
      `(${
        on("an include of rows that refer to a record, without their firewall")
      } ? { sql: "1", args: [] } : visibleSql(rule, { firewall, alias: ROW, reading: "row" }))`,
    ]],
  },
  {
    name: "a record without its firewall",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/select_record.ts`,
      '  return allOf([primaryKeySql(key), firewallSql(key.firewall, ROW, "row")]);',
      `  const [named, behind] = [primaryKeySql(key), firewallSql(key.firewall, ROW, "row")];
  if (${on("a record without its firewall")}) return named;
  if (${on("a firewall that is OR-ed")}) {
    return { sql: \`(\${named.sql} OR \${behind.sql})\`, args: [...named.args, ...behind.args] };
  }
  return allOf([named, behind]);`,
    ]],
  },
  { name: "a firewall that is OR-ed", found: /^read tickets\./, patches: [] },
  {
    name: "a foreign key that is looked up anywhere",
    found: /^read customers\.organizationId/,
    patches: [[
      `${DATA}/select_record.ts`,
      '    firewallSql(firewall, BESIDE_KEYS, "row"),\n  ]);\n  const { rows }',
      `    ...(${
        on("a foreign key that is looked up anywhere")
      } ? [] : [firewallSql(firewall, BESIDE_KEYS, "row")]),\n  ]);\n  const { rows }`,
    ]],
  },
  {
    name: "a label of any row",
    found: /^read customers\.organizationId/,
    patches: [[
      `${DATA}/projection.ts`,
      '      visibleSql(admission.kind === "conditional" ? admission.rule : null, scope),',
      `      ${
        on("a label of any row")
      } ? fragment("1") : visibleSql(admission.kind === "conditional" ? admission.rule : null, scope),`,
    ]],
  },
  {
    name: "a label's firewall on another alias",
    found: /^read customers\.organizationId/,
    patches: [[
      `${DATA}/projection.ts`,
      "  const scope = { firewall: firewallFor(table, { principal, organizationId }), alias, reading };",
      `  const scope = {
    firewall: firewallFor(table, { principal, organizationId }),
    alias: ${on("a label's firewall on another alias")} ? ROW : alias,
    reading,
  };`,
    ]],
  },
  {
    name: "an embedded record of anybody",
    found: /^read customers\.organizationId/,
    patches: [[
      `${DATA}/select_record.ts`,
      '  const visible = visibleSql(rule, { firewall, alias: ROW, reading: "row" });',
      `  const visible = ${
        on("an embedded record of anybody")
      } ? fragment("1") : visibleSql(rule, { firewall, alias: ROW, reading: "row" });`,
    ]],
  },
  {
    name: "a total over every row",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/summary.ts`,
      "${ROW} WHERE ${matching.sql}`,\n    args: matching.args,",
      `\${ROW} WHERE \${${on("a total over every row")} ? "1" : matching.sql}\`,\n    args: ${
        on("a total over every row")
      } ? [] : matching.args,`,
    ]],
  },
  {
    name: "groups of every row",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/select_groups.ts`,
      "const matching = matchingSql(query);",
      `const matching = ${on("groups of every row")} ? fragment("1") : matchingSql(query);`,
    ]],
  },
  {
    name: "a cursor that goes on among all rows",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/select_page.ts`,
      "map((range) => allOf([matching, range]))",
      `map((range) => ${
        on("a cursor that goes on among all rows")
      } ? range : allOf([matching, range]))`,
    ]],
  },
  {
    name: "a write of whatever row has the id",
    found: /^update tickets\./,
    patches: [[
      `${DATA}/write_row.ts`,
      '  return allOf([named, visibleSql(rule, { firewall, alias: BESIDE_KEYS, reading: "row" })]);',
      `  return ${
        on("a write of whatever row has the id")
      } ? named : allOf([named, visibleSql(rule, { firewall, alias: BESIDE_KEYS, reading: "row" })]);`,
    ]],
  },
  {
    name: "a restoration of whatever row has the id",
    found: /^read tickets\.organizationId/,
    patches: [[
      `${DATA}/restore_rows.ts`,
      'const where = allOf([key, visibleSql(rule, { firewall, alias: ROW, reading: "row" })]);',
      `const where = ${
        on("a restoration of whatever row has the id")
      } ? key : allOf([key, visibleSql(rule, { firewall, alias: ROW, reading: "row" })]);`,
    ]],
  },
  {
    name: "a batch that reads whatever it names",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/select_record.ts`,
      '  const where = allOf([primaryKeysSql(keys), firewallSql(firewall, BESIDE_KEYS, "row")]);',
      `  const where = ${
        on("a batch that reads whatever it names")
      } ? primaryKeysSql(keys) : allOf([primaryKeysSql(keys), firewallSql(firewall, BESIDE_KEYS, "row")]);`,
    ]],
  },
  {
    name: "a cascade that reaches everybody's rows",
    found: /^update tickets\./,
    patches: [[
      `${DATA}/delete_rows.ts`,
      "    firewallSql(firewall, BESIDE_KEYS),\n    liveSql(firewall, BESIDE_KEYS),",
      `    ...(${
        on("a cascade that reaches everybody's rows")
      } ? [] : [firewallSql(firewall, BESIDE_KEYS)]),\n    liveSql(firewall, BESIDE_KEYS),`,
    ]],
  },
  {
    name: "a new row that is another tenant's",
    found: /^write tickets\.organization_id/,
    patches: [[
      `${DATA}/stamps.ts`,
      "    organization: organizationId,",
      `    organization: ${
        on("a new row that is another tenant's")
      } ? "elsewhere" : organizationId,`,
    ]],
  },
  {
    name: "deleted rows in place of live ones",
    found: /^read tickets\.deletedAt/,
    patches: [[
      `${DATA}/conditions.ts`,
      "  return value === null ? fragment(`${cell} IS NULL`) : fragment(`${cell} = ?`, value);",
      `  if (${on("deleted rows in place of live ones")} && value === null) {
    return fragment(\`\${cell} IS NOT NULL\`);
  }
  if (${on("a firewall that is always true")}) return fragment(\`(\${cell} = ? OR 1)\`, value);
  return value === null ? fragment(\`\${cell} IS NULL\`) : fragment(\`\${cell} = ?\`, value);`,
    ]],
  },
  { name: "a firewall that is always true", found: /^read tickets\.organizationId/, patches: [] },
  {
    name: "a firewall over another column",
    found: /^read tickets\.organizationId/,
    patches: [[
      `${DATA}/conditions.ts`,
      "  const cell = cellSql(comparison.column, alias);\n  switch",
      `  const isOther = ${
        on("a firewall over another column")
      } && comparison.column.sqlName === "organization_id";
  const cell = isOther ? \`\${alias}."created_by"\` : cellSql(comparison.column, alias);
  switch`,
    ]],
  },
  {
    name: "a firewall with another tenant's value",
    found: /^read tickets\.organizationId/,
    patches: [[
      "quickback/runtime/layers/3-firewall/firewall.ts",
      "        return this.organizationId;",
      `        return ${
        on("a firewall with another tenant's value")
      } ? "elsewhere" : this.organizationId;`,
    ]],
  },
  {
    name: "a predicate that binds nobody",
    found: /^read tickets\.ownerId/,
    patches: [[
      "quickback/runtime/layers/3-firewall/firewall.ts",
      "  if (exceptRoles.some((role) => holdsRole(principal, role))) return false;",
      `  if (${on("a predicate that binds nobody")} && exceptRoles.length > 0) return false;
  if (exceptRoles.some((role) => holdsRole(principal, role))) return false;`,
    ]],
  },
  {
    name: "a handler's reads of a whole table",
    found: /^read tickets\./,
    patches: [[
      `${DATA}/scoped_db/scope.ts`,
      "AS ${ROW} WHERE ${where.sql})`,\n        args: where.args,",
      `AS \${ROW} WHERE \${${
        on("a handler's reads of a whole table")
      } ? "1" : where.sql})\`,\n        args: ${
        on("a handler's reads of a whole table")
      } ? [] : where.args,`,
    ]],
  },
  {
    name: "a handler's writes to a whole table",
    found: /^update tickets\./,
    patches: [[
      `${DATA}/scoped_db/scope_statement.ts`,
      "  return allOf([{ sql: `(${sql})`, args }, inScope]);",
      `  return ${
        on("a handler's writes to a whole table")
      } ? { sql: \`(\${sql})\`, args } : allOf([{ sql: \`(\${sql})\`, args }, inScope]);`,
    ]],
  },
  {
    name: "a handler's upsert of whatever row is there",
    found: /^upsert customers\.organizationId/,
    patches: [[
      `${DATA}/scoped_db/scope_insert.ts`,
      "  const condition = allOf([...chosen, inScope]);",
      `  const condition = ${
        on("a handler's upsert of whatever row is there")
      } ? allOf(chosen) : allOf([...chosen, inScope]);`,
    ]],
  },
];

export const FAULTS: readonly PlantedStatement[] = PLANTED.map(({ name, found }) => ({
  name,
  found,
}));

export const PATCHES: readonly Patch[] = PLANTED.flatMap(({ patches }) =>
  patches.map(([file, find, replace]) => ({ file, find, replace }))
);

const TICKETS = `import { feature, q } from "quickback";
import customers from "../customers/customers.ts";
export default feature("tickets", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    customerId: q.text().references(() => customers.id),
    title: q.text().required(),
    rank: q.int(),
    place: q.vector({ dimensions: 2 }),
    photo: q.file(),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "ownerId", equals: "ctx.userId", exceptRoles: ["agent"] },
  ],
  guards: { createable: ["customerId", "title", "rank", "place"], updatable: ["customerId", "title", "photo"] },
  search: { mode: "fullText" },
  read: {
    access: { roles: ["agent", "customer"] },
    include: ["customerId"],
    views: {
      ranks: {
        fields: ["id", "title", "rank"],
        aggregations: { total: { fn: "count" }, sum: { fn: "sum", field: "rank" } },
      },
      titles: { groupBy: ["title"], aggregations: { total: { fn: "count" } } },
    },
  },
  create: { access: { roles: ["agent", "customer"] } },
  update: { access: { roles: ["agent", "customer"] } },
  delete: {
    access: { roles: ["agent", "customer"] },
    restore: { access: { roles: ["agent", "customer"] } },
  },
  audit: { access: { roles: ["agent", "customer"] } },
});
`;

const CUSTOMERS = `import { feature, q } from "quickback";
export default feature("customers", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required(),
  },
  guards: { createable: ["name"], updatable: ["name"] },
  read: { access: { roles: ["agent", "customer"] }, include: ["tickets.customerId"] },
  create: { access: { roles: ["agent"] } },
  update: { access: { roles: ["agent"] } },
  delete: { access: { roles: ["agent", "customer"] } },
});
`;

/** What handlers are given most: reads, a join, a subquery, a write, an insert that may meet a row. */
const TIDY = `import { and, count, eq, exists } from "drizzle-orm";
import { defineAction } from "quickback";
import { z } from "zod";
import { tickets } from "../schema";
import { customers } from "../../customers/schema";

export default defineAction({
  description: "Touches everything",
  path: "/tidy",
  input: z.object({}),
  access: { roles: ["agent", "customer"] },
  execute: async ({ db, jobs, files }) => {
    const [all] = await db.select({ all: count() }).from(tickets);
    const named = await db.select({ id: tickets.id, name: customers.name }).from(tickets)
      .leftJoin(customers, eq(customers.id, tickets.customerId));
    const known = db.select({ id: customers.id }).from(customers)
      .where(eq(customers.id, tickets.customerId));
    await db.select({ id: tickets.id }).from(tickets).where(exists(known));
    await db.update(tickets).set({ rank: 1 }).where(and(eq(tickets.rank, 0), exists(known)));
    const [made] = await db.insert(customers).values({ name: "New" }).returning();
    await db.insert(customers).values({ id: made?.id, name: "Again" })
      .onConflictDoUpdate({ target: customers.id, set: { name: "Kept" } });
    await db.delete(tickets).where(eq(tickets.rank, -1));
    const nobodys = { id: "file_0", name: "a", size: 1, type: "text/plain", sha256: "" };
    const refused = await files.get(nobodys).catch((error) => error.message);
    await jobs.count.enqueue({});
    await jobs.sweep.enqueue({});
    return { ...all, named: named.length, refused };
  },
});
`;

/** Queued by `tidy`. */
const COUNT = `import { defineJob, z } from "quickback";
import { tickets } from "../features/tickets/tickets";

export default defineJob({
  input: z.object({}),
  run: async ({ db }) => void await db.select().from(tickets),
});
`;

const SWEEP = `import { defineJob, z } from "quickback";
import { tickets } from "../features/tickets/tickets";

export default defineJob({
  input: z.object({}),
  unsafe: { reason: "Looks for what was deleted" },
  run: async ({ unsafeDb }) => void await unsafeDb.select().from(tickets),
});
`;

/** A project with everything that a fault can be planted in. */
export function auditedProject(): RawFiles {
  return {
    "quickback/quickback.config.ts":
      'import { defineConfig } from "quickback";\nexport default defineConfig({ name: "audited" });\n',
    "quickback/features/tickets/tickets.ts": TICKETS,
    "quickback/features/tickets/actions/tidy.ts": TIDY,
    "quickback/features/customers/customers.ts": CUSTOMERS,
    "quickback/jobs/count.ts": COUNT,
    "quickback/jobs/sweep.ts": SWEEP,
  };
}
