/** `email`: how messages leave, and where their links lead (definitions 2). */
import type { PlatformName } from "../../../../contract/mod.ts";
import { ACCOUNT_MAILS, type EmailModel, LINKED_MAILS } from "../../../../model/mod.ts";
import { invalidValue, read, readField, readString, requireField } from "../read/mod.ts";
import type { ConfigFields } from "./config_fields.ts";

export function readEmail(config: ConfigFields, runtime: PlatformName): EmailModel {
  const email = read(config, "email");
  const said = read(email, "paths");
  const paths = LINKED_MAILS.flatMap((mail) => {
    // Below the application's URL; a placeholder of its message stands in it, and no other.
    const placeholders = ACCOUNT_MAILS[mail].keys.map((key) => `{${key}}`);
    const path = readField(said, mail, (value, at) => {
      const text = readString(value, at);
      if (text === undefined) return undefined;
      const filled = placeholders.reduce((path, one) => path.replaceAll(one, "x"), text);
      if (filled !== text && /^\/[^\s\\{}]*$/.test(filled)) return text;
      const example = placeholders.at(-1) ?? "";
      const wanted = `a path with ${placeholders.join(" or ")}, such as /page/${example}`;
      return invalidValue(value, wanted, at);
    });
    return path === undefined ? [] : [[mail, path] as const];
  });
  // Pages without an application that has them lead nowhere.
  const field = email.entries.has("paths") ? requireField : readField;
  // Refuses a query or fragment: it would end up in front of the page's path.
  const appUrl = field(email, "appUrl", (value, at) => {
    const text = readString(value, at);
    if (text === undefined) return undefined;
    const url = /^https?:\/\/[^\s*?#@\\]+$/.test(text) ? URL.parse(text) : null;
    return url
      ? url.href.replace(/\/+$/, "")
      : invalidValue(value, "a URL such as https://app.example.com, without ? or #", at);
  });
  const links = appUrl === undefined ? undefined : { appUrl, paths: Object.fromEntries(paths) };
  const notices = read(email, "notices");
  return {
    // A worker has no mail server, and nobody reads its log as a mailbox.
    provider: runtime === "cloudflare" && !email.entries.has("provider")
      ? "none"
      : read(email, "provider"),
    from: read(email, "from") ?? null,
    fromName: read(email, "fromName") ?? null,
    ...(links ? { links } : {}),
    ...(notices === undefined ? {} : { notices }),
  };
}
