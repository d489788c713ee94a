/** The messages of accounts as they are sent: their links, and the project's texts or the built-in ones (definitions 6). */
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import type { AccountMail, MailTemplate, ProjectModel } from "../model/mod.ts";
import { ACCOUNT_MAILS, hasLink, MAIL_PLACEHOLDER } from "../model/mod.ts";
import type { TakenOver } from "./credentials/prove_account.ts";
import { CREDENTIALS } from "./credentials/credentials.ts";
import { firstCodePoints, htmlText } from "../lib/texts.ts";
import type { EmailMessage, EmailSender, Logger } from "../runtime/ports.ts";

interface MailDetails {
  readonly to: string;
  /** Proof that the message arrived: the link's token, the invitation's id, or the code. */
  readonly key: string;
  /** The account library's own link; an invitation and a code have none. */
  readonly url?: string;
  /** Of the placeholders that this message has beside the common ones. */
  readonly values: Readonly<Record<string, string>>;
}

interface BuiltIn {
  readonly subject: string;
  readonly text: string;
  /** The account route and what to send to it, for a project that names no page of an application. */
  readonly unlinked?: { readonly route: string; readonly text: string };
}

const BUILT_IN: Readonly<Record<AccountMail, BuiltIn>> = {
  invitation: {
    subject: "Invitation to {{organization}}",
    text: "{{inviter}} invites you to {{organization}} as {{role}}.\n\n" +
      "Sign in with this address and open this link to accept the invitation:\n\n{{url}}\n",
    unlinked: {
      route: "/organization/accept-invitation",
      text: "{{inviter}} invites you to {{organization}} as {{role}}.\n\n" +
        "Sign in with this address and accept the invitation {{id}}, " +
        'as "invitationId" to POST {{route}}\n',
    },
  },
  verifyEmail: {
    subject: "Confirm your e-mail address",
    text: "Open this link to confirm your e-mail address:\n\n{{url}}\n",
  },
  resetPassword: {
    subject: "Reset your password",
    text: "Open this link to choose a new password:\n\n{{url}}\n\n" +
      "If you did not ask for this, nothing needs to be done.\n",
    unlinked: {
      route: "/reset-password",
      text: 'Send this token with a new password, as "token" and "newPassword", ' +
        "to POST {{route}}\n\n{{token}}\n\n" +
        "If you did not ask for this, nothing needs to be done.\n",
    },
  },
  changeEmail: {
    subject: "Confirm your new e-mail address",
    text: "Open this link to use this address for your account from now on:\n\n{{url}}\n",
  },
  deleteAccount: {
    subject: "Delete your account",
    text: "Open this link, signed in, to delete your account:\n\n{{url}}\n\n" +
      "If you did not ask for this, change your password and end your sessions.\n",
  },
  magicLink: {
    subject: "Sign in to {{app}}",
    text: "Open this link to sign in to {{app}}. It works once, for five minutes:\n\n{{url}}\n\n" +
      "If you did not ask for this, nothing needs to be done.\n",
  },
  emailCode: {
    subject: "{{code}} is your code to sign in",
    text: "{{code}} is your code to sign in to {{app}}. It works once, for five minutes.\n\n" +
      "Tell it to nobody. If you did not ask for it, nothing needs to be done.\n",
  },
};

interface MailHost {
  readonly project: ProjectModel;
  readonly settings: { readonly baseUrl: string };
  readonly email: EmailSender;
}

/** Sends one of the messages that a project may word itself. */
export function sendMail(
  { project, settings: { baseUrl }, email }: MailHost,
  mail: AccountMail,
  details: MailDetails,
): Promise<void> {
  // The message, in the project's words where it has some.
  const { subject, text, unlinked } = BUILT_IN[mail];
  const url = linkOf(mail, details, project);
  const own: MailTemplate = project.email.templates?.[mail] ?? {};
  const route = baseUrl + CONTRACT_VERSIONS[project.contract].authBase + (unlinked?.route ?? "");
  const values = new Map(
    Object.entries({
      ...Object.fromEntries(
        Object.entries(details.values).map((
          [placeholder, value],
        ) => [placeholder, mailedName(value)]),
      ),
      ...(url === null ? {} : { url }),
      [ACCOUNT_MAILS[mail].key]: details.key,
      email: details.to,
      app: project.name,
      route,
    }),
  );
  const builtIn = url === null ? unlinked?.text ?? text : text;
  return email.send({
    to: details.to,
    subject: filled(subject, values, oneLine),
    text: filled(own.txt ?? builtIn, values, oneLine),
    ...(own.html === undefined ? {} : { html: filled(own.html, values, htmlText) }),
  });
}

