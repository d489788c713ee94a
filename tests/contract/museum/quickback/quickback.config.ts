import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";

export default defineConfig({
  name: "museum",
  template: "hono",
  features: { organizations: true },
  contract: { version: "v1", changeset: true },
  providers: {
    runtime: defineRuntime("deno"),
    database: defineDatabase("libsql", {
      tenancy: "shared",
      generateId: false,
      allowClientIds: false,
      namingConvention: "snake_case",
      webhookAllowInsecure: false,
    }),
    auth: defineAuth("better-auth", {
      emailAndPassword: { enabled: true, requireEmailVerification: true, disableSignUp: true },
      magicLink: false,
      emailCode: false,
      plugins: ["organization"],
      session: { expiresInDays: 7, updateAgeInDays: 1 },
      rateLimit: { enabled: true, window: 60, max: 100 },
    }),
  },
  auth: {
    roleHierarchy: ["guide", "curator", "director"],
    principals: { kiosk: { scheme: "Kiosk", verify: "services/kiosk", variants: ["hall"] } },
    jwt: {
      expiresIn: 900,
      issuer: "https://museum.example.com",
      algorithm: "HS256",
      revocationCheck: false,
    },
  },
  openapi: { generate: true, publish: "authenticated", docs: false, types: true },
  rateLimit: { read: { limit: 1000, period: 60 } },
  webhooks: {
    outbound: true,
    inbound: ["gate"],
    events: ["visit.counted"],
    maxEndpoints: 5,
    schedule: "standard",
    retentionDays: 30,
  },
  realtime: { enabled: true, emitFromActions: true, push: false },
  trustedOrigins: ["https://museum.example.com"],
  schemaRegistry: { generate: true },
  etag: { enabled: true },
  agents: { mcp: true, llmsTxt: true, robotsTxt: true },
  email: {
    provider: "log",
    from: "desk@museum.example.com",
    fromName: "Museum",
    appUrl: "https://museum.example.com",
    paths: {
      invitation: "/join/{id}",
      verifyEmail: "/confirm/{token}",
      resetPassword: "/password/{token}",
      changeEmail: "/address/{token}",
      deleteAccount: "/leave/{token}",
      magicLink: "/enter/{token}",
    },
  },
  dev: { port: 8123 },
  build: { outputDir: ".", dependencies: {} },
  compiler: {
    migrations: {
      renames: { tables: { pieces: "works" }, columns: { "works.label": "title" } },
      backfills: { "seals.organizationId": "workId" },
      allowDestructive: false,
    },
  },
});
