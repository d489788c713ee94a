/** The log of what happens to an account (docs/decisions/accounts.md, "Security events"), and the notices by mail that go with it. */
import { type SqlTable, textColumn as text } from "./sql_table.ts";

/** Kinds of security events. */
export const SECURITY_KINDS = [
  "sign-in",
  "sign-in-failed",
  "sign-out",
  "session-ended",
  "password",
  "address",
  "proof",
  "take-over",
  "key",
  "grant",
  "passkey",
  "factor",
  "role",
  "member",
  "ban",
] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

/** Days for which an event is kept. */
export const SECURITY_EVENT_DAYS = 365;

/** Failures of one account that are kept one by one each day; more of them are a count. */
export const FAILURES_KEPT_PER_DAY = 1000;

const TABLE = "qb_security_events";

/** One row per security event of an account. A row without an account counts the failures of a day. */
export const SECURITY_EVENTS: SqlTable = {
  name: TABLE,
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    // There is no foreign key, so that the events of a deleted account remain.
    text("user_id"),
    { ...text("kind"), notNull: true },
    // Shortened address of the person who acted; null: unknown, or not the account's holder.
    text("address"),
    text("device"),
    // Details as JSON.
    { ...text("details"), notNull: true },
    // 1 when a notice was sent.
    { ...text("noticed"), type: "integer", notNull: true },
    { ...text("created_at"), notNull: true },
  ],
  indexes: [
    index("user_id_created_at", ["user_id", "created_at"]),
    index("created_at", ["created_at"]),
    {
      ...index("failures", ["user_id", "created_at"]),
      where: `"kind" = 'sign-in-failed'`,
    },
  ],
};

function index(name: string, columns: readonly string[]) {
  return { name: `${TABLE}_${name}_idx`, columns, unique: false, where: null };
}

/** Events about which the holder is mailed, with the template of the message. */
export const NOTICES = {
  "sign-in": "notice-sign-in",
  password: "notice-password",
  address: "notice-address",
  key: "notice-key",
  grant: "notice-grant",
  passkey: "notice-passkey",
} as const satisfies Partial<Record<SecurityKind, string>>;
export type NoticeKind = keyof typeof NOTICES;

export const NOTICE_KINDS: readonly NoticeKind[] = [
  "sign-in",
  "password",
  "address",
  "key",
  "grant",
  "passkey",
];

/** Placeholders of the notices' templates. */
export const NOTICE_PLACEHOLDERS: readonly string[] = ["email", "app", "at", "address", "device"];

export function isNoticeKind(name: string): name is NoticeKind {
  return Object.hasOwn(NOTICES, name);
}
