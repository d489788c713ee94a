/** The messages of accounts as they are sent: their links, and the project's texts or the built-in ones (definitions 6). */
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import { chosenLanguage } from "../lib/languages.ts";
import type { AccountMail, LinkedMail, PageText, ProjectModel, WordedMail } from "../model/mod.ts";
import { ACCOUNT_MAILS, hasLink, languagesWith, MAIL_PLACEHOLDER } from "../model/mod.ts";
import { PAGE_TEXTS, shownName } from "../model/mod.ts";
import { brandedHtml, type BrandedText, pngOf } from "./branded_mail.ts";
import type { TakenOver } from "./credentials/prove_account.ts";
import { CREDENTIALS } from "./credentials/credentials.ts";
import { firstCodePoints, htmlText } from "../lib/texts.ts";
import type { EmailMessage, EmailSender, Logger } from "../runtime/ports.ts";

interface MailDetails {
  readonly to: string;
  /** Values that prove the message arrived: the link's token, with an invitation's id beside it, or the code. */
  readonly keys: Readonly<Record<string, string>>;
  /** Pages that the client asked to be redirected to, as query parameters of the account library's own link. */
  readonly asked?: URLSearchParams;
  /** `Accept-Language` of the request that sends the message; null: it had none. */
  readonly languages: string | null;
  /** Values of the placeholders that only this message has. */
  readonly values: Readonly<Record<string, string>>;
}

interface BuiltIn {
  readonly subject: string;
  readonly text: string;
}

