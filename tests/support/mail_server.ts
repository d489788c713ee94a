/** A mail server on a port of its own: keeps what it is given. */
import { SMTPServer } from "smtp-server";

export interface Delivered {
  readonly from: string;
  readonly to: readonly string[];
  readonly isSecure: boolean;
  /** User and password, when the client authenticated. */
  readonly credentials: readonly string[] | null;
  readonly message: string;
}

export interface MailServer {
  readonly port: number;
  readonly delivered: readonly Delivered[];
  /** Every attempt to authenticate. */
  readonly logins: readonly (readonly string[])[];
}

export interface MailServerOptions {
  /** Offers STARTTLS, with a certificate that nobody knows. */
  readonly startTls?: boolean;
  /** TLS from the first byte, with the same certificate. */
  readonly secure?: boolean;
  readonly authentication?: boolean;
  /** Refuses every recipient. */
  readonly refuses?: boolean;
}

/** Gives the body a running server. */
export async function withMailServer(
  options: MailServerOptions,
  body: (server: MailServer) => Promise<void>,
): Promise<void> {
  const delivered: Delivered[] = [];
  const logins: (readonly string[])[] = [];
  const { startTls = false, secure = false, authentication = false, refuses = false } = options;
  const server = new SMTPServer({
    secure,
    disabledCommands: [...(startTls ? [] : ["STARTTLS"]), ...(authentication ? [] : ["AUTH"])],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      logins.push([username ?? "", password ?? ""]);
      done(null, { user: { username, password } });
    },
    onRcptTo(_address, _session, done) {
      done(refuses ? new Error("No such mailbox") : null);
    },
    onData(stream, session, done) {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => void chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        delivered.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }: { readonly address: string }) => address),
          isSecure: session.secure,
          credentials: logins.at(-1) ?? null,
          message: new TextDecoder().decode(Uint8Array.from(chunks.flatMap((part) => [...part]))),
        });
        done();
      });
    },
  });
  // A client that leaves in the middle of a handshake is part of some tests.
  server.on("error", () => undefined);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  try {
    const address = server.server.address();
    if (address === null || typeof address === "string") throw new Error("There is no port");
    await body({ port: address.port, delivered, logins });
  } finally {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    await closed.promise;
  }
}
