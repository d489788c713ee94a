/** Tables that requests write: kept answers, wrong codes, revoked tokens, deleted organizations (definitions 7). */
import { type SqlTable, textColumn as text } from "./sql_table.ts";

/** Wrong codes by account and way in, for an hour from the first one (docs/decisions/accounts.md). */
export const CODE_GUESSES: SqlTable = {
  name: "qb_code_guesses",
  columns: [
    // A digest of the account and the way, so that no address is stored.
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("guesses"), type: "integer", notNull: true },
    // Milliseconds since the epoch.
    { ...text("started_at"), type: "integer", notNull: true },
  ],
  indexes: [{
    name: "qb_code_guesses_started_at_idx",
    columns: ["started_at"],
    unique: false,
    where: null,
  }],
};

/** Values kept for a limited time: the ids of revoked tokens (contract 5.2). */
export const KEY_VALUES: SqlTable = {
  name: "service_key_values",
  columns: [
    { ...text("key"), notNull: true, primaryKey: true },
    { ...text("value"), notNull: true },
    // Milliseconds since the epoch.
    { ...text("expires_at"), type: "integer", notNull: true },
  ],
  indexes: [{
    name: "service_key_values_expires_at_idx",
    columns: ["expires_at"],
    unique: false,
    where: null,
  }],
};

/** One row per `Idempotency-Key` and its answer, for 24 hours (contract 4.1 rule 8, definitions 7). */
export const IDEMPOTENCY_KEYS: SqlTable = {
  name: "idempotency_keys",
  columns: [
    // Digests of the key within its tenant or user, of the request, and of its sender.
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("fingerprint"), notNull: true },
    { ...text("principal"), notNull: true },
    // The organization whose records the answer may contain; null: none.
    text("organization_id"),
    { ...text("status"), type: "integer", notNull: true },
    // Code of the refusal; null: the request succeeded.
    text("code"),
    { ...text("headers"), notNull: true },
    { ...text("body"), notNull: true },
    { ...text("expires_at"), notNull: true },
  ],
  indexes: [{
    name: "idempotency_keys_expires_at_idx",
    columns: ["expires_at"],
    unique: false,
    where: null,
  }],
};

/**
 * One row per deleted organization: how far the deletion is. The row is kept for ever, because it ends the organization's
 * tokens.
 */
export const ORGANIZATION_PURGES: SqlTable = {
  name: "organization_purges",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("organization_id"), notNull: true },
    // `running` or `done`.
    { ...text("status"), notNull: true },
    { ...text("created_at"), notNull: true },
    text("finished_at"),
  ],
  indexes: [
    {
      name: "organization_purges_created_at_idx",
      columns: ["created_at"],
      unique: false,
      where: null,
    },
    {
      name: "organization_purges_running_idx",
      columns: ["created_at"],
      unique: false,
      where: `"status" = 'running'`,
    },
  ],
};
