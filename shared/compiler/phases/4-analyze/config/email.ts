/** Reads `email`: the provider that sends messages, and the pages that their links lead to (definitions 2). */
import type { PlatformName } from "../../../../contract/mod.ts";
import { type EmailModel, LINKED_MAILS } from "../../../../model/mod.ts";
import { requireKey } from "../read/fields.ts";
import { read } from "../read/mod.ts";
import type { ConfigFields } from "./config_fields.ts";

export function readEmail(config: ConfigFields, runtime: PlatformName): EmailModel {
  const email = read(config, "email");
  const said = read(email, "paths");
  const paths = LINKED_MAILS.flatMap((mail) => {
    const path = read(said, mail);
    return path === undefined ? [] : [[mail, path] as const];
  });
  // Paths of pages need the application that has the pages.
  if (email.entries.has("paths")) requireKey(email, "appUrl");
  const appUrl = read(email, "appUrl");
  const links = appUrl === undefined ? undefined : { appUrl, paths: Object.fromEntries(paths) };
  const notices = read(email, "notices");
  return {
    // A worker has no mail server, and its log does not serve as a mailbox.
    provider: runtime === "cloudflare" && !email.entries.has("provider")
      ? "none"
      : read(email, "provider"),
    from: read(email, "from") ?? null,
    fromName: read(email, "fromName") ?? null,
    ...(links ? { links } : {}),
    ...(notices === undefined ? {} : { notices }),
  };
}
