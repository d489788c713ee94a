/** Table and routes of text, declared in quickback/features/text/text.ts. */
import { hasRole } from "../quickback/model/access.ts";
import { column, predicate, type TableSpec, text } from "../quickback/model/table_spec.ts";

export const text2: TableSpec = {
  table: {
    name: "text",
    sqlName: "text",
    feature: "text",
    origin: { file: "quickback/features/text/text.ts", line: 2, column: 16 },
    columns: [
      column({ name: "id", type: { kind: "id" }, nullable: false, manager: "id" }),
      column({
        name: "organizationId",
        type: { kind: "scope", scope: "organization" },
        nullable: false,
        manager: "scope",
      }),
      column({ name: "name", type: text({ enum: ["x", "y"] }), searchable: true }),
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
    idPrefix: "text",
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
        name: "text_organizationId_name_unique",
        columns: ["organizationId", "name"],
        unique: true,
      },
      {
        name: "text_organizationId_deletedAt_createdAt_id_idx",
        columns: ["organizationId", "deletedAt", "createdAt", "id"],
        unique: false,
      },
    ],
    displayColumn: "name",
  },
  resource: {
    name: "text",
    segment: "text",
    feature: "text",
    table: "text",
    origin: { file: "quickback/features/text/text.ts", line: 2, column: 16 },
    firewallErrorMode: "reveal",
    guards: { createable: ["name"], updatable: ["name"], immutable: [], protected: {} },
    masks: {},
    read: { access: hasRole("admin"), include: [], defaultView: null, views: [] },
    create: null,
    update: null,
    delete: null,
    upsert: null,
    labels: [],
    defaultSort: [{ column: "createdAt", descending: true }],
    rateLimits: {
      read: { limit: 1000, period: 60 },
      create: { limit: 200, period: 60 },
      update: { limit: 200, period: 60 },
      delete: { limit: 200, period: 60 },
    },
    transitions: {},
    realtime: null,
    inputHints: null,
    layouts: null,
  },
};
