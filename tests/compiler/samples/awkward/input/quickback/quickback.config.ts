import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "awkward",
  providers: {
    database: defineDatabase("libsql", { generateId: "serial", namingConvention: "camelCase" }),
  },
  auth: { roleHierarchy: ["member", "admin"] },
});
