/** A tenant's papers, each with a scan that may be replaced and a seal that is set once; people sign in in every way. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

export const PAPERS: RawFiles = {
  "quickback/quickback.config.ts":
    `import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";
export default defineConfig({
  name: "papers",
  providers: {
    runtime: defineRuntime("deno", {}),
    database: defineDatabase("libsql", {}),
    auth: defineAuth("better-auth", {
      magicLink: true, emailCode: true, twoFactor: true, social: { github: true },
    }),
  },
});
`,
  "quickback/features/papers/papers.ts": `import { feature, q } from "quickback";
export default feature("papers", {
  columns: {
    organizationId: q.scope("organization"), version: q.revision(), title: q.text(),
    scan: q.file({ maxSize: 1000 }), seal: q.file().immutable(),
    pages: q.file({ maxSize: 1000, multiple: true, maxItems: 2 }),
  },
  guards: { createable: ["title", "seal"], updatable: ["title", "scan", "pages"] },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
});
`,
};
