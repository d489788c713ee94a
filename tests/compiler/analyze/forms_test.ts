/** One table in its three spellings is one model (definitions 1). */
import { assertEquals } from "@std/assert";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { analyzedProject, JOBS_FILE, toldOf, withDrizzleColumns } from "../../support/analysis.ts";
import { assertGolden } from "../../support/golden.ts";

const OPTIONS = `
  guards: { createable: ["title", "status", "customerId"], updatable: ["title", "done"] },
  masking: { contactEmail: { type: "email", show: { roles: ["admin"], or: "owner" } } },
  read: {
    access: { roles: ["viewer+"] },
    include: ["customerId"],
    views: {
      open: {
        fields: ["id", "title", "customerId"],
        include: ["customerId"],
        query: { filterable: ["customerId"], sortable: ["title"] },
        aggregations: { total: { fn: "sum", field: "amount" } },
      },
    },
  },
  create: { access: { roles: ["agent+"] }, batch: { maxBatchSize: 20 } },
  update: { access: { roles: ["agent"], record: { createdBy: { equals: "$ctx.userId" } } } },
  delete: { access: { roles: ["admin"] } },
  unique: [{ columns: ["title"] }],
`;

const Q_COLUMNS = `
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 80 }).required(),
    status: q.text({ enum: ["open", "closed"] }).required().default("open"),
    amount: q.real(),
    count: q.int().default(0),
    done: q.bool().required().default(false),
    dueAt: q.timestamp(),
    contactEmail: q.text().unique(),
    settings: q.json(),
    customerId: q.text().references(() => customers.id, { onDelete: "set null" }),
`;

const DRIZZLE_COLUMNS = `
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    title: text("title", { length: 80 }).notNull(),
    status: text("status", { enum: ["open", "closed"] }).notNull().default("open"),
    amount: real("amount"),
    count: integer("count").default(0),
    done: integer("done", { mode: "boolean" }).notNull().default(false),
    dueAt: integer("due_at", { mode: "timestamp" }),
    contactEmail: text("contact_email").unique(),
    settings: text("settings", { mode: "json" }),
    customerId: text("customer_id").references(() => customers.id, { onDelete: "set null" }),
`;

const IMPORTS = `import { defineTable, feature, q } from "quickback";
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import customers from "../customers/customers.ts";
`;

const FORMS: readonly (readonly [name: string, text: string])[] = [
  [
    "feature()",
    `${IMPORTS}export default feature("jobs", { columns: {${Q_COLUMNS}},${OPTIONS}});\n`,
  ],
  [
    "q.table() and defineTable()",
    `${IMPORTS}export const jobs = q.table("jobs", {${Q_COLUMNS}});
export default defineTable(jobs, {${OPTIONS}});\n`,
  ],
  [
    "sqliteTable() and defineTable()",
    `${IMPORTS}export const jobs = sqliteTable("jobs", {${DRIZZLE_COLUMNS}});
export default defineTable(jobs, {${OPTIONS}});\n`,
  ],
];

for (const [name, text] of FORMS) {
  Deno.test(`${name} gives the one model of its table`, () => {
    const { model, errors } = analyzedProject({ [JOBS_FILE]: text });
    assertEquals(errors, []);
    const json = `${JSON.stringify(withoutOrigins(model), null, 2)}\n`;
    assertGolden("tests/compiler/analyze/expected/jobs_model.json", json);
  });
}

/** Where a thing is written is the only difference between the forms. */
function withoutOrigins(model: ProjectModel | null): unknown {
  return JSON.parse(JSON.stringify(model, (key, value) => key === "origin" ? undefined : value));
}

Deno.test("A table without a resource is migrated and scoped, and has no routes", () => {
  const text = `import { q } from "quickback";
export const jobs = q.table("jobs", { organizationId: q.scope("organization"), note: q.text() });
`;
  const { model } = analyzedProject({ [JOBS_FILE]: text });
  const table = model?.tables.find((candidate) => candidate.name === "jobs");
  assertEquals(model?.resources.map((resource) => resource.name), ["customers"]);
  assertEquals(table?.firewall.map((predicate) => predicate.kind), ["organization", "notDeleted"]);
  assertEquals(table?.columns.map((column) => column.name), [
    "id",
    "organizationId",
    "note",
    "createdAt",
    "createdBy",
    "modifiedAt",
    "modifiedBy",
    "deletedAt",
    "deletedBy",
  ]);
});

Deno.test("Drizzle's text under a system timestamp's name is that timestamp", () => {
  const { model, errors } = withDrizzleColumns(
    'createdAt: text("created_at").notNull(), modifiedAt: integer("modified_at", { mode: "timestamp" }),',
  );
  const table = model?.tables.find((candidate) => candidate.name === "jobs");
  const types = table?.columns.filter((column) => column.name.endsWith("edAt"))
    .map((column) => [column.name, column.type.kind]);
  assertEquals(toldOf(errors), []);
  assertEquals(types, [
    ["createdAt", "timestamp"],
    ["modifiedAt", "timestamp"],
    ["deletedAt", "timestamp"],
  ]);
});
