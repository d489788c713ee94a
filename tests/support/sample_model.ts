/** A model with every kind of column, mask, view and access: what the surface and the emitters are tested on. */
import { DEFAULT_RATE_LIMITS } from "../../shared/contract/limits.ts";
import type { Access, FirewallPredicate, MaskRule } from "../../shared/model/access.ts";
import type { ColumnModel, ColumnType, TableModel } from "../../shared/model/table.ts";
import { ANONYMOUS, type Principal } from "../../shared/model/principal.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { ResourceModel, ViewModel } from "../../shared/model/resource.ts";
import { assembleProject, column, type ColumnSpec } from "../../shared/model/table_spec.ts";
import { snakeCase } from "../../shared/surface/names.ts";
import { type Operation, operationsOf } from "../../shared/surface/operations.ts";
import { settings } from "./sample_project.ts";

type Rest = Partial<Omit<ColumnSpec, "name" | "sqlName" | "type">>;

const text = (maxLength: number | null = null): ColumnType => ({
  kind: "text",
  maxLength,
  enum: null,
});

function field(name: string, type: ColumnType, rest: Rest = {}): ColumnModel {
  return column({ name, sqlName: snakeCase(name), type, ...rest });
}

const required = { nullable: false } as const;
const ID = field("id", { kind: "id" }, { ...required, manager: "id" });
const scope = (name: string, kind: "organization" | "owner"): ColumnModel =>
  field(name, { kind: "scope", scope: kind }, { ...required, manager: "scope" });

const SYSTEM: readonly ColumnModel[] = [
  field("createdAt", { kind: "timestamp" }, { ...required, manager: "system" }),
  field("createdBy", text(), { manager: "system" }),
  field("modifiedAt", { kind: "timestamp" }, { ...required, manager: "system" }),
  field("modifiedBy", text(), { manager: "system" }),
  field("deletedAt", { kind: "timestamp" }, { manager: "system" }),
  field("deletedBy", text(), { manager: "system" }),
];

const BOUND: FirewallPredicate = {
  kind: "organization",
  column: "organizationId",
  operator: "equals",
  operand: { kind: "context", key: "activeOrgId" },
  roles: [],
  exceptRoles: [],
};

const LIVE: FirewallPredicate = {
  ...BOUND,
  kind: "notDeleted",
  column: "deletedAt",
  operand: { kind: "literal", value: null },
};

const roles = (...names: string[]): Access => ({ kind: "roles", roles: names });

const mask = (type: MaskRule["type"], queryRoles: readonly string[] = []): MaskRule => ({
  type,
  showRoles: queryRoles,
  showOwner: true,
  queryRoles,
  automatic: false,
});

const writes = (access: Access) => ({ access, batch: null, action: null });

function table(
  name: string,
  columns: readonly ColumnModel[],
  rest: Partial<TableModel>,
): TableModel {
  return {
    name,
    sqlName: snakeCase(name),
    feature: "desk",
    origin: { file: `quickback/features/desk/${name}.ts`, line: 1, column: 1 },
    columns: [ID, ...columns, ...SYSTEM],
    primaryKey: "id",
    idStrategy: "prefixed",
    idPrefix: name.replace(/s$/, ""),
    allowClientIds: false,
    scope: { organization: "organizationId", owner: null, team: null },
    softDelete: true,
    revision: null,
    ownerColumn: "createdBy",
    firewall: [BOUND, LIVE],
    indexes: [],
    displayColumn: null,
    ...rest,
  };
}

function resource(name: string, rest: Partial<ResourceModel>): ResourceModel {
  return {
    name,
    segment: name,
    feature: "desk",
    table: name,
    origin: { file: `quickback/features/desk/${name}.ts`, line: 1, column: 1 },
    firewallErrorMode: "reveal",
    guards: null,
    masks: {},
    read: null,
    create: null,
    update: null,
    delete: null,
    upsert: null,
    labels: [],
    defaultSort: [{ column: "createdAt", descending: true }],
    rateLimits: DEFAULT_RATE_LIMITS,
    transitions: {},
    realtime: null,
    inputHints: null,
    layouts: null,
    ...rest,
  };
}

function view(
  name: string,
  rest: Partial<ViewModel> & Pick<ViewModel, "fields" | "access">,
): ViewModel {
  return {
    name,
    segment: name.toLowerCase(),
    include: [],
    filterable: null,
    sortable: null,
    searchable: null,
    defaultSort: [],
    aggregations: [],
    ...rest,
  };
}

