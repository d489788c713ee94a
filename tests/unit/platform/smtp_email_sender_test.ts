/** Messages through a real mail server (definitions 2, `email.provider: "smtp"`). */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { configuredEmail, smtpEmailSender } from "../../../library/platform/smtp_email_sender.ts";
import { type MailServer, withMailServer } from "../../support/mail_server.ts";

const MESSAGE = {
  to: "anna@example.com",
  subject: "Confirm your address – now",
  text: "Hello Ännä\n.a line with a dot\nhttps://api.example.com/verify?token=abc=def&x=1\n",
};

interface Address {
  readonly user?: string;
  readonly query?: string;
  readonly scheme?: string;
}

function senderTo(
  { port }: MailServer,
  { user = "", query = "", scheme = "smtp" }: Address = {},
) {
  const url = `${scheme}://${user}127.0.0.1:${port}${query}`;
  return smtpEmailSender({ url, from: "noreply@example.com", fromName: "Büro, Example" });
}

/** Body of the message, as mail programs show it. */
function textOf(message: string): string {
  const body = message.slice(message.indexOf("\r\n\r\n") + 4);
  if (/^Content-Transfer-Encoding: base64/mi.test(message)) {
    return new TextDecoder().decode(Uint8Array.fromBase64(body.replace(/\s/g, "")));
  }
  const octets = body.replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return new TextDecoder().decode(Uint8Array.from(octets, (letter) => letter.charCodeAt(0)));
}

Deno.test("a message arrives as it was written, from whom the project says", async () => {
  await withMailServer({}, async (server) => {
    await senderTo(server).send(MESSAGE);
    const [mail] = server.delivered;
    assertEquals(server.delivered.length, 1);
    assertEquals([mail?.from, mail?.to], ["noreply@example.com", ["anna@example.com"]]);
    assertMatch(mail?.message ?? "", /^From: =\?UTF-8\?.*<noreply@example\.com>/m);
    assertMatch(mail?.message ?? "", /^To: anna@example\.com\r$/m);
    assertEquals(
      textOf(mail?.message ?? "").replaceAll("\r\n", "\n").trimEnd(),
      MESSAGE.text.trimEnd(),
    );
  });
});

Deno.test("an image arrives as a part of the message that its HTML shows", async () => {
  await withMailServer({}, async (server) => {
    const html = '<img src="cid:logo" alt="Example">';
    const images = [{ id: "logo", type: "image/png", data: "iVBORw0KGgo=" }];
    await senderTo(server).send({ ...MESSAGE, html, images });
    const message = server.delivered[0]?.message ?? "";
    assertMatch(message, /^Content-Type: multipart\/related/m);
    assertMatch(message, /^Content-Type: image\/png; name=logo\.png\r$/m);
    assertMatch(message, /^Content-Id: <logo>\r$/mi);
    assertMatch(message, /^Content-Disposition: inline/m);
    assertMatch(message, /^iVBORw0KGgo=\r$/m);
  });
});

Deno.test("a line break in a subject adds no header", async () => {
  await withMailServer({}, async (server) => {
    await senderTo(server).send({ ...MESSAGE, subject: "Hello\r\nBcc: eve@example.com" });
    assertEquals(server.delivered.map(({ to }) => to), [["anna@example.com"]]);
    assertEquals(/^Bcc:/mi.test(server.delivered[0]?.message ?? ""), false);
  });
});

Deno.test("a recipient is one address", async () => {
  const recipients = [
    "anna@example.com\r\nBcc: eve@example.com",
    "anna@example.com, eve@example.com",
    "anna@example.com;eve@example.com",
    "friends: anna@example.com, eve@example.com;",
    "Anna <anna@example.com>",
    "anna@example.com eve@example.com",
    "anna",
    "",
  ];
  await withMailServer({}, async (server) => {
    for (const to of recipients) {
      await assertRejects(() => senderTo(server).send({ ...MESSAGE, to }));
    }
    assertEquals(server.delivered, []);
  });
});

const TRUSTING = "?tls.rejectUnauthorized=false";

Deno.test("STARTTLS is used where the server offers it", async () => {
  await withMailServer({ startTls: true }, async (server) => {
    await senderTo(server, { query: TRUSTING }).send(MESSAGE);
    assertEquals(server.delivered.map(({ isSecure }) => isSecure), [true]);
  });
});

Deno.test("smtps begins with TLS", async () => {
  await withMailServer({ secure: true }, async (server) => {
    await senderTo(server, { scheme: "smtps", query: TRUSTING }).send(MESSAGE);
    assertEquals(server.delivered.map(({ isSecure }) => isSecure), [true]);
  });
});

for (
  const [scheme, options] of [["smtp", { startTls: true }], ["smtps", { secure: true }]] as const
) {
  Deno.test(`a server with a certificate that nobody knows gets nothing (${scheme})`, async () => {
    await withMailServer({ ...options, authentication: true }, async (server) => {
      await assertRejects(() => senderTo(server, { scheme, user: "mailer:secret@" }).send(MESSAGE));
      assertEquals([server.delivered.length, server.logins.length], [0, 0]);
    });
  });
}

Deno.test("a password is sent over TLS", async () => {
  await withMailServer({ startTls: true, authentication: true }, async (server) => {
    await senderTo(server, { user: "mailer:se%3Acret@", query: TRUSTING }).send(MESSAGE);
    assertEquals(server.delivered.map(({ isSecure, credentials }) => [isSecure, credentials]), [
      [true, ["mailer", "se:cret"]],
    ]);
  });
});

Deno.test("a password is not sent without TLS, unless the operator says so", async () => {
  await withMailServer({ authentication: true }, async (server) => {
    await assertRejects(() => senderTo(server, { user: "mailer:secret@" }).send(MESSAGE));
    assertEquals([server.delivered.length, server.logins.length], [0, 0]);
    const query = "?requireTLS=false";
    await senderTo(server, { user: "mailer:secret@", query }).send(MESSAGE);
    assertEquals(server.delivered.map(({ credentials }) => credentials), [["mailer", "secret"]]);
  });
});

Deno.test("a refused recipient is an error", async () => {
  await withMailServer({ refuses: true }, async (server) => {
    await assertRejects(() => senderTo(server).send(MESSAGE));
    assertEquals(server.delivered, []);
  });
});

Deno.test("a server that is not there is an error", async () => {
  const ports: number[] = [];
  await withMailServer({}, ({ port }) => Promise.resolve(void ports.push(port)));
  const url = `smtp://127.0.0.1:${ports[0]}`;
  const sender = smtpEmailSender({ url, from: "a@example.com", fromName: null });
  await assertRejects(() => sender.send(MESSAGE));
});

Deno.test("there is a sender only where the project wants one and the operator names a server", () => {
  const smtp = { provider: "smtp", from: "a@example.com", fromName: null } as const;
  const url = "smtp://mail.example.com";
  assertEquals(Object.keys(configuredEmail(smtp, url)), ["email"]);
  assertEquals(configuredEmail(smtp, null), {});
  assertEquals(configuredEmail({ ...smtp, from: null }, url), {});
  assertEquals(configuredEmail({ ...smtp, provider: "log" }, url), {});
});
