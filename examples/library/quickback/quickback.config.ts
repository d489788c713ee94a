import { defineConfig } from "quickback";

export default defineConfig({
  name: "library",
  auth: { roleHierarchy: ["reader", "librarian"] },
});
