/** Sends mails over SMTP (definitions 2, `email.provider: "smtp"`). */
import type { EmailSender } from "../../shared/runtime/ports.ts";

export interface SmtpOptions {
  /**
   * `smtp://user:password@host:587`, which starts TLS by STARTTLS, or `smtps://…` for TLS from the first byte. A password is
   * sent over TLS only, unless the URL has `?requireTLS=false`.
   */
  readonly url: string;
  readonly from: string;
  readonly fromName: string | null;
}

/** Returns the sender of mails for accounts. Absent: the project does not use a mail server, or none is set. */
export function configuredEmail(
  project: Pick<SmtpOptions, "fromName"> & {
    readonly provider: string;
    readonly from: string | null;
  },
  smtpUrl: string | null,
): { readonly email?: EmailSender } {
  const { provider, from, fromName } = project;
  if (provider !== "smtp" || from === null || smtpUrl === null) return {};
  return { email: smtpEmailSender({ url: smtpUrl, from, fromName }) };
}

const TIMEOUT_MS = 10_000;

/** Makes the sender. The first mail loads the library. */
export function smtpEmailSender({ url, from, fromName }: SmtpOptions): EmailSender {
  return {
    async send({ to, subject, text, html, images = [] }) {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        // Values of the URL's query override these.
        url,
        requireTLS: (URL.parse(url)?.password ?? "") !== "",
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        // A mail must not read files or fetch URLs.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const sender = fromName === null ? from : { name: fromName, address: from };
      try {
        const parts = html === undefined ? { text } : { text, html };
        if (!/^[^\s,;:<>()"]+@[^\s,;:<>()"@]+$/.test(to)) {
          throw new Error("A message has one recipient, a plain address");
        }
        const attachments = images.map(({ id, type, data }) => ({
          cid: id,
          content: data,
          encoding: "base64",
          contentType: type,
          contentDisposition: "inline" as const,
          filename: `${id}.${type.slice(type.indexOf("/") + 1)}`,
        }));
        await transport.sendMail({ from: sender, to: to, subject, ...parts, attachments });
      } finally {
        transport.close();
      }
    },
  };
}
