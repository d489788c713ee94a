/**
 * Defines the order in which the layers check each kind of operation (contract 1.3, 4.1 rule 4, 8.1.5). `access.role` checks a
 * role before any row is read, `access.record` checks the row that the firewall shows.
 */
import type { ActionKind } from "./action_operations.ts";
import type { OperationKind } from "./operations.ts";

export type Step =
  | "authentication"
  | "rate-limit"
  | "access.role"
  | "firewall"
  | "access"
  | "guards"
  | "validation"
  | "operation"
  | "masking";

export const LAYER_ORDER: Readonly<Record<OperationKind, readonly Step[]>> = {
  // A collection has no single row to check: row conditions become part of its query.
  list: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "operation",
    "masking",
  ],
  view: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "operation",
    "masking",
  ],
  // The role comes first, so that a caller cannot distinguish a foreign row from a missing one.
  get: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "access",
    "operation",
    "masking",
  ],
  // The order is that of a single read, for deleted records too.
  history: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "access",
    "operation",
    "masking",
  ],
  // A new row has no tenant to isolate yet: the firewall stamps its scope. The operation itself checks foreign keys.
  create: [
    "authentication",
    "rate-limit",
    "access.role",
    "guards",
    "validation",
    "firewall",
    "operation",
    "masking",
  ],
  update: [
    "authentication",
    "rate-limit",
    "firewall",
    "access",
    "guards",
    "validation",
    "operation",
    "masking",
  ],
  delete: ["authentication", "rate-limit", "firewall", "access", "operation"],
  // The row's existence decides between create and update, so the role is checked before.
  upsert: [
    "authentication",
    "rate-limit",
    "access.role",
    "firewall",
    "access",
    "guards",
    "validation",
    "operation",
    "masking",
  ],
  // The order is that of a read: a caller who may not restore learns nothing about deleted records.
  restore: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "access",
    "operation",
    "masking",
  ],
  // The role is checked once and the batch itself is validated first; then each step checks the remaining records.
  batchCreate: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "guards",
    "validation",
    "operation",
    "masking",
  ],
  batchUpdate: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "access",
    "guards",
    "validation",
    "operation",
    "masking",
  ],
  batchDelete: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "access",
    "operation",
    "masking",
  ],
  batchUpsert: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "access",
    "guards",
    "validation",
    "operation",
    "masking",
  ],
};

/** Order for actions (contract 4.4 rules 1 and 2). Foreign keys in the input are read with the rest of it. */
export const ACTION_LAYER_ORDER: Readonly<Record<ActionKind, readonly Step[]>> = {
  recordAction: [
    "authentication",
    "rate-limit",
    "firewall",
    "access",
    "validation",
    "operation",
    "masking",
  ],
  standaloneAction: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "operation",
    "masking",
  ],
  // A role and the request itself are checked once; then each record is checked separately.
  bulkAction: [
    "authentication",
    "rate-limit",
    "access.role",
    "validation",
    "firewall",
    "access",
    "operation",
    "masking",
  ],
};
