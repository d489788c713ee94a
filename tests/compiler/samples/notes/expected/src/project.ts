/** The model of notes: what the runtime obeys. */
import { assembleProject, type ProjectSettings } from "./quickback/model/table_spec.ts";
import { notebooks } from "./resources/notebooks.ts";
import { notes } from "./resources/notes.ts";

const settings: ProjectSettings = {
  name: "notes",
  contract: "v1",
  changeset: false,
  multiTenant: true,
  runtime: "deno",
  database: {
    provider: "libsql",
    generateId: "uuid",
    allowClientIds: false,
    namingConvention: "snake_case",
    webhookAllowInsecure: false,
  },
  auth: {
    emailAndPassword: true,
    session: { expiresInDays: 7, updateAgeInDays: 1 },
    roleHierarchy: ["member", "admin"],
    roles: ["admin", "member"],
    jwt: {
      expiresIn: 900,
      issuer: null,
      audience: null,
      algorithm: "HS256",
      revocationCheck: false,
    },
  },
  openapi: { generate: true, publish: "authenticated", docs: false, types: ["src/api_types.ts"] },
  agents: { llmsTxt: true, robotsTxt: true },
  schemaRegistry: true,
  etag: true,
  trustedOrigins: [],
  email: { provider: "log", from: null, fromName: null },
  webhooks: {
    outbound: false,
    inbound: [],
    events: [
      "user.created",
      "user.updated",
      "user.deleted",
      "subscription.created",
      "subscription.updated",
      "subscription.cancelled",
      "subscription.renewed",
      "organization.created",
      "organization.updated",
      "organization.deleted",
      "organization.member_added",
      "organization.member_removed",
      "file.uploaded",
      "file.deleted",
    ],
    maxEndpoints: 25,
  },
  devPort: 8000,
  outputDir: ".",
  dependencies: {},
  renames: { tables: {}, columns: {} },
  allowDestructive: false,
  rateLimits: {
    read: { limit: 1000, period: 60 },
    create: { limit: 200, period: 60 },
    update: { limit: 200, period: 60 },
    delete: { limit: 200, period: 60 },
  },
  actions: [],
};

export const project = assembleProject(settings, [notebooks, notes]);
