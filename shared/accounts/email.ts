/** The messages that accounts send, and where they go without a mail server (definitions 2, `email`). */
import type { ProjectModel } from "../model/project.ts";
import type { EmailMessage, EmailSender, Logger } from "../runtime/ports.ts";

/** What stands in when the host brings no sender. */
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

export function verificationMessage(to: string, url: string): EmailMessage {
  return {
    to,
    subject: "Confirm your e-mail address",
    text: `Open this link to confirm your e-mail address:\n\n${url}\n`,
  };
}

/** To the new address: it counts from here on. */
export function addressChangeMessage(to: string, url: string): EmailMessage {
  return {
    to,
    subject: "Confirm your new e-mail address",
    text: `Open this link to use this address for your account from now on:\n\n${url}\n`,
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

export function deletionMessage(to: string, url: string): EmailMessage {
  return {
    to,
    subject: "Delete your account",
    text: `Open this link, signed in, to delete your account:\n\n${url}\n\n` +
      "If you did not ask for this, change your password and end your sessions.\n",
  };
}

export function passwordResetMessage(to: string, url: string): EmailMessage {
  return {
    to,
    subject: "Reset your password",
    text: `Open this link to choose a new password:\n\n${url}\n\n` +
      "If you did not ask for this, nothing needs to be done.\n",
  };
}

interface InvitationDetails {
  readonly id: string;
  readonly organization: string;
  readonly inviter: string;
  readonly role: string;
}

export function invitationMessage(to: string, details: InvitationDetails): EmailMessage {
  const { id, organization, inviter, role } = details;
  return {
    to,
    subject: `Invitation to ${oneLine(organization)}`,
    text: `${oneLine(inviter)} invites you to ${oneLine(organization)} as ${role}.\n\n` +
      `Sign in with this address and accept the invitation ${id}.\n`,
  };
}

/** Names are chosen by users; a line break in one must not become a header or a paragraph of ours. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