/** The address that the client asked for, else the application's page, else the API itself; null where a browser could open nothing. */
function linkOf(
  mail: AccountMail,
  { key, url }: MailDetails,
  { email: { links } }: ProjectModel,
): string | null {
  if (!hasLink(mail)) return null;
  const own = url === undefined ? null : new URL(url);
  // The library has refused what is not trusted, and writes `/` where nothing was asked for.
  const asked = own?.searchParams.get("callbackURL") ?? "";
  if (own && asked !== "" && asked !== "/") return own.href;
  const { key: placeholder, opensAlone } = ACCOUNT_MAILS[mail];
  if (!links) {
    // The answer of the route itself says more than a page that may not be there.
    own?.searchParams.delete("callbackURL");
    return own && opensAlone ? own.href : null;
  }
  const path = links.paths[mail];
  if (path !== undefined) {
    return links.appUrl + path.replaceAll(`{${placeholder}}`, () => encodeURIComponent(key));
  }
  const page = own ?? new URL(links.appUrl);
  page.searchParams.set(own ? "callbackURL" : "invitationId", own ? links.appUrl : key);
  return page.href;
}

function filled(
  template: string,
  values: ReadonlyMap<string, string>,
  write: (value: string) => string,
): string {
  return template.replace(
    MAIL_PLACEHOLDER,
    (_whole, name: string) => write(values.get(name) ?? ""),
  );
}

/** Code points of a name that a mail shows. */
const NAME_MAX = 80;

/** A name as a mail shows it, older than the rule for names or not: one line, no address, not long. */
function mailedName(name: string): string {
  return firstCodePoints(plainName(name), NAME_MAX);
}

/** A name without what names of accounts may not hold. */
export function plainName(name: string): string {
  return oneLine(name.replaceAll("://", " ").replace(/[\p{Cc}\u2028\u2029]/gu, " "));
}

/** Names are chosen by users; a line break in one must not become a header or a paragraph of ours. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Sender for a host that brings none. */
export function defaultEmailSender({ email }: ProjectModel, logger: Logger): EmailSender {
  // A project that wants a mail server finds its messages nowhere else, because links in them are credentials.
  // `email.provider: "log"`: the message goes to the server's log, links included.
  return email.provider === "log"
    ? {
      send({ to, subject, text }) {
        logger.log({
          level: "info",
          message: `E-mail to ${to}: ${subject}`,
          fields: { to, subject, text },
        });
        return Promise.resolve();
      },
    }
    : {
      send({ subject }) {
        const message = "E-mail not sent: this host has no SMTP sender";
        logger.log({ level: "error", message, fields: { subject } });
        return Promise.resolve();
      },
    };
}

/** To the old address: whoever holds the session may be somebody else. */
export function addressChangeNotice(to: string, newAddress: string): EmailMessage {
  return {
    to,
    subject: "Your e-mail address is to be changed",
    text: `Your account is to have the address ${oneLine(newAddress)} from now on.\n\n` +
      "If you did not ask for this, change your password and end your sessions.\n",
  };
}

/** To the address that somebody has proved first: what the account had before, whoever made it, is gone. */
export function takeOverNotice(
  { name }: Pick<ProjectModel, "name">,
  { email, ended }: TakenOver,
): EmailMessage {
  const names = [...ended.keys()].map((kind) => `- ${CREDENTIALS[kind].name}\n`);
  return {
    to: email,
    subject: `Your account at ${oneLine(name)} is yours alone now`,
    text:
      `You have proved that ${oneLine(email)} is your address. The account with this address was ` +
      "made before that, by you or by somebody else. Whatever opened it until now is over:\n\n" +
      `${names.join("")}\n` +
      "Choose a new password if you want one. If you have not just signed in or reset your " +
      "password, somebody reads your mail: secure your mailbox first.\n",
  };
}