export const customers = table("customers", [
  scope("organizationId", "organization"),
  field("name", text(100), { ...required, searchable: true }),
  field("email", text(200), { ...required, searchable: true }),
  field("phone", text(40)),
  field("tier", { kind: "enum", values: ["free", "gold"] }),
  field("balance", { kind: "int" }),
], {
  displayColumn: "name",
  indexes: [{
    name: "customers_organization_id_email_unique",
    columns: ["organizationId", "email"],
    unique: true,
  }],
});

export const tickets = table("tickets", [
  scope("organizationId", "organization"),
  field("customerId", text(), {
    references: { table: "customers", column: "id", onDelete: null },
  }),
  field("subject", text(20), { ...required, searchable: true }),
  field("body", text(), { searchable: true }),
  field("status", { kind: "enum", values: ["open", "closed"] }, {
    ...required,
    default: { kind: "literal", value: "open" },
  }),
  field("size", { kind: "text", maxLength: null, enum: ["s", "m"] }),
  field("priority", { kind: "int" }, { ...required, default: { kind: "literal", value: 3 } }),
  field("score", { kind: "real" }),
  field("urgent", { kind: "bool" }),
  field("dueAt", { kind: "timestamp" }),
  field("link", { kind: "url", maxLength: 60 }),
  field("meta", { kind: "json" }),
  field("limit", { kind: "int" }),
  field("phone", text(40), { searchable: true }),
  field("revision", { kind: "revision" }, { ...required, manager: "revision" }),
], { revision: "revision" });

/** Published to everyone, by tenant; written by editors. */
export const articles = table("articles", [
  scope("organizationId", "organization"),
  field("title", text(80), { ...required, searchable: true }),
  field("secretNote", text(), { searchable: true }),
], { idStrategy: "uuid", idPrefix: "", allowClientIds: true });

export const model: ProjectModel = assembleProject({ ...settings, name: "desk" }, [
  {
    table: customers,
    resource: resource("customers", {
      masks: {
        email: mask("email", ["admin"]),
        phone: mask("phone", ["admin"]),
        tier: mask("redact", ["admin"]),
        balance: mask("redact", ["admin"]),
      },
      read: { access: roles("admin", "agent"), include: [], defaultView: null, views: [] },
      create: writes(roles("admin")),
      update: writes(roles("admin")),
    }),
  },
  {
    table: tickets,
    resource: resource("tickets", {
      firewallErrorMode: "hide",
      guards: {
        createable: [
          "customerId",
          "subject",
          "body",
          "status",
          "size",
          "priority",
          "score",
          "urgent",
          "dueAt",
          "link",
          "meta",
        ],
        updatable: ["subject", "body", "score", "urgent", "dueAt", "link", "meta"],
        immutable: ["customerId"],
        protected: { phone: ["call"] },
      },
      masks: { phone: mask("phone", ["admin"]) },
      read: {
        access: roles("admin", "agent"),
        include: ["customerId"],
        defaultView: null,
        views: [
          view("board", {
            fields: ["id", "subject", "status", "phone"],
            access: roles("agent"),
            filterable: ["status"],
            sortable: ["subject"],
            searchable: ["subject"],
            defaultSort: [{ column: "priority", descending: true }],
          }),
          view("calls", {
            fields: ["subject", "phone"],
            access: roles("admin", "agent"),
            defaultSort: [
              { column: "phone", descending: false },
              { column: "subject", descending: true },
            ],
          }),
        ],
      },
      create: writes(roles("admin", "agent")),
      update: writes({
        kind: "all",
        of: [roles("agent"), {
          kind: "record",
          conditions: [{
            column: "createdBy",
            operator: "equals",
            operand: { kind: "context", key: "userId" },
          }],
        }],
      }),
      delete: { ...writes(roles("admin")), mode: "soft" },
      labels: [{
        field: "customer_label",
        column: "customerId",
        table: "customers",
        display: "name",
      }],
    }),
  },
  {
    table: articles,
    resource: resource("articles", {
      masks: { secretNote: mask("redact") },
      read: {
        access: roles("PUBLIC"),
        include: [],
        defaultView: "titles",
        views: [view("titles", { fields: ["id", "title"], access: roles("PUBLIC") })],
      },
      create: writes(roles("admin")),
    }),
  },
]);

export function operationNamed(id: string, project: ProjectModel = model): Operation {
  const operation = operationsOf(project).find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`The sample has no operation "${id}"`);
  return operation;
}

/** A signed-in caller of the sample organization. */
export function caller(...held: readonly string[]): Principal {
  return {
    ...ANONYMOUS,
    credential: "token",
    userId: "user_1",
    organizationId: "org_1",
    roles: held,
  };
}
