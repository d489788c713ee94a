/**
 * Security events behind the account library's writes. One record for each of its tables says which writes are events. The
 * record of events that end credentials says the rest (docs/decisions/accounts.md, "Security events").
 */
import type { JsonObject } from "../../lib/json.ts";
import { permissionsIn, type SecurityKind } from "../../model/mod.ts";
import type { SqlValue } from "../../runtime/ports.ts";
import type { AccountEvent, EventSubjects } from "../credentials/events.ts";

export type ActRow = Readonly<Record<string, SqlValue>>;

/** A write of the library, before its rows were read. */
export interface WriteCall {
  /** Route as the library names it. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Session of the call; null: it has none. */
  readonly current: { readonly userId: string; readonly sessionId: string } | null;
}

export interface Act {
  readonly kind: SecurityKind;
  readonly details: JsonObject;
  /** True when the account's holder gets a mail. */
  readonly notifies?: true;
}

/**
 * Returns what a write means; null: it is no event. The rows are those before the write (`update`, `delete`) or after it
 * (`insert`).
 */
type ActOf = (call: WriteCall) => ((row: ActRow) => Act | null) | null;

export interface TableActs {
  /** Column with the account. */
  readonly of: string;
  /** SQL expressions, by name, that the acts need. */
  readonly asks: Readonly<Record<string, string>>;
  readonly insert?: ActOf;
  readonly update?: ActOf;
  readonly delete?: ActOf;
}

/** The library's name for the way to sign in by password. */
const PASSWORD = "credential";

/** Acts of each table of the library. Null: its writes are no events, or another event reports them. */
export const LIBRARY_ACTS: Readonly<Record<string, TableActs | null>> = {
  auth_user: {
    of: `"id"`,
    asks: { role: `"role"` },
    update({ values: { twoFactorEnabled, banned, role } }) {
      const enabled = truthOf(twoFactorEnabled);
      if (enabled !== null) return () => ({ kind: "factor", details: { enabled } });
      // The ban itself is reported as an event that ends credentials.
      if (truthOf(banned) === false) return () => ({ kind: "ban", details: { banned: false } });
      if (typeof role !== "string") return null;
      return (row) => role === (row["role"] ?? "") ? null : { kind: "role", details: { role } };
    },
  },
  auth_session: {
    of: `"user_id"`,
    asks: {
      id: `"id"`,
      impersonated: `"impersonated_by" IS NOT NULL`,
      isOver: `"expires_at" < strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
    },
    insert: ({ values, current }) =>
      // A user who is signed in gets another session, as after a change of the password.
      values["userId"] === current?.userId ? null : ({ impersonated }) => ({
        kind: "sign-in",
        details: impersonated === 1 ? { impersonated: true } : {},
      }),
    delete: ({ path, current }) => ({ id, isOver }) => {
      if (path === "/sign-out") return { kind: "sign-out", details: {} };
      return isOver === 1 || id === current?.sessionId
        ? null
        : { kind: "session-ended", details: {} };
    },
  },
  // A new password is reported as an event that ends credentials.
  auth_account: {
    of: `"user_id"`,
    asks: { provider: `"provider_id"` },
    insert: ({ values: { providerId: provider } }) =>
      provider === PASSWORD
        ? null
        : () => ({ kind: "proof", details: { act: "linked", provider } }),
    delete: () => ({ provider = null }) =>
      provider === PASSWORD ? null : { kind: "proof", details: { act: "unlinked", provider } },
  },
  auth_verification: null,
  auth_organization: null,
  auth_team: null,
  auth_team_member: null,
  auth_member: {
    of: `"user_id"`,
    asks: { organizationId: `"organization_id"`, role: `"role"` },
    insert: () => ({ organizationId = null, role = null }) => ({
      kind: "member",
      details: { isMember: true, organizationId, role },
    }),
    update({ values: { role } }) {
      if (typeof role !== "string") return null;
      return ({ organizationId = null, role: before }) =>
        role === before ? null : { kind: "role", details: { role, organizationId } };
    },
  },
  auth_invitation: null,
  auth_token_cutoff: null,
  auth_apikey: {
    of: `"reference_id"`,
    asks: { id: `"id"`, name: `"name"`, permissions: `"permissions"` },
    insert: () => (row) => ({
      kind: "key",
      details: { act: "made", ...keyDetails(row) },
      notifies: true,
    }),
    // The library counts uses in the same row.
    update: ({ path }) =>
      path !== "/api-key/update"
        ? null
        : (row) => ({ kind: "key", details: { act: "changed", ...keyDetails(row) } }),
    delete: () => (row) => ({ kind: "key", details: { act: "deleted", ...keyDetails(row) } }),
  },
  auth_two_factor: {
    of: `"user_id"`,
    asks: {},
    update: ({ path }) =>
      path !== "/two-factor/generate-backup-codes"
        ? null
        : () => ({ kind: "factor", details: { backupCodes: true } }),
  },
  auth_passkey: {
    of: `"user_id"`,
    asks: { passkeyId: `"id"`, name: `"name"` },
    insert: () => (row) => ({
      kind: "passkey",
      details: { act: "made", ...row },
      notifies: true,
    }),
    delete: () => (row) => ({ kind: "passkey", details: { act: "deleted", ...row } }),
  },
};

/** Returns a boolean of the library or of the database; null for any other value. */
function truthOf(value: unknown): boolean | null {
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : null;
}

function keyDetails({ id = null, name = null, permissions }: ActRow): JsonObject {
  const { organizationId } = permissionsIn(typeof permissions === "string" ? permissions : null);
  return { keyId: id, name, organizationId };
}

/** Events that end credentials, as the log records them. Null: nobody is left to be told, or a write above reports it. */
export const EVENT_ACTS: { readonly [Event in AccountEvent]: Act | null } = {
  takeOver: { kind: "take-over", details: {} },
  confirmation: { kind: "proof", details: {} },
  passwordChange: { kind: "password", details: { by: "change" }, notifies: true },
  passwordReset: { kind: "password", details: { by: "reset" }, notifies: true },
  passwordSet: { kind: "password", details: { by: "sysadmin" }, notifies: true },
  addressChange: { kind: "address", details: {}, notifies: true },
  ban: { kind: "ban", details: { banned: true } },
  signOut: null,
  membershipEnd: { kind: "member", details: { isMember: false } },
  organizationDeletion: null,
  accountDeletion: null,
};

/** Returns the log entry of an event that ended credentials; null: there is none. */
export function actOf<Event extends AccountEvent>(
  event: Event,
  subject: EventSubjects[Event],
  ended: ReadonlyMap<string, number>,
): { readonly userId: string; readonly act: Act } | null {
  const act = EVENT_ACTS[event];
  if (act === null || !("userId" in subject)) return null;
  const details = {
    ...act.details,
    ...("organizationId" in subject ? { organizationId: subject.organizationId } : {}),
    ...(ended.size === 0 ? {} : { ended: Object.fromEntries(ended) }),
  };
  return { userId: subject.userId, act: { ...act, details } };
}
