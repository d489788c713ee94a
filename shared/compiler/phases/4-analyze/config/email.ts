/** `email`: how messages leave, and where their links lead (definitions 2). */
import {
  ACCOUNT_MAILS,
  type AccountMail,
  type EmailModel,
  MAIL_NAMES,
  type MailLinks,
} from "../../../../model/email.ts";
import type { Value } from "../../values.ts";
import { readField, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, invalidValue, type Reader } from "../read/reader.ts";
import { readString } from "../read/scalars.ts";
import type { ConfigFields, EmailFields } from "./config_fields.ts";

export function readEmail(config: ConfigFields): EmailModel {
  const email = read(config, "email");
  const links = readLinks(email);
  return {
    provider: read(email, "provider"),
    from: read(email, "from") ?? null,
    fromName: read(email, "fromName") ?? null,
    ...(links ? { links } : {}),
  };
}

function readLinks(email: EmailFields): MailLinks | undefined {
  const said = read(email, "paths");
  const paths = MAIL_NAMES.flatMap((mail) => {
    const path = readField(said, mail, pathOf(mail));
    return path === undefined ? [] : [[mail, path] as const];
  });
  // Pages without an application that has them lead nowhere.
  const field = email.entries.has("paths") ? requireField : readField;
  const appUrl = field(email, "appUrl", readAppUrl);
  return appUrl === undefined ? undefined : { appUrl, paths: Object.fromEntries(paths) };
}

/** Refuses a query or fragment: it would end up in front of the page's path. */
function readAppUrl(value: Value, at: At): string | undefined {
  const text = readString(value, at);
  if (text === undefined) return undefined;
  const url = /^https?:\/\/[^\s*?#@\\]+$/.test(text) ? URL.parse(text) : null;
  return url
    ? url.href.replace(/\/+$/, "")
    : invalidValue(value, "a URL such as https://app.example.com, without ? or #", at);
}

/** Below the application's URL; the one placeholder of its message stands in it, and no other. */
function pathOf(mail: AccountMail): Reader<string> {
  const placeholder = `{${ACCOUNT_MAILS[mail].key}}`;
  return (value, at) => {
    const text = readString(value, at);
    if (text === undefined) return undefined;
    const isWhole = /^\/[^\s\\{}]*$/.test(text.replaceAll(placeholder, "x"));
    if (isWhole && text.includes(placeholder)) return text;
    return invalidValue(value, `a path with ${placeholder}, such as /page/${placeholder}`, at);
  };
}
