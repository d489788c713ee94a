/** What the configuration comes to in the model (definitions 2, contract 8.1). */
import { assertEquals } from "@std/assert";
import type { RateLimit } from "../../../shared/contract/limits.ts";
import { RECOMMENDED_EVENTS } from "../../../shared/contract/webhooks.ts";
import {
  analyzedProject,
  CONFIG_FILE,
  CUSTOMERS_FILE,
  JOBS_FILE,
  jobsResource,
  withConfig,
} from "../../support/analysis.ts";
import { NO_AUTHORED_CODE } from "../../support/no_authored_code.ts";

type Limits = readonly [title: string, project: string, resource: string, expected: unknown];
const SHIPPED: RateLimit = { limit: 200, period: 60 };
const LIMITS: readonly Limits[] = [
  ["shipped defaults", "", "", SHIPPED],
  ["the project's operation", "rateLimit: { create: { limit: 9, period: 10 } },", "", {
    limit: 9,
    period: 10,
  }],
  [
    "the resource's operation over the project's",
    "rateLimit: { create: { limit: 9, period: 10 } },",
    "rateLimit: { create: { limit: 3, period: 60 } },",
    { limit: 3, period: 60 },
  ],
  [
    "another operation of the resource",
    "",
    "rateLimit: { read: { limit: 3, period: 60 } },",
    SHIPPED,
  ],
  ["an operation switched off", "", "rateLimit: { create: false },", null],
  [
    "the resource's false",
    "rateLimit: { create: { limit: 9, period: 10 } },",
    "rateLimit: false,",
    null,
  ],
  [
    "the project's false",
    "rateLimit: false,",
    "rateLimit: { create: { limit: 3, period: 60 } },",
    null,
  ],
];

