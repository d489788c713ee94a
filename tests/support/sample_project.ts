/** A small project model, resolved by hand: what a template's `quickback/project` stands for in this repository. */
import { DEFAULT_RATE_LIMITS } from "../../shared/contract/limits.ts";
import { RECOMMENDED_EVENTS } from "../../shared/contract/webhooks.ts";
import { NO_AUTHORED_CODE } from "./no_authored_code.ts";
import type { ColumnModel, TableModel } from "../../shared/model/table.ts";
import type { FirewallPredicate } from "../../shared/model/access.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { ResourceModel } from "../../shared/model/resource.ts";
import { assembleProject, column, type ProjectSettings } from "../../shared/model/table_spec.ts";

const SYSTEM: readonly ColumnModel[] = [
  system("createdAt", "created_at", { nullable: false }),
  system("createdBy", "created_by"),
  system("modifiedAt", "modified_at", { nullable: false }),
  system("modifiedBy", "modified_by"),
];

const SOFT_DELETE: readonly ColumnModel[] = [
  system("deletedAt", "deleted_at"),
  system("deletedBy", "deleted_by"),
];

const ORGANIZATION: FirewallPredicate = {
  kind: "organization",
  column: "organizationId",
  operator: "equals",
  operand: { kind: "context", key: "activeOrgId" },
  roles: [],
  exceptRoles: [],
};

const NOT_DELETED: FirewallPredicate = {
  kind: "notDeleted",
  column: "deletedAt",
  operator: "equals",
  operand: { kind: "literal", value: null },
  roles: [],
  exceptRoles: [],
};

const ID = column({
  name: "id",
  sqlName: "id",
  type: { kind: "id" },
  nullable: false,
  manager: "id",
});

const ORGANIZATION_ID = column({
  name: "organizationId",
  sqlName: "organization_id",
  type: { kind: "scope", scope: "organization" },
  nullable: false,
  manager: "scope",
});

export const projects: TableModel = {
  name: "projects",
  sqlName: "projects",
  feature: "projects",
  origin: { file: "quickback/features/projects/projects.ts", line: 3, column: 16 },
  columns: [
    ID,
    ORGANIZATION_ID,
    column({
      name: "name",
      sqlName: "name",
      type: { kind: "text", maxLength: 100, enum: null },
      nullable: false,
      searchable: true,
    }),
    column({
      name: "isPublic",
      sqlName: "is_public",
      type: { kind: "bool" },
      nullable: false,
      default: { kind: "literal", value: false },
    }),
    column({ name: "budget", sqlName: "budget", type: { kind: "real" } }),
    column({ name: "settings", sqlName: "settings", type: { kind: "json" } }),
    ...SYSTEM,
    ...SOFT_DELETE,
  ],
  primaryKey: "id",
  idStrategy: "prefixed",
  idPrefix: "project",
  allowClientIds: false,
  scope: { organization: "organizationId", owner: null, team: null },
  softDelete: true,
  revision: null,
  ownerColumn: "createdBy",
  firewall: [ORGANIZATION, NOT_DELETED],
  indexes: [
    {
      name: "projects_organization_id_name_unique",
      columns: ["organizationId", "name"],
      unique: true,
    },
    {
      name: "projects_organization_id_deleted_at_created_at_id_idx",
      columns: ["organizationId", "deletedAt", "createdAt", "id"],
      unique: false,
    },
  ],
  displayColumn: "name",
};

export const tasks: TableModel = {
  ...projects,
  name: "tasks",
  sqlName: "tasks",
  origin: { file: "quickback/features/projects/tasks.ts", line: 4, column: 16 },
  columns: [
    ID,
    ORGANIZATION_ID,
    column({
      name: "projectId",
      sqlName: "project_id",
      type: { kind: "text", maxLength: null, enum: null },
      nullable: false,
      references: { table: "projects", column: "id", onDelete: "cascade" },
    }),
    column({
      name: "title",
      sqlName: "title",
      type: { kind: "text", maxLength: 200, enum: null },
      nullable: false,
      searchable: true,
    }),
    column({
      name: "status",
      sqlName: "status",
      type: { kind: "enum", values: ["open", "done"] },
      nullable: false,
      default: { kind: "literal", value: "open" },
    }),
    column({
      name: "startedAt",
      sqlName: "started_at",
      type: { kind: "timestamp" },
      nullable: false,
      default: { kind: "now" },
    }),
    column({
      name: "assigneeEmail",
      sqlName: "assignee_email",
      type: { kind: "text", maxLength: null, enum: null },
    }),
    column({
      name: "revision",
      sqlName: "revision",
      type: { kind: "revision" },
      nullable: false,
      manager: "revision",
    }),
    ...SYSTEM,
  ],
  idPrefix: "task",
  softDelete: false,
  revision: "revision",
  firewall: [ORGANIZATION],
  indexes: [{ name: "tasks_project_id_idx", columns: ["projectId"], unique: false }],
  displayColumn: "title",
};

