import { defineConfig } from "quickback";

export default defineConfig({
  name: "clinic",
  contract: { changeset: true },
  auth: { roleHierarchy: ["clerk", "nurse", "doctor"] },
  rateLimit: { update: { limit: 50, period: 60 } },
  agents: { oauth: true },
  build: { dependencies: { "nanoid": "6.0.2" } },
});
