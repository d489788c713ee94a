/** The messages that accounts send: what their templates may name, and where their links lead (definitions 6). */

/** Of every message; the key is that of `email.paths`, where it has a link. */
export const ACCOUNT_MAILS = {
  invitation: {
    template: "invitation",
    key: "id",
    values: ["organization", "inviter", "role"],
    // The account library has no route of its own that a browser could open.
    opensAlone: false,
  },
  verifyEmail: { template: "verify-email", key: "token", values: ["name"], opensAlone: true },
  resetPassword: { template: "reset-password", key: "token", values: ["name"], opensAlone: false },
  changeEmail: { template: "change-email", key: "token", values: ["name"], opensAlone: true },
  deleteAccount: { template: "delete-account", key: "token", values: ["name"], opensAlone: true },
  magicLink: { template: "magic-link", key: "token", values: [], opensAlone: true },
  emailCode: { template: "email-code", key: "code", values: [], opensAlone: false },
} as const;

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
  return mail !== "emailCode";
}

/** Pages of the application that links lead to. */
export interface MailLinks {
  /** Without a slash at its end. */
  readonly appUrl: string;
  /** Each with `{id}` or `{token}`. */
  readonly paths: Readonly<Partial<Record<LinkedMail, string>>>;
}

/** Texts of the project's own, by the end of their files' names. */
export interface MailTemplate {
  readonly html?: string;
  readonly txt?: string;
}

export interface EmailModel {
  readonly provider: "log" | "smtp";
  readonly from: string | null;
  readonly fromName: string | null;
  /** Absent: links lead to the API itself. */
  readonly links?: MailLinks;
  /** Absent: the built-in texts. */
  readonly templates?: Readonly<Partial<Record<AccountMail, MailTemplate>>>;
}

/** `{{name}}`, with or without spaces inside. */
export const MAIL_PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Placeholders that a template of this message may name. */
export function mailPlaceholders(
  mail: AccountMail,
  links: MailLinks | undefined,
): readonly string[] {
  const { key, values, opensAlone } = ACCOUNT_MAILS[mail];
  return [
    ...(hasLink(mail) && (opensAlone || links) ? ["url"] : []),
    key,
    "email",
    "app",
    ...values,
  ];
}
