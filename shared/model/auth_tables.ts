/**
 * The tables of accounts as better-auth needs them for our options (definitions 7, "auth routes"), and the columns that the
 * service itself adds to credentials. A test compares the library's part with what the library describes.
 */
import type { AuthModel } from "./auth.ts";
import { SIGN_IN_KEYS } from "./sign_in.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "./sql_table.ts";

/** Dates are ISO texts, booleans integers 0 and 1. */
type Kind = "text" | "date" | "boolean" | "number";

interface Field {
  readonly kind: Kind;
  readonly notNull: boolean;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly references: string | null;
}

const field = (kind: Kind): Field => ({
  kind,
  notNull: true,
  unique: false,
  indexed: false,
  references: null,
});
const text = field("text");
const date = field("date");
const boolean = field("boolean");
const number = field("number");
const optional = (of: Field): Field => ({ ...of, notNull: false });
const unique = (of: Field): Field => ({ ...of, unique: true });
const indexed = (of: Field): Field => ({ ...of, indexed: true });
const reference = (table: string): Field => ({ ...text, references: table });

/**
 * Columns for how a session came about; they are kept on the session and on what is made in it. Null: the row is older than the
 * column.
 */
const BEGUN = {
  // True when the session began after the account's present address was proved.
  after_proof: optional(boolean),
};

/** Tables of every project, parents before children. */
export const AUTH_TABLES: readonly SqlTable[] = [
  table("auth_user", {
    name: text,
    email: unique(text),
    email_verified: boolean,
    image: optional(text),
    created_at: date,
    updated_at: date,
    // Platform roles, comma-separated; in a project without organizations the user's project roles as well.
    role: optional(text),
    banned: optional(boolean),
    ban_reason: optional(text),
    ban_expires: optional(date),
  }),
  table("auth_session", {
    expires_at: date,
    token: unique(text),
    created_at: date,
    updated_at: date,
    ip_address: optional(text),
    user_agent: optional(text),
    user_id: indexed(reference("auth_user")),
    active_organization_id: optional(text),
    active_team_id: optional(text),
    impersonated_by: optional(text),
    ...BEGUN,
    // True when the session began with a TOTP code, a backup code or a passkey.
    second_factor: optional(boolean),
  }),
  // Four indexes are ours: on columns by which the library searches or deletes among all users.
  table("auth_account", {
    account_id: indexed(text),
    provider_id: text,
    user_id: indexed(reference("auth_user")),
    access_token: optional(text),
    refresh_token: optional(text),
    id_token: optional(text),
    access_token_expires_at: optional(date),
    refresh_token_expires_at: optional(date),
    scope: optional(text),
    password: optional(text),
    created_at: date,
    updated_at: date,
  }),
  table("auth_verification", {
    identifier: indexed(text),
    value: text,
    expires_at: indexed(date),
    created_at: date,
    updated_at: date,
  }),
  table("auth_organization", {
    name: text,
    slug: unique(text),
    logo: optional(text),
    created_at: date,
    metadata: optional(text),
  }),
  table("auth_team", {
    name: text,
    member_count: number,
    organization_id: indexed(reference("auth_organization")),
    created_at: date,
    updated_at: optional(date),
  }),
  table("auth_team_member", {
    team_id: indexed(reference("auth_team")),
    user_id: indexed(reference("auth_user")),
    membership_key: unique(optional(text)),
    created_at: optional(date),
  }),
  table("auth_member", {
    organization_id: indexed(reference("auth_organization")),
    user_id: indexed(reference("auth_user")),
    role: text,
    created_at: date,
  }),
  table("auth_invitation", {
    organization_id: indexed(reference("auth_organization")),
    email: indexed(text),
    role: optional(text),
    team_id: optional(text),
    status: text,
    expires_at: date,
    created_at: date,
    inviter_id: indexed(reference("auth_user")),
  }),
  // A key belongs to the user in `reference_id` and to the organization in `permissions`. `key` is a hash.
  table("auth_apikey", {
    config_id: indexed(text),
    name: optional(text),
    start: optional(text),
    reference_id: indexed(text),
    prefix: optional(text),
    key: indexed(text),
    refill_interval: optional(number),
    refill_amount: optional(number),
    last_refill_at: optional(date),
    enabled: optional(boolean),
    rate_limit_enabled: optional(boolean),
    rate_limit_time_window: optional(number),
    rate_limit_max: optional(number),
    request_count: optional(number),
    remaining: optional(number),
    last_request: optional(date),
    expires_at: indexed(optional(date)),
    created_at: date,
    updated_at: date,
    permissions: optional(text),
    metadata: optional(text),
    ...BEGUN,
    // True when the key was made to carry its user's platform role.
    platform_role: optional(boolean),
  }),
  // A row ends all tokens of a user or an organization that were issued before a time (docs/decisions/accounts.md).
  table("auth_token_cutoff", {
    // Seconds since the epoch: the smallest `iat` that is still accepted.
    not_before: number,
    // Grows with each row, so that a process reads only the rows after the last one it has seen.
    sequence: indexed(number),
    // Milliseconds since the epoch: every token that the row ends has expired by then.
    expires_at: indexed(number),
  }),
];

