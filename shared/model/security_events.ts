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

/** One row per event of an account; of nobody's: a count of failures of the day. */
export const SECURITY_EVENTS: SqlTable = {
  name: TABLE,
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    // No foreign key: what an account's end was stays known.
    text("user_id"),
    { ...text("kind"), notNull: true },
    // Of whoever acted, shortened; null: unknown, or somebody else than the account.
    text("address"),
    text("device"),
    // JSON.
    { ...text("details"), notNull: true },
    // 1: a notice went out with it.
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

/** Events of which the account's holder is told by mail, with the template of the message. */
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

/** Placeholders of their templates. */
export const NOTICE_PLACEHOLDERS: readonly string[] = ["email", "app", "at", "address", "device"];

export function isNoticeKind(name: string): name is NoticeKind {
  return Object.hasOwn(NOTICES, name);
}
