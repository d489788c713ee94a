/** Sends messages over SMTP (definitions 2, `email.provider: "smtp"`). */
import type { EmailSender } from "../../shared/runtime/ports.ts";

export interface SmtpOptions {
  /**
   * `smtp://user:password@host:587`, which begins TLS with STARTTLS, or `smtps://…` for TLS from the first byte. A password
   * is sent over TLS only, unless the address says `?requireTLS=false`.
   */
  readonly url: string;
  readonly from: string;
  readonly fromName: string | null;
}

/** The sender as a dependency of accounts; absent where the project does not want a mail server, or none is named. */
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

/** The library is loaded by the first message. */
export function smtpEmailSender({ url, from, fromName }: SmtpOptions): EmailSender {
  return {
    async send({ to, subject, text, html, images = [] }) {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        // What the address says by its query goes before what stands here.
        url,
        requireTLS: (URL.parse(url)?.password ?? "") !== "",
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        // A message is text that we wrote: it reads no file and fetches no address.
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