/** Tables, and columns of accounts, that a way to sign in adds. */
const BY_SIGN_IN: Readonly<
  Partial<
    Record<
      (typeof SIGN_IN_KEYS)[number],
      { readonly tables: readonly SqlTable[]; readonly ofUsers?: readonly SqlColumn[] }
    >
  >
> = {
  twoFactor: {
    ofUsers: [column("two_factor_enabled", optional(boolean))],
    // Secret and codes are stored encrypted.
    tables: [table("auth_two_factor", {
      secret: indexed(text),
      backup_codes: text,
      user_id: indexed(reference("auth_user")),
      verified: optional(boolean),
      failed_verification_count: optional(number),
      locked_until: optional(date),
      // Added by the service: the newest time step whose code was accepted (RFC 6238, 5.2).
      last_used_step: optional(number),
    })],
  },
  passkeys: {
    tables: [table("auth_passkey", {
      name: optional(text),
      public_key: text,
      user_id: indexed(reference("auth_user")),
      // Spelled so because the library calls the field `credentialID`.
      credential_i_d: indexed(text),
      counter: number,
      device_type: text,
      backed_up: boolean,
      transports: optional(text),
      created_at: optional(date),
      aaguid: optional(text),
    })],
  },
};

/** Returns the account tables of a project with these ways to sign in. */
export function authTables({ signIn }: Pick<AuthModel, "signIn">): readonly SqlTable[] {
  const added = SIGN_IN_KEYS.flatMap((key) => signIn?.[key] ? BY_SIGN_IN[key] ?? [] : []);
  const ofUsers = added.flatMap((one) => one.ofUsers ?? []);
  const own = ofUsers.length === 0
    ? AUTH_TABLES
    : AUTH_TABLES.map((one) =>
      one.name === "auth_user" ? { ...one, columns: [...one.columns, ...ofUsers] } : one
    );
  return [...own, ...added.flatMap(({ tables }) => tables)];
}

/** The names of all account tables of any project. */
export const AUTH_TABLE_NAMES: readonly string[] = [
  ...AUTH_TABLES,
  ...Object.values(BY_SIGN_IN).flatMap(({ tables }) => tables),
].map(({ name }) => name);

function table(name: string, fields: Readonly<Record<string, Field>>): SqlTable {
  const entries = Object.entries(fields);
  return {
    name,
    columns: [
      { ...column("id", text), primaryKey: true },
      ...entries.map(([columnName, of]) => column(columnName, of)),
    ],
    indexes: entries.flatMap(([columnName, of]) => indexOf(name, columnName, of)),
  };
}

function column(name: string, { kind, notNull, references }: Field): SqlColumn {
  return {
    name,
    type: kind === "boolean" || kind === "number" ? "integer" : "text",
    notNull,
    primaryKey: false,
    autoIncrement: false,
    default: null,
    references: references === null
      ? null
      : { table: references, column: "id", onDelete: "cascade" },
  };
}

function indexOf(tableName: string, columnName: string, of: Field): readonly SqlIndex[] {
  if (!of.unique && !of.indexed) return [];
  const suffix = of.unique ? "unique" : "idx";
  const name = `${tableName}_${columnName}_${suffix}`;
  return [{ name, columns: [columnName], unique: of.unique, where: null }];
}
