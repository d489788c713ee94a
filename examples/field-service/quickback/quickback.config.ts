import { defineConfig, defineDatabase, defineRuntime } from "quickback";

export default defineConfig({
  name: "field-service",
  providers: {
    runtime: defineRuntime("deno"),
    database: defineDatabase("libsql", { generateId: "prefixed" }),
  },
  // Lowest first: "dispatcher+" in a rule means dispatcher, admin and owner.
  auth: { roleHierarchy: ["technician", "dispatcher", "admin", "owner"] },
  // Whoever is on the way sees what the office changes, and the other way round.
  realtime: { enabled: true },
});
