/** A project whose organizations have a database each, the same with one for all, and an operator's commands on them. */
import { assert, assertEquals } from "@std/assert";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import { exportFiles } from "../../library/platform/mod.ts";
import { runTenantCommand } from "../../shared/runtime/mod.ts";
import type { TenantCommand } from "../../shared/runtime/ports.ts";
import type { ApiUnderTest, Claims } from "./api.ts";
import { migrationOf } from "./divided_database.ts";
import { schemaOf } from "./model_database.ts";

export const ROLES =
  `read: { access: { roles: ["AUTHENTICATED"] } }, create: { access: { roles: ["AUTHENTICATED"] } }`;

export const FILES = {
  "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "apart",
  providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) },
});
`,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { organizationId: q.scope("organization"), text: q.text().required() },
  guards: { createable: ["text"] },
  ${ROLES},
});
`,
  "quickback/features/plans/plans.ts": `import { feature, q } from "quickback";
export default feature("plans", {
  columns: { name: q.text().required() },
  firewall: { exception: true },
  guards: { createable: ["name"] },
  ${ROLES},
});
`,
};

export const SHARED = {
  ...FILES,
  "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({ name: "apart" });
`,
};

export const ANNA: Claims = { sub: "anna", orgId: "org_a", roles: ["admin"] };
export const BERT: Claims = { sub: "bert", orgId: "org_b", roles: ["admin"] };

export async function write(api: ApiUnderTest, as: Claims, text: string): Promise<void> {
  const answer = await api.ask("notes", { as, body: { text } });
  assertEquals(answer.status, 201, answer.text);
}

export async function texts(api: ApiUnderTest, as: Claims): Promise<readonly unknown[]> {
  const answer = await api.ask("notes?sort=text", { as });
  assertEquals(answer.status, 200, answer.text);
  const { data } = answer.body;
  return Array.isArray(data) ? data.map(({ text }) => text) : [];
}

export function run(
  api: ApiUnderTest,
  command: TenantCommand,
  { files = exportFiles(null), objects = api.ports.files?.store ?? null } = {},
) {
  const { ports: { database, tenants, clock, random }, project } = api;
  assert(tenants, "The API has one database");
  return runTenantCommand(command, {
    project,
    endOrganization: organizationEnding(project),
    directory: database,
    tenants,
    migrations: [migrationOf(schemaOf(project))],
    clock,
    random,
    files,
    objects,
    progress: () => {},
  });
}
