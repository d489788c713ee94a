/**
 * In which order the layers judge each kind of operation (contract 1.3, 4.1 rule 4, 8.1.5).
 * `access.role` asks for a role before any row is read, `access.record` judges the row that the firewall let through.
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
  // A collection has no single row to judge: row conditions become part of its query.
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
  // The role comes first, so that a foreign row and a missing one cannot be told apart.
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
  // As for a single read, of deleted records too.
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
  // A new row has no tenant to isolate yet: the firewall stamps its scope. Foreign keys are judged inside the operation.
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
  // Whether there is a row decides what the write is, so the role is asked before.
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
  // As for a read: who may not restore learns nothing of what was deleted.
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
  // The role is asked once and the batch itself validated first; then each step judges the records that are left.
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

/** Of actions (contract 4.4 rules 1 and 2). Foreign keys that the input names are read with the rest of it. */
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
  // A role and the request itself are asked for once; each record then passes by itself.
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
