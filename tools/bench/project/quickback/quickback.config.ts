import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";

/** Limits are counted as usual, but never reached. */
export default defineConfig({
  name: "bench",
  providers: {
    runtime: defineRuntime("deno"),
    database: defineDatabase("libsql", { generateId: "prefixed" }),
    auth: defineAuth("better-auth"),
  },
  contract: { changeset: true },
  auth: { roleHierarchy: ["member", "agent", "admin", "owner"] },
  rateLimit: {
    read: { limit: 1_000_000_000, period: 60 },
    create: { limit: 1_000_000_000, period: 60 },
    update: { limit: 1_000_000_000, period: 60 },
    delete: { limit: 1_000_000_000, period: 60 },
  },
});