export const projectsResource: ResourceModel = {
  name: "projects",
  segment: "projects",
  feature: "projects",
  table: "projects",
  origin: projects.origin,
  firewallErrorMode: "reveal",
  guards: {
    createable: ["name", "isPublic", "budget", "settings"],
    updatable: ["name", "isPublic", "budget", "settings"],
    immutable: [],
    protected: {},
  },
  masks: {},
  read: {
    access: { kind: "roles", roles: ["member", "admin"] },
    include: [],
    defaultView: null,
    views: [{
      name: "names",
      segment: "names",
      fields: ["id", "name"],
      access: { kind: "roles", roles: ["member", "admin"] },
      include: [],
      filterable: ["name"],
      sortable: ["name"],
      searchable: null,
      defaultSort: [{ column: "name", descending: false }],
      aggregations: [],
    }],
  },
  create: { access: { kind: "roles", roles: ["member", "admin"] }, batch: null, action: null },
  update: { access: { kind: "roles", roles: ["admin"] }, batch: null, action: null },
  delete: { access: { kind: "roles", roles: ["admin"] }, batch: null, action: null, mode: "soft" },
  upsert: null,
  labels: [],
  defaultSort: [{ column: "createdAt", descending: true }],
  rateLimits: DEFAULT_RATE_LIMITS,
  transitions: {},
  realtime: null,
  inputHints: null,
  layouts: null,
};

export const tasksResource: ResourceModel = {
  ...projectsResource,
  name: "tasks",
  segment: "tasks",
  table: "tasks",
  origin: tasks.origin,
  firewallErrorMode: "hide",
  guards: {
    createable: ["projectId", "title", "status", "startedAt", "assigneeEmail"],
    updatable: ["title", "assigneeEmail"],
    immutable: ["projectId"],
    protected: {},
  },
  masks: {
    assigneeEmail: {
      type: "email",
      showRoles: ["admin"],
      showOwner: true,
      queryRoles: ["admin"],
      automatic: true,
    },
  },
  read: {
    access: {
      kind: "any",
      of: [
        { kind: "roles", roles: ["admin"] },
        {
          kind: "all",
          of: [
            { kind: "roles", roles: ["member"] },
            {
              kind: "record",
              conditions: [{
                column: "createdBy",
                operator: "equals",
                operand: { kind: "context", key: "userId" },
              }],
            },
          ],
        },
      ],
    },
    include: ["projectId"],
    defaultView: null,
    views: [],
  },
  delete: { access: { kind: "roles", roles: ["admin"] }, batch: null, action: null, mode: "hard" },
  labels: [{ field: "project_label", column: "projectId", table: "projects", display: "name" }],
};

/** Internal: no routes. */
export const counters: TableModel = {
  ...projects,
  name: "counters",
  sqlName: "counters",
  origin: { file: "quickback/features/projects/counters.ts", line: 3, column: 1 },
  columns: [ID, ORGANIZATION_ID, column({ name: "hits", sqlName: "hits", type: { kind: "int" } })],
  idPrefix: "counter",
  softDelete: false,
  firewall: [ORGANIZATION],
  indexes: [],
  displayColumn: null,
};

export const settings: ProjectSettings = {
  name: "sample",
  contract: "v1",
  changeset: false,
  multiTenant: true,
  runtime: "deno",
  database: {
    provider: "libsql",
    generateId: "prefixed",
    allowClientIds: false,
    namingConvention: "snake_case",
    webhookAllowInsecure: false,
  },
  auth: {
    emailAndPassword: true,
    disableSignUp: false,
    requireEmailVerification: false,
    session: { expiresInDays: 7, updateAgeInDays: 1 },
    rateLimit: { enabled: "production", window: null, max: null },
    roleHierarchy: ["member", "admin"],
    roles: ["admin", "member"],
    jwt: {
      expiresIn: 900,
      issuer: null,
      audience: null,
      algorithm: "HS256",
      revocationCheck: false,
    },
    principals: [],
  },
  openapi: { generate: true, publish: "authenticated", docs: false, types: [] },
  agents: { mcp: true, llmsTxt: true, robotsTxt: true },
  schemaRegistry: true,
  etag: true,
  trustedOrigins: [],
  email: { provider: "log", from: null, fromName: null },
  webhooks: {
    outbound: false,
    inbound: [],
    events: RECOMMENDED_EVENTS,
    maxEndpoints: 25,
    schedule: "standard",
    retentionDays: 90,
  },
  realtime: { enabled: false, emitFromActions: false, push: false, signals: [] },
  devPort: 8000,
  outputDir: ".",
  renames: { tables: {}, columns: {} },
  backfills: {},
  allowDestructive: false,
  authored: NO_AUTHORED_CODE,
  dependencies: {},
  rateLimits: DEFAULT_RATE_LIMITS,
  actions: [],
};

export const project: ProjectModel = assembleProject(settings, [
  { table: projects, resource: projectsResource },
  { table: tasks, resource: tasksResource },
  { table: counters, resource: null },
]);

function system(
  name: string,
  sqlName: string,
  rest: { readonly nullable?: boolean } = {},
): ColumnModel {
  const type = name.endsWith("At")
    ? { kind: "timestamp" } as const
    : { kind: "text", maxLength: null, enum: null } as const;
  return column({ name, sqlName, type, manager: "system", ...rest });
}