/** Texts that are sent when the project has none of its own. */
export const BUILT_IN_MAILS: Readonly<Record<AccountMail, BuiltIn>> = {
  invitation: {
    subject: "Invitation to {{organization}}",
    text: "{{inviter}} invites you to {{organization}} as {{role}}.\n\n" +
      "Sign in with this address and open this link to accept the invitation:\n\n{{url}}\n",
  },
  verifyEmail: {
    subject: "Confirm your e-mail address",
    text: "Open this link to confirm your e-mail address:\n\n{{url}}\n",
  },
  resetPassword: {
    subject: "Reset your password",
    text: "Open this link to choose a new password:\n\n{{url}}\n\n" +
      "If you did not ask for this, nothing needs to be done.\n",
  },
  changeEmail: {
    subject: "Confirm your new e-mail address",
    text: "Open this link to use this address for your account from now on:\n\n{{url}}\n",
  },
  deleteAccount: {
    subject: "Delete your account",
    text: "Open this link to delete your account:\n\n{{url}}\n\n" +
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
export function sendMail(host: MailHost, mail: AccountMail, details: MailDetails): Promise<void> {
  const { project, email } = host;
  const values = new Map(
    Object.entries({
      // A name becomes one line without an address, also if it is older than the rule for names.
      ...Object.fromEntries(
        Object.entries(details.values).map((
          [placeholder, value],
        ) => [placeholder, firstCodePoints(plainName(value), NAME_MAX)]),
      ),
      ...(hasLink(mail) ? { url: linkOf(mail, details, host) } : {}),
      ...details.keys,
      email: details.to,
      app: shownName(project),
    }),
  );
  const { to, languages } = details;
  const button = hasLink(mail) ? { button: `${mail}.button` as const } : {};
  const wanted = { ...BUILT_IN_MAILS[mail], ...button, mail, to, languages, values };
  return email.send(wordedMail(project, wanted));
}

/** Returns the `Accept-Language` of the request that sends a message. */
export function languagesOf(
  request: { readonly headers?: Headers | undefined } | undefined,
): string | null {
  return request?.headers?.get("accept-language") ?? null;
}

/** Returns a message in the project's texts if it has some, in the requested language, with its values filled in. */
export function wordedMail(
  project: ProjectModel,
  { mail, to, languages, values, button, ...builtIn }: BuiltIn & {
    readonly mail: WordedMail;
    readonly to: string;
    /** `Accept-Language`. */
    readonly languages: string | null;
    readonly values: ReadonlyMap<string, string>;
    /** Label of the page's button that follows the link. */
    readonly button?: PageText;
  },
): EmailMessage {
  const { email } = project;
  const worded = languagesWith(email, ({ templates }) => templates?.[mail] !== undefined);
  const language = chosenLanguage(languages, worded);
  const texts = language === null ? email : email.languages?.[language] ?? {};
  const own = texts.templates?.[mail] ?? {};
  const message = {
    to,
    subject: filled(own.subject ?? builtIn.subject, values, oneLine),
    text: filled(own.txt ?? builtIn.text, values, oneLine),
  };
  const url = values.get("url");
  const link = url === undefined || button === undefined ? {} : {
    link: { url, label: texts.pages?.[button] ?? email.pages?.[button] ?? PAGE_TEXTS[button] },
  };
  return own.html === undefined
    ? withFace(project, message, { language: language ?? "en", ...link })
    : withLogo(project, { ...message, html: filled(own.html, values, htmlText) });
}

/** Adds the project's name or logo to a message. Without either the message stays as it is. */
function withFace(
  project: Pick<ProjectModel, "name" | "branding">,
  message: EmailMessage,
  { language = "en", link }: Partial<Pick<BrandedText, "language" | "link">> = {},
): EmailMessage {
  const { branding } = project;
  if (branding === undefined) return message;
  const { subject, text } = message;
  const face = { branding, app: shownName(project), language, subject, text };
  const html = brandedHtml({ ...face, ...(link === undefined ? {} : { link }) });
  return withLogo(project, { ...message, html });
}

/** Adds the project's logo as an inline part, where the HTML of the message shows it as `cid:logo`. */
function withLogo(
  { branding = {} }: Pick<ProjectModel, "branding">,
  message: EmailMessage,
): EmailMessage {
  const image = pngOf(branding);
  const isShown = image !== null && message.html?.includes(`cid:${image.id}`);
  return isShown ? { ...message, images: [image] } : message;
}

/** Parameters with the client's pages that a link may lead to in the end. */
const ASKED = ["callbackURL", "newUserCallbackURL", "errorCallbackURL"] as const;

/**
 * Returns where a message's link leads (decisions/accounts.md): to the application's page that the project names, else to the
 * API's own page. That page continues to the page that the client asked for, else to the application.
 */
function linkOf(
  mail: LinkedMail,
  { keys, asked }: MailDetails,
  { project: { contract, email: { links } }, settings: { baseUrl } }: MailHost,
): string {
  // The library has already refused untrusted pages. It writes `/` when the client asked for none.
  const wanted = ASKED.flatMap((name) => {
    const page = asked?.get(name) ?? "";
    return page === "" || page === "/" ? [] : [[name, page] as const];
  });
  const path = links?.paths[mail];
  if (links && path !== undefined && wanted.length === 0) {
    const put = (text: string, [name, key]: readonly [string, string]) =>
      text.replaceAll(`{${name}}`, () => encodeURIComponent(key));
    return links.appUrl + Object.entries(keys).reduce(put, path);
  }
  const token = keys["token"] ?? "";
  const own = ACCOUNT_MAILS[mail].link.path;
  const page = new URL(
    baseUrl + CONTRACT_VERSIONS[contract].authBase +
      own.replace(":token", encodeURIComponent(token)),
  );
  const { id } = keys;
  if (id !== undefined) page.searchParams.set("invitationId", id);
  if (!own.includes(":token")) page.searchParams.set("token", token);
  for (const [name, value] of wanted) page.searchParams.set(name, value);
  if (links && wanted.length === 0) page.searchParams.set("callbackURL", links.appUrl);
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

/** Most code points of a name that a mail shows. */
const NAME_MAX = 80;

/** Returns a name without the characters that names of accounts may not contain. */
export function plainName(name: string): string {
  return oneLine(name.replaceAll("://", " ").replace(/[\p{Cc}\u2028\u2029]/gu, " "));
}

/** Removes line breaks. Users choose names, and a line break must not become a header or a paragraph of ours. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns the host's sender, or a default for a host without one. With `none` the default neither sends nor logs. */
export function emailSenderOf(
  { email }: ProjectModel,
  { email: sender, logger }: { readonly email?: EmailSender; readonly logger: Logger },
): EmailSender {
  if (email.provider === "none") return { send: () => Promise.resolve() };
  if (sender !== undefined) return sender;
  // Links are credentials, so only `email.provider: "log"` writes them to the server's log. A project that wants a mail server
  // gets no copy there.
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

/** Makes the notice to the old address, since the holder of the session may be somebody else. */
export function addressChangeNotice(
  project: Pick<ProjectModel, "name" | "branding">,
  to: string,
  newAddress: string,
): EmailMessage {
  return withFace(project, {
    to,
    subject: "Your e-mail address is to be changed",
    text: `Your account is to have the address ${oneLine(newAddress)} from now on.\n\n` +
      "If you did not ask for this, change your password and end your sessions.\n",
  });
}

/** Makes the notice to an address that was just proved for the first time: all that the account had before is gone. */
export function takeOverNotice(
  project: Pick<ProjectModel, "name" | "branding">,
  { email, ended }: TakenOver,
): EmailMessage {
  const names = [...ended.keys()].map((kind) => `- ${CREDENTIALS[kind].name}\n`);
  return withFace(project, {
    to: email,
    subject: `Your account at ${oneLine(shownName(project))} is yours alone now`,
    text:
      `You have proved that ${oneLine(email)} is your address. The account with this address was ` +
      "made before that, by you or by somebody else. Whatever opened it until now is over:\n\n" +
      `${names.join("")}\n` +
      "Choose a new password if you want one. If you have not just signed in or reset your " +
      "password, somebody reads your mail: secure your mailbox first.\n",
  });
}
