/** The messages that accounts send: what their templates may name, where their links lead, and what those do (definitions 6). */
import type { PageText } from "./page_texts.ts";
import { isNoticeKind, NOTICE_PLACEHOLDERS, type NoticeKind } from "./security_events.ts";

/**
 * What a link's POST asks for beside its token (decisions/accounts.md). `mailbox`: nothing, it proves the address itself. `account`: a
 * session or the password of the account. `confirmation`: the same, or taking the account over. `recipient`: a session of the
 * address that was invited.
 */
export type LinkProof = "mailbox" | "account" | "confirmation" | "recipient";

export interface MailLink {
  /** Below the auth base; `:token` stands for the token where the query does not have it. */
  readonly path: string;
  readonly proof: LinkProof;
  /** Seconds that it is good for. */
  readonly expiresIn: number;
  /** True: the account library's own route of this path does it, asked by the service alone. */
  readonly byLibrary?: true;
}

const HOUR = 60 * 60;

/** Of every message; `keys` are those of `email.paths`, where it has a link. */
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

/** One that carries what is typed in has no link. */
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

/** The record of a message's link. */
export function linkOf(mail: LinkedMail): MailLink {
  return ACCOUNT_MAILS[mail].link;
}

/** The messages whose links lead to this path. */
export function mailsAt(path: string): readonly LinkedMail[] {
  return LINKED_MAILS.filter((mail) => ACCOUNT_MAILS[mail].link.path === path);
}

/** Every path below the auth base that a mailed link leads to, once. */
export const LINK_PATHS: readonly string[] = [
  ...new Set(LINKED_MAILS.map((mail) => ACCOUNT_MAILS[mail].link.path)),
];

/** Pages of the application that links lead to. */
export interface MailLinks {
  /** Without a slash at its end. */
  readonly appUrl: string;
  /** Each with `{token}`; that of an invitation may have `{id}` too, or alone. */
  readonly paths: Readonly<Partial<Record<LinkedMail, string>>>;
}

/** Texts of the project's own, by the end of their files' names. */
export interface MailTemplate {
  readonly html?: string;
  readonly txt?: string;
  /** Of the first line of the `.txt`; absent: the built-in one. */
  readonly subject?: string;
}

/** Ways in which messages leave; `none`: none does (definitions 2). */
export type MailProvider = "log" | "smtp" | "none";

/** A message that a project may word itself. */
export type WordedMail = AccountMail | NoticeKind;

/** The project's words in one language. */
export interface MailTexts {
  /** Absent: the built-in texts. */
  readonly templates?: Readonly<Partial<Record<WordedMail, MailTemplate>>>;
  /** What the pages say; absent: the built-in texts. */
  readonly pages?: Readonly<Partial<Record<PageText, string>>>;
}

/** Its own texts are those for every language that `languages` does not have. */
export interface EmailModel extends MailTexts {
  readonly provider: MailProvider;
  readonly from: string | null;
  readonly fromName: string | null;
  /** Absent: links lead to the API's own pages, and stay there. */
  readonly links?: MailLinks;
  /** Texts by the languages' tags (BCP 47), sorted. */
  readonly languages?: Readonly<Record<string, MailTexts>>;
  /** Tell the holders of accounts by mail of what happened to them; absent: where a mail server sends. */
  readonly notices?: boolean;
}

/** True where notices go out (docs/decisions/accounts.md, "Security events"). */
export function sendsNotices({ notices, provider }: EmailModel): boolean {
  return provider !== "none" && (notices ?? provider === "smtp");
}

/** `{{name}}`, with or without spaces inside. */
export const MAIL_PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The languages in which something is worded. */
export function languagesWith(
  { languages = {} }: EmailModel,
  hasWords: (texts: MailTexts) => boolean,
): readonly string[] {
  return Object.entries(languages).flatMap(([tag, texts]) => hasWords(texts) ? [tag] : []);
}

/** Placeholders that a template of this message may name. */
export function mailPlaceholders(mail: WordedMail): readonly string[] {
  if (isNoticeKind(mail)) return NOTICE_PLACEHOLDERS;
  const { keys, values } = ACCOUNT_MAILS[mail];
  return [...(hasLink(mail) ? ["url"] : []), ...keys, "email", "app", ...values];
}
