/**
 * Accounts as records may show them (definitions 3, `q.account()`): a table and a resource of the service's own, without
 * routes.
 */
import type { ResourceModel } from "./resource.ts";
import type { ColumnModel, TableModel } from "./table.ts";

const NAME = "qb_accounts";
const ORIGIN = { file: "", line: 1, column: 1 };

const text = (name: string, nullable = false): ColumnModel => ({
  name,
  sqlName: name,
  type: { kind: "text", maxLength: null, enum: null },
  nullable,
  default: null,
  manager: "client",
  references: null,
  searchable: false,
});

/** Visible columns of an account. The row that names the account decides whether they are shown. */
export const ACCOUNTS_TABLE: TableModel = {
  name: NAME,
  sqlName: "auth_user",
  feature: NAME,
  origin: ORIGIN,
  columns: [text("id"), text("name"), text("image", true)],
  primaryKey: "id",
  idStrategy: false,
  idPrefix: "",
  allowClientIds: false,
  scope: { organization: null, owner: null, team: null },
  softDelete: false,
  revision: null,
  ownerColumn: "id",
  firewall: [],
  indexes: [],
  displayColumn: "name",
};

export const ACCOUNTS_RESOURCE: ResourceModel = {
  name: NAME,
  segment: NAME,
  feature: NAME,
  table: NAME,
  origin: ORIGIN,
  description: "An account, as records that name it show it",
  firewallErrorMode: "reveal",
  guards: null,
  masks: {},
  read: {
    access: { kind: "roles", roles: ["PUBLIC"] },
    include: [],
    defaultView: null,
    views: [],
  },
  create: null,
  update: null,
  delete: null,
  upsert: null,
  labels: [],
  defaultSort: [],
  rateLimits: { read: null, create: null, update: null, delete: null },
  transitions: {},
  realtime: null,
  inputHints: null,
  layouts: null,
};
