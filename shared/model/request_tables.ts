/** Tables of what requests leave behind: kept answers, wrong codes, revoked tokens, deleted organizations (definitions 7). */
import { type SqlTable, textColumn as text } from "./sql_table.ts";

/** Wrong codes by account and way in, for an hour from the first one (docs/decisions/accounts.md). */
export const CODE_GUESSES: SqlTable = {
  name: "qb_code_guesses",
  columns: [
    // A digest of both, so that no address of a person is kept.
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
    // Digests: of the key within its tenant or user, of the request, and of who sent it.
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("fingerprint"), notNull: true },
    { ...text("principal"), notNull: true },
    // The organization whose records the answer may hold; null: none.
    text("organization_id"),
    { ...text("status"), type: "integer", notNull: true },
    // The code that refused the request; null: it succeeded.
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

/** One row per organization that was deleted: how far it is, and that its tokens are over. It stays. */
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
