/** Clinic and museum, which the proofs run over, use every word of the language that its reader knows: a new one needs its place there. */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { CLINIC } from "../../support/clinic.ts";
import { knownWords, wordsOf } from "../../support/words.ts";
import { projectFiles } from "../../support/sample_files.ts";

/** Each is another spelling of a word here, or is passed over with a warning. */
const ELSEWHERE = ["config", "customRules", "fileStorage", "put", "requiredRoles"];

/** All that is said to another platform, which the proofs do not run on. */
const EDGE = {
  "quickback/quickback.config.ts":
    `import { defineConfig, defineDatabase, defineRuntime } from "quickback";
export default defineConfig({
  name: "edge",
  build: { vendor: true },
  compiler: { migrations: { accept: ["orders.title"] } },
  branding: { name: "The Edge", color: "#0a5bd3", logo: "logo.svg" },
  email: { provider: "smtp", from: "edge@example.com", notices: false },
  providers: {
    runtime: defineRuntime("cloudflare", {
      compatibilityDate: "2026-01-31",
      observability: {
        enabled: true,
        headSamplingRate: 0.5,
        logs: { invocationLogs: false, persist: true, destinations: ["logs"] },
        traces: { enabled: true },
      },
      routes: [
        { pattern: "edge.example.com", zoneName: "example.com", customDomain: true },
        { pattern: "edge.example.org/*", zoneId: "z1" },
      ],
      placement: { mode: "smart", hint: "wnam" },
    }),
    database: defineDatabase("cloudflare-d1", {
      binding: "DB",
      authBinding: "AUTH_DB",
      featuresBinding: "FEATURES_DB",
      webhooksBinding: "WEBHOOKS_DB",
      databaseId: "d1",
      authDatabaseId: "d2",
      featuresDatabaseId: "d3",
      webhooksDatabaseId: "d4",
      kvNamespaceId: "k1",
      splitDatabases: true,
    }),
  },
});
`,
  "quickback/email-templates/logo.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 20 }),
    assigneeId: q.text(),
    shout: q.computed(q.text(), ({ assigneeId }) => \`\${assigneeId}!\`),
    noted: q.rollup("lines.orderId", { count: true }, { where: { note: "open" } }),
    stars: q.rollup("lines.orderId", { sum: "stars" }),
    most: q.rollup("lines.orderId", { max: "stars" }),
    least: q.rollup("lines.orderId", { min: "stars" }),
  },
  guards: { createable: ["title"], updatable: ["assigneeId"] },
  masking: {
    title: {
      type: "name",
      show: {
        roles: ["admin"],
        record: { lines: { some: { note: "open" } } },
        anyOf: [{ roles: ["technician"], record: { assigneeId: "$ctx.userId" } }],
      },
    },
  },
});
`,
  "quickback/features/orders/lines.ts": `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("lines", {
  columns: {
    organizationId: q.scope("organization"),
    orderId: q.text().required().references(() => orders.id),
    note: q.text(),
    stars: q.int(),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    {
      anyOf: [
        { roles: ["dispatcher"] },
        { through: "order", where: { assigneeId: "$ctx.userId" }, roles: ["technician"] },
        { through: "checks.lineId", some: { note: "seen" } },
        { through: "checks.lineId", none: { or: [{ note: "open" }, { not: { note: "done" } }] } },
      ],
    },
  ],
  guards: { createable: ["orderId", "note"] },
});
`,
  "quickback/features/orders/checks.ts": `import { feature, q } from "quickback";
import lines from "./lines.ts";
export default feature("checks", {
  columns: {
    organizationId: q.scope("organization"),
    lineId: q.text().required().references(() => lines.id),
    note: q.text(),
  },
  guards: { createable: ["lineId", "note"] },
});
`,
  "quickback/services/github.ts": `import { defineWebhookProvider } from "quickback";
export default defineWebhookProvider({
  name: "github",
  verifySignature: () => false,
  parseEvent: () => ({ type: "push", data: {} }),
  organizationOf: () => null,
});
`,
};

Deno.test("the clinic, the museum and an edge project together use every word of the language", async () => {
  const known = knownWords();
  const museum = await projectFiles(new URL("../../contract/museum/", import.meta.url));
  const used = new Set<string>();
  for (const files of [CLINIC, museum, EDGE]) {
    const validation = validate(files);
    assert(validation.ok, JSON.stringify(validation));
    for (const word of wordsOf(files)) used.add(word);
  }
  assert(known.length > 200, `Only ${known.length} words were found in the reader`);
  assertEquals(known.filter((word) => !used.has(word)), ELSEWHERE);
});
