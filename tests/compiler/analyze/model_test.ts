/** What the definitions of a resource come to in the model (definitions 3, 4). */
import { assertEquals } from "@std/assert";
import type { Access } from "../../../shared/model/access.ts";
import type { TableModel } from "../../../shared/model/table.ts";
import {
  analyzedProject,
  CONFIG_FILE,
  JOBS_FILE,
  jobsResource,
  jobsTable,
  toldOf,
  withColumns,
  withResource,
} from "../../support/analysis.ts";

Deno.test("Access becomes one normal form: hierarchy expanded, every part binding", () => {
  const source = `read: { access: {
    roles: ["agent+"],
    or: [
      { userRole: "sysadmin" },
      { record: { status: "open", amount: { greaterThan: 3 }, createdBy: { equals: "$ctx.userId" } } },
    ],
  } },`;
  assertEquals(jobsResource(withResource(source)).read?.access, {
    kind: "all",
    of: [
      { kind: "roles", roles: ["agent", "admin"] },
      {
        kind: "any",
        of: [
          { kind: "userRole", roles: ["sysadmin"] },
          {
            kind: "record",
            conditions: [
              {
                column: "status",
                operator: "equals",
                operand: { kind: "literal", value: "open" },
              },
              {
                column: "amount",
                operator: "greaterThan",
                operand: { kind: "literal", value: 3 },
              },
              {
                column: "createdBy",
                operator: "equals",
                operand: { kind: "context", key: "userId" },
              },
            ],
          },
        ],
      },
    ],
  });
});

Deno.test("An operation without access admits nobody, and says so", () => {
  const result = withResource("read: {},");
  assertEquals(jobsResource(result).read?.access, { kind: "nobody" });
  assertEquals(toldOf(result.warnings), [
    'ACCESS_MISSING 4:7 "jobs.read" has no access rule and admits nobody | Add access: { roles: […] }',
  ]);
});

Deno.test("An empty list of roles admits nobody, alone and beside other rules", () => {
  const result = withResource(`read: { access: { roles: [] } },
  create: { access: { or: [{ roles: [] }, { roles: ["admin"] }] } },`);
  const { read, create } = jobsResource(result);
  assertEquals(toldOf(result.warnings), []);
  assertEquals(read?.access, { kind: "nobody" });
  assertEquals(create?.access, {
    kind: "any",
    of: [{ kind: "nobody" }, { kind: "roles", roles: ["admin"] }],
  });
});

Deno.test("Guards: an immutable field is set on create; columns may guard themselves", () => {
  const text = `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: {
    ownerId: q.scope("owner"),
    slug: q.text().immutable(),
    title: q.text(),
    state: q.text().protected("close"),
  },
  guards: { createable: ["title"], updatable: ["title"] },
});
`;
  const close = `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Close",
  input: z.object({}),
  access: { roles: ["agent"] },
  execute: () => ({}),
});
`;
  const files = { [JOBS_FILE]: text, "quickback/features/jobs/actions/close.ts": close };
  const result = analyzedProject(files);
  assertEquals(jobsResource(result).guards, {
    createable: ["title", "slug"],
    updatable: ["title"],
    immutable: ["slug"],
    protected: { state: ["close"] },
  });
});

Deno.test("guards: false opens every client column", () => {
  assertEquals(jobsResource(withResource("guards: false,")).guards, null);
});

Deno.test("Sensitive names are masked unasked, with a warning each", () => {
  const result = withColumns(
    "billingEmail: q.text(), mobile: q.text(), apiKey: q.text(), emailSentAt: q.timestamp(), sendEmail: q.bool(), pinToken: q.int(),",
  );
  assertEquals(
    Object.entries(jobsResource(result).masks).map(([column, mask]) => [column, mask.type]),
    [["billingEmail", "email"], ["mobile", "phone"], ["apiKey", "redact"], ["pinToken", "redact"]],
  );
  assertEquals(result.warnings.map(({ code, place }) => `${code} ${place.line}:${place.column}`), [
    "MASK_AUTOMATIC 4:1",
    "MASK_AUTOMATIC 4:25",
    "MASK_AUTOMATIC 4:43",
    "MASK_AUTOMATIC 4:110",
  ]);
});

Deno.test("A written mask shows to whom it says; questions follow show unless said", () => {
  const source = `masking: {
    note: { type: "redact", show: { roles: ["agent+"], or: "owner" } },
    title: { type: "name", query: { roles: ["admin"] } },
  },`;
  assertEquals(jobsResource(withResource(source)).masks, {
    title: {
      type: "name",
      showRoles: [],
      showOwner: false,
      queryRoles: ["admin"],
      automatic: false,
    },
    note: {
      type: "redact",
      showRoles: ["agent", "admin"],
      showOwner: true,
      queryRoles: ["agent", "admin"],
      automatic: false,
    },
  });
});

