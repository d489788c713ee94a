/**
 * The messages that accounts cause: the placeholders of their templates, the pages that their links lead to, and what the links
 * do (definitions 6).
 */
import type { PageText } from "./page_texts.ts";
import { isNoticeKind, NOTICE_PLACEHOLDERS, type NoticeKind } from "./security_events.ts";

/**
 * Proof that a link's POST requires beside its token (decisions/accounts.md). `mailbox`: nothing more, since the link proves the
 * address. `account`: a session or the password of the account. `confirmation`: the same, or taking over the account.
 * `recipient`: a session of the invited address.
 */
export type LinkProof = "mailbox" | "account" | "confirmation" | "recipient";

export interface MailLink {
  /** Path below the auth base. `:token` stands for the token unless the query carries it. */
  readonly path: string;
  readonly proof: LinkProof;
  /** Seconds until the link expires. */
  readonly expiresIn: number;
  /** True when the account library's own route acts. Only the service calls that route. */
  readonly byLibrary?: true;
}

const HOUR = 60 * 60;

/** All messages. A message with a link has a key of `email.paths`. */
export const ACCOUNT_MAILS = {
  invitation: {
    template: "invitation",
    keys: ["id", "token"],
    values: ["organization", "inviter", "role"],
    link: {
      path: "/organization/accept-invitation",
      proof: "recipient",
      expiresIn: 48 * HOUR,
      byLibrary: true,
    },
  },
  verifyEmail: {
    template: "verify-email",
    keys: ["token"],
    values: ["name"],
    link: { path: "/verify-email", proof: "confirmation", expiresIn: HOUR },
  },
  resetPassword: {
    template: "reset-password",
    keys: ["token"],
    values: ["name"],
    link: { path: "/reset-password/:token", proof: "mailbox", expiresIn: HOUR },
  },
  changeEmail: {
    template: "change-email",
    keys: ["token"],
    values: ["name"],
    link: { path: "/verify-email", proof: "account", expiresIn: HOUR },
  },
  deleteAccount: {
    template: "delete-account",
    keys: ["token"],
    values: ["name"],
    link: { path: "/delete-user/callback", proof: "account", expiresIn: 24 * HOUR },
  },
  magicLink: {
    template: "magic-link",
    keys: ["token"],
    values: [],
    link: { path: "/magic-link/verify", proof: "mailbox", expiresIn: 300, byLibrary: true },
  },
  emailCode: { template: "email-code", keys: ["code"], values: [], link: null },
} as const satisfies Readonly<
  Record<string, {
    readonly template: string;
    readonly keys: readonly string[];
    readonly values: readonly string[];
    readonly link: MailLink | null;
  }>
>;

export type AccountMail = keyof typeof ACCOUNT_MAILS;

/** A message with a link. One with a code to type in has none. */
export type LinkedMail = Exclude<AccountMail, "emailCode">;

export const LINKED_MAILS: readonly LinkedMail[] = [
  "invitation",
  "verifyEmail",
  "resetPassword",
  "changeEmail",
  "deleteAccount",
  "magicLink",
];

export const MAIL_NAMES: readonly AccountMail[] = [...LINKED_MAILS, "emailCode"];

export function hasLink(mail: AccountMail): mail is LinkedMail {
  return ACCOUNT_MAILS[mail].link !== null;
}

/** Returns the record of a message's link. */
export function linkOf(mail: LinkedMail): MailLink {
  return ACCOUNT_MAILS[mail].link;
}

/** Returns the messages whose links lead to this path. */
export function mailsAt(path: string): readonly LinkedMail[] {
  return LINKED_MAILS.filter((mail) => ACCOUNT_MAILS[mail].link.path === path);
}

/** Every path below the auth base that some mailed link leads to. */
export const LINK_PATHS: readonly string[] = [
  ...new Set(LINKED_MAILS.map((mail) => ACCOUNT_MAILS[mail].link.path)),
];

/** Pages of the application that mailed links lead to. */
export interface MailLinks {
  /** URL of the application, without a slash at its end. */
  readonly appUrl: string;
  /** Paths with `{token}`. The path of an invitation may also have `{id}`, or `{id}` alone. */
  readonly paths: Readonly<Partial<Record<LinkedMail, string>>>;
}

/** A project's own texts of a message, by file extension. */
export interface MailTemplate {
  readonly html?: string;
  readonly txt?: string;
  /** Subject, from the first line of the `.txt`; absent: the built-in one. */
  readonly subject?: string;
}

/** Ways to send messages. With `none` no message is sent (definitions 2). */
export type MailProvider = "log" | "smtp" | "none";

/** A message that a project may word itself. */
export type WordedMail = AccountMail | NoticeKind;

/** A project's texts in one language. */
export interface MailTexts {
  /** Absent: the built-in texts. */
  readonly templates?: Readonly<Partial<Record<WordedMail, MailTemplate>>>;
  /** Texts of the pages; absent: the built-in ones. */
  readonly pages?: Readonly<Partial<Record<PageText, string>>>;
}

/** The texts at the top level serve every language that `languages` lacks. */
export interface EmailModel extends MailTexts {
  readonly provider: MailProvider;
  readonly from: string | null;
  readonly fromName: string | null;
  /** Absent: links lead to the API's own pages. */
  readonly links?: MailLinks;
  /** Texts by the languages' tags (BCP 47), sorted. */
  readonly languages?: Readonly<Record<string, MailTexts>>;
  /** True when holders of accounts are mailed about security events. Absent: true where a mail server is configured. */
  readonly notices?: boolean;
}

/** True when notices are sent (docs/decisions/accounts.md, "Security events"). */
export function sendsNotices({ notices, provider }: EmailModel): boolean {
  return provider !== "none" && (notices ?? provider === "smtp");
}

/** `{{name}}`, with or without spaces inside. */
export const MAIL_PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the languages whose texts meet a test. */
export function languagesWith(
  { languages = {} }: EmailModel,
  hasWords: (texts: MailTexts) => boolean,
): readonly string[] {
  return Object.entries(languages).flatMap(([tag, texts]) => hasWords(texts) ? [tag] : []);
}

/** Returns the placeholders that a template of this message may use. */
export function mailPlaceholders(mail: WordedMail): readonly string[] {
  if (isNoticeKind(mail)) return NOTICE_PLACEHOLDERS;
  const { keys, values } = ACCOUNT_MAILS[mail];
  return [...(hasLink(mail) ? ["url"] : []), ...keys, "email", "app", ...values];
}
