/** `tenancy: "perOrganization"`: what it needs, and what cannot span two databases (definitions 2). */
import { assertEquals } from "@std/assert";
import { firstMigration } from "../../../shared/compiler/migrations/plan_migration.ts";
import { sqlTables } from "../../../shared/compiler/phases/5-plan/sql_tables.ts";
import {
  analyzedProject,
  CONFIG_FILE,
  type Files,
  JOBS_FILE,
  toldOf,
  withConfig,
} from "../../support/analysis.ts";

const APART = 'database: defineDatabase("libsql", { tenancy: "perOrganization" })';

const NEEDS: readonly (readonly [title: string, source: string, expected: readonly string[]])[] = [
  ["organizations", `features: { organizations: false }, providers: { ${APART} },`, [
    'SCOPE_WITHOUT_TENANTS 3:14 Column "organizationId" needs organizations, which this project has off | Set features.organizations to true, or remove the column',
    'TENANCY_NOT_POSSIBLE 3:96 A database for each organization needs organizations, which this project has off | Set features.organizations to true, or write tenancy: "shared"',
  ]],
  ["a runtime that serves it", `providers: { runtime: defineRuntime("cloudflare"), ${APART} },`, [
    'TENANCY_NOT_POSSIBLE 3:98 A database for each organization is not served on this runtime | Write defineRuntime("deno"), or tenancy: "shared"',
  ]],
  [
    "libSQL",
    'providers: { database: defineDatabase("cloudflare-d1", { tenancy: "perOrganization" }) },',
    [
      'TENANCY_NOT_POSSIBLE 3:67 A database for each organization needs libSQL | Write defineDatabase("libsql", …), or tenancy: "shared"',
    ],
  ],
];

for (const [title, source, expected] of NEEDS) {
  Deno.test(`a database for each organization needs ${title}`, () => {
    assertEquals(toldOf(withConfig(source).errors), expected);
  });
}

const CONFIG = `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({ name: "apart", providers: { ${APART} } });
`;
const PLANS = `import { feature, q } from "quickback";
export default feature("plans", { columns: { name: q.text() }, firewall: { exception: true } });
`;

function apart(files: Files) {
  return analyzedProject({
    [CONFIG_FILE]: CONFIG,
    "quickback/features/plans/plans.ts": PLANS,
    ...files,
  });
}

Deno.test("a foreign key does not lead out of an organization's database", () => {
  const { errors } = apart({
    [JOBS_FILE]: `import { feature, q } from "quickback"; import { plans } from "../plans/plans";
export default feature("jobs", { columns: { organizationId: q.scope("organization"),
planId: q.text().references(() => plans.id) } });
`,
  });
  assertEquals(toldOf(errors), [
    'TENANCY_FOREIGN_KEY 3:35 "planId" refers from "jobs" to "plans": rows of "jobs" stand in a database for each organization, the others in the directory | Give both tables an organization\'s scope or neither, or keep the id without .references()',
  ]);
});

Deno.test("a foreign key does not lead into an organization's database", () => {
  const { errors } = apart({
    [JOBS_FILE]:
      `import { feature, q } from "quickback"; import { customers } from "../customers/customers";
export default feature("jobs", { columns: { ownerId: q.scope("owner"),
customerId: q.text().references(() => customers.id) } });
`,
  });
  assertEquals(toldOf(errors), [
    'TENANCY_FOREIGN_KEY 3:39 "customerId" refers from "jobs" to "customers": rows of "customers" stand in a database for each organization, the others in the directory | Give both tables an organization\'s scope or neither, or keep the id without .references()',
  ]);
});

Deno.test("an action names records of its own database", () => {
  const { errors } = apart({
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { organizationId: q.scope("organization") } });
`,
    "quickback/features/jobs/actions/price.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({ description: "Sets a price", access: { roles: ["admin"] },
input: z.object({ planId: z.string() }), refs: { planId: "plans" }, execute: async () => ({}) });
`,
  });
  assertEquals(toldOf(errors), [
    'TENANCY_REFERENCE 1:1 Input "planId" of "price" names records of "plans", which stand in another database than those of the action | Take the id without refs; the action\'s own database does not hold the record',
  ]);
});

Deno.test("jobs and schedules stand beside it, and their rows are in the same migration", () => {
  const { model, errors } = apart({
    "quickback/jobs/tidy.ts": `import { defineJob } from "quickback";
import { z } from "zod";
export default defineJob({ input: z.object({}), run: async () => {} });
`,
    "quickback/schedules/nightly.ts": `import { defineSchedule } from "quickback";
export default defineSchedule({ cron: "0 3 * * *", job: "tidy", input: {}, each: "organization" });
`,
  });
  assertEquals(toldOf(errors), []);
  const names = model === null ? [] : sqlTables(model).map(({ name }) => name);
  assertEquals(names.includes("quickback_job_runs"), true);
  assertEquals(names.includes("quickback_schedule_ticks"), true);
});

Deno.test("the model says it, and one migration serves the directory and every organization", () => {
  const { model, errors } = apart({});
  assertEquals(toldOf(errors), []);
  assertEquals(model?.database.tenancy, "perOrganization");
  const sql = model === null ? [] : firstMigration(sqlTables(model)).map(({ content }) => content);
  const names = ["tenant_databases", "auth_user", "customers", "plans"];
  assertEquals(
    names.filter((name) => !sql.join("\n").includes(`CREATE TABLE \`${name}\``)),
    [],
  );
});

Deno.test("a shared database is what a project has without the key, and nothing in the model tells of it", () => {
  const said = withConfig(
    'providers: { database: defineDatabase("libsql", { tenancy: "shared" }) },',
  );
  const unsaid = withConfig('providers: { database: defineDatabase("libsql") },');
  assertEquals(said.model?.database, unsaid.model?.database);
  assertEquals(said.model?.database.tenancy, undefined);
});
