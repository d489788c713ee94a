import { defineConfig, defineDatabase } from "quickback";

export default defineConfig({
  name: "notes",
  providers: { database: defineDatabase("libsql", { generateId: "uuid" }) },
  auth: { roleHierarchy: ["member", "admin"] },
});