for (const [title, project, resource, expected] of LIMITS) {
  Deno.test(`Rate limits are decided by ${title}`, () => {
    const result = analyzedProject({
      [CONFIG_FILE]: `export default { name: "sample", ${project} };\n`,
      [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner") }, ${resource} });\n`,
    });
    assertEquals(jobsResource(result).rateLimits.create, expected);
  });
}

Deno.test("The configuration's defaults stand where nothing is said", () => {
  const model = withConfig("").model;
  assertEquals(model && { ...model, tables: [], resources: [] }, {
    name: "sample",
    contract: "v1",
    multiTenant: true,
    runtime: "deno",
    database: {
      provider: "libsql",
      generateId: "prefixed",
      allowClientIds: false,
      namingConvention: "snake_case",
      webhookAllowInsecure: false,
    },
    auth: {
      emailAndPassword: true,
      disableSignUp: false,
      requireEmailVerification: false,
      session: { expiresInDays: 7, updateAgeInDays: 1 },
      rateLimit: { enabled: "production", window: null, max: null },
      roleHierarchy: [],
      roles: [],
      jwt: {
        expiresIn: 900,
        issuer: null,
        audience: null,
        algorithm: "HS256",
        revocationCheck: false,
      },
      principals: [],
    },
    openapi: {
      generate: true,
      publish: "authenticated",
      docs: false,
      types: ["client.d.ts"],
    },
    changeset: false,
    agents: { mcp: true, llmsTxt: true, robotsTxt: true },
    schemaRegistry: true,
    etag: true,
    trustedOrigins: [],
    email: { provider: "log", from: null, fromName: null },
    webhooks: {
      outbound: false,
      inbound: [],
      events: RECOMMENDED_EVENTS,
      maxEndpoints: 25,
      schedule: "standard",
      retentionDays: 90,
    },
    realtime: { enabled: false, emitFromActions: false, push: false, signals: [] },
    devPort: 8000,
    outputDir: ".",
    dependencies: {},
    renames: { tables: {}, columns: {} },
    backfills: {},
    allowDestructive: false,
    rateLimits: {
      read: { limit: 1000, period: 60 },
      create: SHIPPED,
      update: SHIPPED,
      delete: SHIPPED,
    },
    tables: [],
    resources: [],
    actions: [],
    authored: NO_AUTHORED_CODE,
  });
});

Deno.test("Tokens of contract v2 exist only when auth.jwt is declared", () => {
  assertEquals(withConfig('contract: { version: "v2" },').model?.auth.jwt, null);
  const declared = withConfig('contract: { version: "v2" }, auth: { jwt: { issuer: "me" } },');
  assertEquals(declared.model?.auth.jwt?.issuer, "me");
});

Deno.test("Providers may be plain objects, flat or with config; aliases are settled", () => {
  const { model } = withConfig(`providers: {
    runtime: { name: "deno" },
    database: { name: "libsql", config: { generateId: "uuid" } },
    auth: { name: "better-auth", emailAndPassword: { enabled: false } },
  },
  openapi: { publish: true, docs: "swagger", types: false },`);
  assertEquals(model?.database.generateId, "uuid");
  assertEquals(model?.auth.emailAndPassword, false);
  assertEquals(model?.openapi.docs, "browser_classic");
  assertEquals(model?.openapi.publish, "public");
  assertEquals(model?.openapi.types, []);
});

Deno.test("Keys of other implementations are a warning, and nothing else", () => {
  const { model, warnings } = withConfig("cms: {}, fileStorage: { provider: 1 },");
  assertEquals(model?.name, "sample");
  assertEquals(warnings.map(({ code, message }) => `${code} ${message}`), [
    'KEY_WITHOUT_MEANING Key "cms" in the configuration has no meaning here',
    'KEY_WITHOUT_MEANING Key "fileStorage" in the configuration has no meaning here',
  ]);
});

Deno.test("Streams on a runtime that keeps none say so, and are off", () => {
  const { model, warnings } = withConfig(
    'realtime: { enabled: true }, providers: { runtime: { name: "cloudflare" } },',
  );
  assertEquals(warnings.map(({ message }) => message), [
    'realtime.enabled on the runtime "cloudflare" is checked but not served by this version',
  ]);
  assertEquals(model?.realtime.enabled, false);
});

Deno.test("Names in SQL follow the naming convention", () => {
  const columns =
    'export default feature("jobItems", { columns: { ownerId: q.scope("owner"), dueAt: q.timestamp() } });';
  const named = (convention: string) => {
    const { model } = analyzedProject({
      [CONFIG_FILE]:
        `export default { name: "s", providers: { database: { name: "libsql", namingConvention: "${convention}" } } };\n`,
      [CUSTOMERS_FILE]: `import { feature, q } from "quickback";\n${columns}\n`,
    });
    const table = model?.tables[0];
    return [table?.sqlName, table?.columns.find((column) => column.name === "dueAt")?.sqlName];
  };
  assertEquals(named("snake_case"), ["job_items", "due_at"]);
  assertEquals(named("camelCase"), ["jobItems", "dueAt"]);
});

Deno.test("Plugins that are always there say nothing, others of the library that they are missing", () => {
  const { warnings, errors } = withConfig(
    'providers: { auth: defineAuth("better-auth", { plugins: ["organizations", "admin", "apiKeys", "teams", "passkey", "phoneNumber"] }) },',
  );
  assertEquals(errors, []);
  assertEquals(warnings.map(({ message }) => message), [
    'The account plugin "passkey" is listed, and passkeys is off',
    'The account plugin "phoneNumber" is checked but not served by this version',
  ]);
});

Deno.test("The limit of account routes is the library's in production, or what the project says", () => {
  const limitOf = (source: string) =>
    withConfig(`providers: { auth: defineAuth("better-auth", { rateLimit: ${source} }) },`)
      .model?.auth.rateLimit;
  assertEquals(limitOf("false"), { enabled: false, window: null, max: null });
  assertEquals(limitOf("true"), { enabled: true, window: null, max: null });
  assertEquals(limitOf("{ window: 60, max: 100 }"), { enabled: true, window: 60, max: 100 });
  assertEquals(limitOf("{ enabled: false, max: 1 }"), { enabled: false, window: null, max: 1 });
});
