import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";

export default defineConfig({
  name: "saas",
  providers: {
    runtime: defineRuntime("deno"),
    database: defineDatabase("libsql", { generateId: "prefixed" }),
    // Sessions, organizations with invitations, and API keys that act in the organization they were made in.
    auth: defineAuth("better-auth", { session: { expiresInDays: 7, updateAgeInDays: 1 } }),
  },
  // Lowest first: "member+" in an access rule means member, admin and owner.
  auth: { roleHierarchy: ["viewer", "member", "admin", "owner"] },
  openapi: { publish: "authenticated" },
  // Customers connect programs of their own at /mcp: they sign in, and say on a page what each may do.
  agents: { oauth: true },
  // Customers' systems hear of invoices; each organization manages its own endpoints.
  webhooks: {
    outbound: true,
    events: ["invoice.sent", "invoice.paid", "invoice.overdue", "task.completed", "tasks.open"],
  },
  rateLimit: { create: { limit: 120, period: 60 } },
});
