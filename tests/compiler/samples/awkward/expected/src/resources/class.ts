/** Table and routes of class, declared in quickback/features/classes/classes.ts. */
import { hasRole } from "../quickback/model/access.ts";
import { column, predicate, type TableSpec, text } from "../quickback/model/table_spec.ts";

export const class2: TableSpec = {
  table: {
    name: "class",
    sqlName: "class",
    feature: "classes",
    origin: { file: "quickback/features/classes/classes.ts", line: 21, column: 16 },
    columns: [
      column({ name: "id", type: { kind: "id" }, nullable: false, manager: "id" }),
      column({
        name: "organizationId",
        type: { kind: "scope", scope: "organization" },
        nullable: false,
        manager: "scope",
      }),
      column({
        name: "parentId",
        type: { kind: "int" },
        references: { table: "class", column: "id", onDelete: "set null" },
      }),
      column({
        name: "textId",
        type: { kind: "int" },
        references: { table: "text", column: "id", onDelete: "cascade" },
      }),
      column({
        name: "default",
        type: text(),
        nullable: false,
        default: {
          kind: "literal",
          value: "*/ `${x}` \n--> statement-breakpoint\n'); DROP TABLE text; --",
        },
        searchable: true,
      }),
      column({
        name: "table",
        type: {
          kind: "enum",
          values: ['a"b', "it's", "back`tick", "</script>", "kind: 'x'", "\u202e"],
        },
        default: { kind: "literal", value: "it's" },
        searchable: true,
      }),
      column({
        name: "index",
        type: { kind: "bool" },
        nullable: false,
        default: { kind: "literal", value: true },
      }),
      column({ name: "real", type: { kind: "real" }, default: { kind: "literal", value: -1.5 } }),
      column({
        name: "blob",
        type: { kind: "json" },
        default: {
          kind: "literal",
          value: {
            kind: "text",
            maxLength: "x",
            enum: 3,
            "weird key": [1, { kind: "roles", roles: [1] }],
          },
        },
      }),
      column({
        name: "createdAt",
        type: { kind: "timestamp" },
        nullable: false,
        manager: "system",
      }),
      column({ name: "createdBy", type: text(), manager: "system" }),
      column({ name: "modifiedAt", type: { kind: "timestamp" }, manager: "system" }),
      column({ name: "modifiedBy", type: text(), manager: "system" }),
      column({ name: "deletedAt", type: { kind: "timestamp" }, manager: "system" }),
      column({ name: "deletedBy", type: text(), manager: "system" }),
    ],
    primaryKey: "id",
    idStrategy: "serial",
    idPrefix: "class",
    allowClientIds: false,
    scope: { organization: "organizationId", owner: null, team: null },
    softDelete: true,
    revision: null,
    ownerColumn: "createdBy",
    firewall: [
      predicate({
        kind: "organization",
        column: "organizationId",
        operand: { kind: "context", key: "activeOrgId" },
      }),
      predicate({
        kind: "notDeleted",
        column: "deletedAt",
        operand: { kind: "literal", value: null },
      }),
    ],
    indexes: [
      {
        name: "class_parentId_organizationId_deletedAt_createdAt_id_idx",
        columns: ["parentId", "organizationId", "deletedAt", "createdAt", "id"],
        unique: false,
      },
      {
        name: "class_textId_organizationId_deletedAt_createdAt_id_idx",
        columns: ["textId", "organizationId", "deletedAt", "createdAt", "id"],
        unique: false,
      },
      {
        name: "class_organizationId_deletedAt_createdAt_id_idx",
        columns: ["organizationId", "deletedAt", "createdAt", "id"],
        unique: false,
      },
    ],
    displayColumn: null,
  },
  resource: {
    name: "class",
    segment: "class",
    feature: "classes",
    table: "class",
    origin: { file: "quickback/features/classes/classes.ts", line: 21, column: 16 },
    firewallErrorMode: "reveal",
    guards: {
      createable: ["default", "table", "index", "real", "blob", "parentId", "textId"],
      updatable: ["default"],
      immutable: [],
      protected: {},
    },
    masks: {},
    read: { access: hasRole("member", "admin"), include: [], defaultView: null, views: [] },
    create: {
      access: hasRole("admin"),
      batch: { access: hasRole("admin"), maxBatchSize: 100, allowFailFast: true },
      action: null,
    },
    update: null,
    delete: null,
    upsert: null,
    labels: [{ field: "text_label", column: "textId", table: "text", display: "name" }],
    defaultSort: [{ column: "createdAt", descending: true }],
    rateLimits: {
      read: { limit: 1000, period: 60 },
      create: { limit: 200, period: 60 },
      update: { limit: 200, period: 60 },
      delete: { limit: 200, period: 60 },
    },
    transitions: {},
    realtime: null,
    inputHints: { kind: "all", of: [1, 2], text: { kind: "text", maxLength: "q", enum: null } },
    layouts: null,
  },
};
