/** The destination of messages without a mail server (definitions 2, `email`), and the one message without a link. */
import { oneLine } from "./account_mails.ts";
import type { ProjectModel } from "../model/project.ts";
import type { EmailMessage, EmailSender, Logger } from "../runtime/ports.ts";

/** Sender for a host that brings none. */
export function defaultEmailSender({ email }: ProjectModel, logger: Logger): EmailSender {
  return email.provider === "log" ? logEmailSender(logger) : unsentEmails(logger);
}

/** A project that wants a mail server finds its messages nowhere else: links in them are credentials. */
function unsentEmails(logger: Logger): EmailSender {
  return {
    send({ subject }) {
      const message = "E-mail not sent: this host has no SMTP sender";
      logger.log({ level: "error", message, fields: { subject } });
      return Promise.resolve();
    },
  };
}

/** `email.provider: "log"`: the message goes to the server's log, links included. */
function logEmailSender(logger: Logger): EmailSender {
  return {
    send({ to, subject, text }) {
      logger.log({
        level: "info",
        message: `E-mail to ${to}: ${subject}`,
        fields: { to, subject, text },
      });
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