Deno.test("A view narrows its parent: its own roles, its own sort, else the resource's", () => {
  const source = `defaultSort: "title", read: { access: { roles: ["agent+"] }, views: {
    mine: { fields: ["id", "title"], access: { roles: ["admin"] } },
    byAmount: { fields: ["amount"], query: { defaultSort: "-amount,title" } },
  } },`;
  const views = jobsResource(withResource(source)).read?.views ?? [];
  assertEquals(
    views.map(({ name, segment, access, defaultSort }) => [name, segment, access, defaultSort]),
    [
      ["mine", "mine", { kind: "roles", roles: ["admin"] }, [{
        column: "title",
        descending: false,
      }]],
      ["byAmount", "by-amount", { kind: "roles", roles: ["agent", "admin"] }, [
        { column: "amount", descending: true },
        { column: "title", descending: false },
      ]],
    ],
  );
});

Deno.test("Indexes: foreign keys, scopes, sorts and what was asked for, each once", () => {
  const source = `read: { access: { roles: ["agent"] }, views: {
    v: { fields: ["title", "amount"], query: { sortable: ["amount"], filterable: ["title"] } },
  } },
  unique: [{ columns: ["title"] }],
  indexes: [{ columns: ["done", "amount"] }, { columns: ["customerId"] }],`;
  assertEquals(
    jobsTable(withResource(source)).indexes.map(({ name, unique }) => [name, unique]),
    [
      ["jobs_organization_id_title_unique", true],
      ["jobs_customer_id_organization_id_deleted_at_created_at_id_idx", false],
      ["jobs_organization_id_deleted_at_created_at_id_idx", false],
      ["jobs_organization_id_deleted_at_amount_id_idx", false],
      ["jobs_organization_id_deleted_at_title_id_idx", false],
      ["jobs_done_amount_idx", false],
    ],
  );
});

Deno.test("A foreign key is labelled by its target's display column", () => {
  assertEquals(jobsResource(withResource("")).labels, [
    { field: "customer_label", column: "customerId", table: "customers", display: "name" },
  ]);
});

Deno.test("References may stand beside the columns", () => {
  const table = jobsTable(withResource('references: { note: "customers" },'));
  assertEquals(table.columns.find((column) => column.name === "note")?.references, {
    table: "customers",
    column: "id",
    onDelete: null,
  });
});

Deno.test("Searched are the text columns that are no keys, or those that say so", () => {
  const searched = (table: TableModel) =>
    table.columns.filter((column) => column.searchable).map((column) => column.name);
  assertEquals(searched(jobsTable(withResource(""))), ["title", "status", "note"]);
  assertEquals(searched(jobsTable(withColumns("a: q.text(), b: q.text().searchable(),"))), ["b"]);
});

Deno.test("Batch exists with the write unless it is switched off", () => {
  const source = `create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] }, batch: false },
  crud: { delete: { access: { roles: ["admin"] }, batch: { maxBatchSize: 5, allowFailFast: false } } },`;
  const resource = jobsResource(withResource(source));
  const access: Access = { kind: "roles", roles: ["admin"] };
  assertEquals(resource.create?.batch, { access, maxBatchSize: 100, allowFailFast: true });
  assertEquals(resource.update?.batch, null);
  assertEquals(resource.delete?.batch, { access, maxBatchSize: 5, allowFailFast: false });
});

Deno.test("Ids: prefix from the singular name, or as the resource says; serial from an integer key", () => {
  assertEquals(jobsTable(withResource("")).idPrefix, "job");
  assertEquals(jobsTable(withResource('idPrefix: "j",')).idPrefix, "j");
  const text = `import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
export const jobs = sqliteTable("jobs", { id: integer("id").primaryKey({ autoIncrement: true }), ownerId: text("owner_id") });
`;
  assertEquals(jobsTable(analyzedProject({ [JOBS_FILE]: text })).idStrategy, "serial");
});

Deno.test("PUT is for ids that the client chooses and records that it writes whole", () => {
  const { model, errors } = analyzedProject({
    [CONFIG_FILE]:
      'export default { name: "s", providers: { database: { name: "libsql", generateId: false } } };\n',
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner") }, guards: false,
crud: { put: { access: { roles: ["admin"] } } } });\n`,
  });
  assertEquals(toldOf(errors), []);
  const jobs = model?.resources.find((resource) => resource.name === "jobs");
  assertEquals(jobs?.upsert?.access, { kind: "roles", roles: ["admin"] });
});

Deno.test("Roles that rules name are listed, pseudo- and platform roles apart", () => {
  const { model } = withResource(
    'read: { access: { roles: ["agent+", "PUBLIC", "sysadmin"] } }, create: { access: { roles: ["owner"] } },',
  );
  assertEquals(model?.auth.roles, ["admin", "agent", "owner", "viewer"]);
});

Deno.test("A column named like a query parameter is a warning", () => {
  const { model, warnings } = analyzedProject({
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), total: q.int() },
  read: { access: { roles: ["admin"] } } });
`,
  });
  assertEquals(model === null, false);
  assertEquals(toldOf(warnings), [
    'COLUMN_IS_PARAMETER 2:72 Column "total" is also a query parameter of lists | Filter by it with "total.in", or rename it',
  ]);
});
