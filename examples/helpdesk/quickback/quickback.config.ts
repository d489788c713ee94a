import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";

export default defineConfig({
  name: "helpdesk",
  providers: {
    runtime: defineRuntime("deno"),
    // Ids look like `ticket_3f0c…`: a reader sees what a reference points at.
    database: defineDatabase("libsql", { generateId: "prefixed" }),
    auth: defineAuth("better-auth", { session: { expiresInDays: 7, updateAgeInDays: 1 } }),
  },
  // Lowest first: "agent+" in an access rule means agent, admin and owner.
  auth: { roleHierarchy: ["customer", "agent", "admin", "owner"] },
  // The API describes itself to anybody, and offers the requests for trying at /docs.
  openapi: { publish: "public", docs: "swagger" },
  // GET /broadcast/v1/events tells agents and customers of tickets as they change.
  realtime: { enabled: true },
  rateLimit: { create: { limit: 120, period: 60 } },
});
