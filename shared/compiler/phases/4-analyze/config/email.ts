/** `email`: how messages leave, and where their links lead (definitions 2, extensions 1). */
import {
  ACCOUNT_MAILS,
  type AccountMail,
  type EmailModel,
  MAIL_NAMES,
  type MailLinks,
} from "../../../../model/email.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readMember, requireField } from "../read/fields.ts";
import { type At, invalidValue, type Reader } from "../read/reader.ts";
import { matching, oneOf, readString } from "../read/scalars.ts";

export function readEmail(fields: Fields): EmailModel {
  const email = readMember(fields, "email", {
    keys: ["provider", "from", "fromName", "appUrl", "paths"],
  });
  const address = matching(/^[^\s@<>"]+@[^\s@<>"]+$/, "an email address");
  // A line break would start a header of its own.
  const oneLine = matching(/^[^\r\n]+$/, "a name on one line");
  const links = email && readLinks(email);
  return {
    provider: (email && readField(email, "provider", oneOf(["log", "smtp"]))) ?? "log",
    from: (email && readField(email, "from", address)) ?? null,
    fromName: (email && readField(email, "fromName", oneLine)) ?? null,
    ...(links ? { links } : {}),
  };
}

function readLinks(email: Fields): MailLinks | undefined {
  const read = readMember(email, "paths", { keys: MAIL_NAMES });
  const paths = MAIL_NAMES.flatMap((mail) => {
    const path = read && readField(read, mail, pathOf(mail));
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
