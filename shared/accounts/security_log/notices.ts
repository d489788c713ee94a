/** Notices that tell the holder of an account what happened to it (docs/decisions/accounts.md, "Security events"). */
import { type NoticeKind, NOTICES, type ProjectModel, shownName } from "../../model/mod.ts";
import type { EmailSender, Logger } from "../../runtime/ports.ts";
import { wordedMail } from "../account_mails.ts";
import type { DueNotice } from "./security_log.ts";

/** Texts that are sent when the project has none of its own. The origin of the act follows them. */
export const BUILT_IN_NOTICES: Readonly<
  Record<NoticeKind, { readonly subject: string; readonly text: string }>
> = {
  "sign-in": {
    subject: "Sign-in to {{app}} from a new device",
    text:
      "Somebody has signed in to your account at {{app}} from a device that was not there before.",
  },
  password: {
    subject: "Your password at {{app}} was changed",
    text: "The password of your account at {{app}} was changed.",
  },
  address: {
    subject: "Your e-mail address at {{app}} was changed",
    text: "Your account at {{app}} has another e-mail address from now on.",
  },
  key: {
    subject: "New API key at {{app}}",
    text: "A new API key acts for your account at {{app}}.",
  },
  grant: {
    subject: "An application may act for you at {{app}}",
    text: "An application was allowed to act for your account at {{app}}.",
  },
  passkey: {
    subject: "New passkey at {{app}}",
    text: "A new passkey opens your account at {{app}}.",
  },
};

const WHERE_FROM = "\n\nTime: {{at}}\nNetwork: {{address}}\nDevice: {{device}}\n\n" +
  "If that was not you, reset your password: that ends every session, key and grant.\n";

/**
 * Sends a notice in the background, so that a slow mail server fails no act. `languages` are those of the request that acted.
 */
export function sendNotice(
  { project, email, logger }: {
    readonly project: ProjectModel;
    readonly email: EmailSender;
    readonly logger: Logger;
  },
  notice: DueNotice,
  languages: string | null,
): void {
  const { kind, to, at, address, device } = notice;
  const { subject, text } = BUILT_IN_NOTICES[kind];
  const values = new Map(
    Object.entries({
      email: to,
      app: shownName(project),
      at,
      address: address ?? "unknown",
      device: device ?? "unknown",
    }),
  );
  const builtIn = { subject, text: text + WHERE_FROM };
  const message = wordedMail(project, { ...builtIn, mail: kind, to, languages, values });
  email.send(message).catch((error: unknown) =>
    logger.log({ level: "error", message: `Accounts: ${NOTICES[kind]} was not sent`, error })
  );
}
