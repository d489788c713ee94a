/** Two tenants on one database, as a model and as drizzle's tables; every row that a caller may not see says SECRET. */
import {
  type AnySQLiteColumn,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { relations, sql } from "drizzle-orm";
import type { ColumnModel, ColumnType, TableModel } from "../../../shared/model/table.ts";
import type { FirewallPredicate, PredicateKind } from "../../../shared/model/access.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { assembleProject, column, type ColumnSpec } from "../../../shared/model/table_spec.ts";
import { snakeCase } from "../../../shared/surface/names.ts";
import { settings } from "../../support/sample_project.ts";

type Rest = Partial<Omit<ColumnSpec, "name" | "type" | "sqlName">>;

function field(name: string, type: ColumnType, rest: Rest = {}): ColumnModel {
  return column({ name, sqlName: snakeCase(name), type, ...rest });
}

const TEXT: ColumnType = { kind: "text", maxLength: null, enum: null };
const TIME: ColumnType = { kind: "timestamp" };

function scope(kind: "organization" | "owner" | "team"): ColumnModel {
  const name = { organization: "organizationId", owner: "ownerId", team: "teamId" }[kind];
  return field(name, { kind: "scope", scope: kind }, { nullable: false, manager: "scope" });
}

const reference = (name: string, table: string): ColumnModel =>
  field(name, TEXT, { references: { table, column: "id", onDelete: null } });

const SYSTEM: readonly ColumnModel[] = [
  field("createdAt", TIME, { nullable: false, manager: "system" }),
  field("createdBy", TEXT, { manager: "system" }),
  field("modifiedAt", TIME, { manager: "system" }),
  field("modifiedBy", TEXT, { manager: "system" }),
];
const DELETED: readonly ColumnModel[] = [
  field("deletedAt", TIME, { manager: "system" }),
  field("deletedBy", TEXT, { manager: "system" }),
];

function bound(kind: PredicateKind): FirewallPredicate {
  const operands = {
    organization: ["organizationId", "activeOrgId"],
    owner: ["ownerId", "userId"],
    team: ["teamId", "activeTeamId"],
  } as const;
  const open = { kind, operator: "equals", roles: [], exceptRoles: [] } as const;
  if (kind === "notDeleted" || kind === "custom") {
    return { ...open, column: "deletedAt", operand: { kind: "literal", value: null } };
  }
  const [name, key] = operands[kind];
  return { ...open, column: name, operand: { kind: "context", key } };
}

interface TableOptions {
  readonly scopes: readonly ("organization" | "owner" | "team")[];
  readonly soft: boolean;
}

function table(
  name: string,
  { scopes, soft }: TableOptions,
  columns: readonly ColumnModel[],
  rest: Partial<TableModel> = {},
): TableModel {
  const has = (kind: typeof scopes[number], column: string) =>
    scopes.includes(kind) ? column : null;
  return {
    name,
    sqlName: snakeCase(name),
    feature: "desk",
    origin: { file: `quickback/features/desk/${name}.ts`, line: 1, column: 1 },
    columns: [
      field("id", { kind: "id" }, { nullable: false, manager: "id" }),
      ...scopes.map(scope),
      ...columns,
      ...SYSTEM,
      ...(soft ? DELETED : []),
    ],
    primaryKey: "id",
    idStrategy: "prefixed",
    idPrefix: name.replace(/s$/, ""),
    allowClientIds: false,
    scope: {
      organization: has("organization", "organizationId"),
      owner: has("owner", "ownerId"),
      team: has("team", "teamId"),
    },
    softDelete: soft,
    revision: null,
    ownerColumn: scopes.includes("owner") ? "ownerId" : "createdBy",
    firewall: [...scopes.map(bound), ...(soft ? [bound("notDeleted")] : [])],
    indexes: [],
    displayColumn: null,
    ...rest,
  };
}

const tenant: TableOptions = { scopes: ["organization"], soft: true };

const tables: readonly TableModel[] = [
  table("customers", tenant, [
    field("name", TEXT, { nullable: false }),
    field("email", TEXT, { nullable: false }),
  ], {
    indexes: [{
      name: "customers_organization_id_email_unique",
      columns: ["organizationId", "email"],
      unique: true,
    }],
  }),
  table("tickets", tenant, [
    reference("customerId", "customers"),
    field("subject", TEXT, { nullable: false }),
    field("status", TEXT, {
      nullable: false,
      default: { kind: "literal", value: "open" },
    }),
    field("priority", { kind: "int" }),
    field("urgent", { kind: "bool" }),
    field("meta", { kind: "json" }),
    field("openedAt", TIME, { default: { kind: "now" } }),
    field("revision", { kind: "revision" }, { nullable: false, manager: "revision" }),
  ], { revision: "revision" }),
  table("comments", tenant, [
    reference("ticketId", "tickets"),
    field("body", TEXT, { nullable: false }),
  ]),
  table("notes", { scopes: ["organization", "owner"], soft: false }, [
    reference("ticketId", "tickets"),
    field("title", TEXT, { nullable: false }),
  ]),
  table("teamTasks", { scopes: ["organization", "team"], soft: false }, [
    field("title", TEXT, { nullable: false }),
  ]),
  table("countries", { scopes: [], soft: false }, [field("name", TEXT, { nullable: false })]),
];

export const desk: ProjectModel = assembleProject(
  { ...settings, name: "desk" },
  tables.map((each) => ({ table: each, resource: null })),
);

const omitted = () => sql`null`;
const stamps = {
  createdAt: text("created_at").notNull().$defaultFn(omitted),
  createdBy: text("created_by"),
  modifiedAt: text("modified_at"),
  modifiedBy: text("modified_by"),
};
const deletion = { deletedAt: text("deleted_at"), deletedBy: text("deleted_by") };
const id = () => text("id").primaryKey().$defaultFn(omitted);
const organizationId = () => text("organization_id").notNull().$defaultFn(omitted);

export const customers = sqliteTable("customers", {
  id: id(),
  organizationId: organizationId(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  ...stamps,
  ...deletion,
}, (of) => [uniqueIndex("customers_organization_id_email_unique").on(of.organizationId, of.email)]);

export const tickets = sqliteTable("tickets", {
  id: id(),
  organizationId: organizationId(),
  customerId: text("customer_id").references((): AnySQLiteColumn => customers.id),
  subject: text("subject").notNull(),
  status: text("status").notNull().default("open"),
  priority: integer("priority"),
  urgent: integer("urgent", { mode: "boolean" }),
  meta: text("meta", { mode: "json" }),
  openedAt: text("opened_at"),
  revision: integer("revision").notNull().default(1),
  ...stamps,
  ...deletion,
});

export const comments = sqliteTable("comments", {
  id: id(),
  organizationId: organizationId(),
  ticketId: text("ticket_id").references((): AnySQLiteColumn => tickets.id),
  body: text("body").notNull(),
  ...stamps,
  ...deletion,
});

export const notes = sqliteTable("notes", {
  id: id(),
  organizationId: organizationId(),
  ownerId: text("owner_id").notNull().$defaultFn(omitted),
  ticketId: text("ticket_id").references((): AnySQLiteColumn => tickets.id),
  title: text("title").notNull(),
  ...stamps,
});

export const teamTasks = sqliteTable("team_tasks", {
  id: id(),
  organizationId: organizationId(),
  teamId: text("team_id").notNull().$defaultFn(omitted),
  title: text("title").notNull(),
  ...stamps,
});

export const countries = sqliteTable("countries", {
  id: id(),
  name: text("name").notNull(),
  ...stamps,
});

const drizzleTables = { customers, tickets, comments, notes, teamTasks, countries };

export const schema = {
  ...drizzleTables,
  customerRelations: relations(customers, ({ many }) => ({ tickets: many(tickets) })),
  ticketRelations: relations(tickets, ({ one, many }) => ({
    customer: one(customers, { fields: [tickets.customerId], references: [customers.id] }),
    comments: many(comments),
    notes: many(notes),
  })),
  commentRelations: relations(comments, ({ one }) => ({
    ticket: one(tickets, { fields: [comments.ticketId], references: [tickets.id] }),
  })),
  noteRelations: relations(notes, ({ one }) => ({
    ticket: one(tickets, { fields: [notes.ticketId], references: [tickets.id] }),
  })),
};
export type DeskSchema = typeof schema;

export const ALICE: Principal = {
  ...ANONYMOUS,
  credential: "token",
  userId: "alice",
  organizationId: "org_a",
  teamId: "team_1",
  roles: ["agent"],
};

const NOW = "2026-01-01T00:00:00.000Z";

/** Rows of both tenants. Those that Alice must not see hold SECRET. */
export const ROWS: Readonly<Record<string, readonly Readonly<Record<string, string | number>>[]>> =
  {
    customers: [
      { id: "cus_a", organization_id: "org_a", name: "Ann", email: "ann@a.test" },
      { id: "cus_b", organization_id: "org_b", name: "SECRET Bob", email: "SECRET@b.test" },
      {
        id: "cus_gone",
        organization_id: "org_a",
        name: "SECRET gone",
        email: "SECRET@gone.test",
        deleted_at: NOW,
      },
    ],
    tickets: [
      {
        id: "tic_a",
        organization_id: "org_a",
        customer_id: "cus_a",
        subject: "Printer",
        status: "open",
        priority: 1,
        revision: 1,
      },
      {
        id: "tic_a2",
        organization_id: "org_a",
        customer_id: "cus_a",
        subject: "Screen",
        status: "closed",
        priority: 2,
        revision: 4,
      },
      {
        id: "tic_b",
        organization_id: "org_b",
        customer_id: "cus_b",
        subject: "SECRET subject",
        status: "open",
        priority: 9,
        revision: 1,
      },
      {
        id: "tic_gone",
        organization_id: "org_a",
        subject: "SECRET gone",
        status: "open",
        revision: 1,
        deleted_at: NOW,
      },
    ],
    comments: [
      { id: "com_a", organization_id: "org_a", ticket_id: "tic_a", body: "Mine" },
      { id: "com_b", organization_id: "org_b", ticket_id: "tic_b", body: "SECRET comment" },
    ],
    notes: [
      {
        id: "not_a",
        organization_id: "org_a",
        owner_id: "alice",
        ticket_id: "tic_a",
        title: "Alice's",
      },
      { id: "not_carl", organization_id: "org_a", owner_id: "carl", title: "SECRET Carl's" },
      { id: "not_b", organization_id: "org_b", owner_id: "bea", title: "SECRET Bea's" },
    ],
    team_tasks: [
      { id: "tas_1", organization_id: "org_a", team_id: "team_1", title: "Ours" },
      { id: "tas_2", organization_id: "org_a", team_id: "team_2", title: "SECRET theirs" },
      { id: "tas_b", organization_id: "org_b", team_id: "team_1", title: "SECRET far" },
    ],
    countries: [{ id: "nl", name: "Netherlands" }],
  };
