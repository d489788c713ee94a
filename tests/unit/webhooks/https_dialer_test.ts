/** The dialer over TLS: which name it proves, where it connects, and what a hostile endpoint can make it do (contract 8.2). */
import https from "node:https";
import net from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { assertEquals } from "@std/assert";
import { pinnedDialer } from "../../../library/platform/webhooks/pinned_dialer.ts";
import type { DialOutcome, DialRequest } from "../../../shared/runtime/ports.ts";
import {
  type Authority,
  type Certificate,
  makeAuthority,
  openssl,
} from "../../support/certificates.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const UNREACHED: DialOutcome = { kind: "failed", reason: "The endpoint could not be reached" };
const TOO_LONG: DialOutcome = { kind: "failed", reason: "The endpoint took too long" };
const NAME = "hooks.example.com";

interface Seen {
  readonly serverName: unknown;
  readonly host: string | undefined;
  readonly path: string | undefined;
  readonly body: string;
  readonly encoding: string | undefined;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

function tlsTest(name: string, body: (authority: Authority) => Promise<void>): void {
  Deno.test({
    name,
    ignore: openssl() === null,
    fn: () => withTempFolder(async (folder) => await body(await makeAuthority(folder))),
  });
}

const thanks: Answer = (_request, response) => void response.writeHead(200).end("thanks");

tlsTest(
  "the URL's name is proven, in SNI and in Host, at the address that passed the check",
  async (authority) => {
    const certificate = await authority.certificateFor(`DNS:${NAME}`);
    await withTlsServer(certificate, thanks, async ({ port, seen }) => {
      const outcome = await dial(authority, { url: `https://${NAME}:${port}/in?a=b` });
      assertEquals(outcome, answered(200, "thanks"));
      assertEquals(seen, [{
        serverName: NAME,
        host: `${NAME}:${port}`,
        path: "/in?a=b",
        body: '{"ü":1}',
        encoding: "identity",
      }]);
    });
  },
);

tlsTest("a name with the dot of the root is proven without it", async (authority) => {
  const certificate = await authority.certificateFor(`DNS:${NAME}`);
  await withTlsServer(certificate, thanks, async ({ port, seen }) => {
    const outcome = await dial(authority, { url: `https://${NAME}.:${port}/` });
    assertEquals(outcome, answered(200, "thanks"));
    assertEquals(seen.map(({ serverName }) => serverName), [NAME]);
  });
});

tlsTest(
  "a certificate for another name, another authority or an address is refused",
  async (authority) => {
    await withTempFolder(async (folder) => {
      const stranger = await makeAuthority(folder);
      const certificates = [
        await authority.certificateFor("DNS:other.example.com"),
        await authority.certificateFor("DNS:*.hooks.example.com"),
        await authority.certificateFor("IP:127.0.0.1"),
        await stranger.certificateFor(`DNS:${NAME}`),
      ];
      for (const certificate of certificates) {
        await withTlsServer(certificate, thanks, async ({ port, seen }) => {
          assertEquals(await dial(authority, { url: `https://${NAME}:${port}/` }), UNREACHED);
          assertEquals(seen, []);
        });
      }
    });
  },
);

tlsTest("without its authority's certificate nobody is trusted", async (authority) => {
  const certificate = await authority.certificateFor(`DNS:${NAME}`);
  await withTlsServer(certificate, thanks, async ({ port, seen }) => {
    const url = `https://${NAME}:${port}/`;
    assertEquals(await pinnedDialer().post(requestTo({ url })), UNREACHED);
    assertEquals(seen, []);
  });
});

tlsTest("an address in the URL is proven as an address", async (authority) => {
  const certificate = await authority.certificateFor("IP:127.0.0.1");
  await withTlsServer(certificate, thanks, async ({ port }) => {
    assertEquals(
      await dial(authority, { url: `https://127.0.0.1:${port}/` }),
      answered(200, "thanks"),
    );
  });
});

tlsTest("a redirect is told and not followed, whatever it names", async (authority) => {
  const certificate = await authority.certificateFor(`DNS:${NAME}`);
  for (const location of ["https://127.0.0.1/", "http://169.254.169.254/latest", "/again", "//x"]) {
    const redirect: Answer = (_request, response) =>
      void response.writeHead(307, { location }).end();
    await withTlsServer(certificate, redirect, async ({ port, seen }) => {
      const outcome = await dial(authority, { url: `https://${NAME}:${port}/` });
      assertEquals(outcome, { ...answered(307, ""), location });
      assertEquals(seen.length, 1);
    });
  }
});

tlsTest("no more of an answer is read than asked for; Retry-After is told", async (authority) => {
  const certificate = await authority.certificateFor(`DNS:${NAME}`);
  const endless: Answer = (_request, response) => {
    response.writeHead(503, { "retry-after": "120" });
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(1024)));
    };
    response.on("drain", more);
    more();
  };
  await withTlsServer(certificate, endless, async ({ port }) => {
    const outcome = await dial(authority, { url: `https://${NAME}:${port}/`, maxBytes: 4000 });
    assertEquals(outcome, { ...answered(503, "x".repeat(4000)), retryAfter: "120" });
  });
});

tlsTest(
  "an endpoint that drips its headers or its body, one byte at a time, costs no more than the timeout",
  async (authority) => {
    const certificate = await authority.certificateFor(`DNS:${NAME}`);
    const drips: readonly Answer[] = [
      (_request, response) => drip(response, "HTTP/1.1 200 OK\r\nx-a: b"),
      (_request, response) => {
        response.writeHead(200);
        dripBody(response);
      },
    ];
    for (const answer of drips) {
      await withTlsServer(certificate, answer, async ({ port }) => {
        const outcome = await dial(authority, { url: `https://${NAME}:${port}/`, timeout: 300 });
        // It would drip on for ever.
        assertEquals(outcome, TOO_LONG);
      });
    }
  },
);

Deno.test("an endpoint that never ends its handshake, or answers something that is no TLS, fails", async () => {
  const silent = await withTcpServer(
    () => {},
    (port) => pinnedDialer().post(requestTo({ url: `https://${NAME}:${port}/`, timeout: 200 })),
  );
  assertEquals(silent, TOO_LONG);
  for (
    const bytes of [
      "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
      "\x15\x03\x01\x00\x02\x02\x28",
      "\0".repeat(64),
    ]
  ) {
    const outcome = await withTcpServer(
      (socket) => socket.end(bytes),
      (port) => pinnedDialer().post(requestTo({ url: `https://${NAME}:${port}/` })),
    );
    assertEquals(outcome, UNREACHED, JSON.stringify(bytes));
  }
});

const MALFORMED: readonly string[] = [
  "",
  "HTTP/1.1",
  "nonsense\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
  `HTTP/1.1 200 OK\r\nx: ${"a".repeat(2_000_000)}\r\n\r\n`,
  "HTTP/1.1 99999 Odd\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

for (const bytes of MALFORMED) {
  Deno.test(`an answer that is no HTTP is no answer: ${JSON.stringify(bytes.slice(0, 40))}`, async () => {
    const outcome = await withTcpServer(
      (socket) => socket.once("data", () => socket.end(bytes)),
      (port) => pinnedDialer().post(requestTo({ url: `http://${NAME}:${port}/`, timeout: 1000 })),
    );
    assertEquals(outcome.kind, "failed");
  });
}

Deno.test("an endpoint that changes the protocol has answered, and costs no more time", async () => {
  const bytes =
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nanything";
  const outcome = await withTcpServer(
    (socket) => socket.once("data", () => socket.write(bytes)),
    (port) => pinnedDialer().post(requestTo({ url: `http://${NAME}:${port}/` })),
  );
  assertEquals(outcome, answered(101, ""));
});

Deno.test("interim answers are passed over, and no connection is kept for the next call", async () => {
  const connections = new Set<net.Socket>();
  const server = (socket: net.Socket) => {
    connections.add(socket);
    socket.on("data", () =>
      socket.write(
        "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok",
      ));
  };
  await withTcpServer(server, async (port) => {
    for (let at = 0; at < 2; at += 1) {
      const outcome = await pinnedDialer().post(requestTo({ url: `http://${NAME}:${port}/` }));
      assertEquals(outcome, answered(200, "ok"));
    }
  });
  assertEquals(connections.size, 2);
});

function answered(status: number, body: string): DialOutcome & { readonly kind: "answered" } {
  return { kind: "answered", status, location: null, retryAfter: null, body };
}

function dial(authority: Authority, request: Partial<DialRequest>): Promise<DialOutcome> {
  return pinnedDialer({ ca: authority.ca }).post(requestTo(request));
}

function requestTo(request: Partial<DialRequest>): DialRequest {
  return {
    url: `https://${NAME}/`,
    address: "127.0.0.1",
    headers: { "content-type": "application/json" },
    body: '{"ü":1}',
    timeout: 120_000,
    maxBytes: 4096,
    ...request,
  };
}

interface TlsServerUnderTest {
  readonly port: number;
  readonly seen: readonly Seen[];
}

async function withTlsServer(
  certificate: Certificate,
  answer: Answer,
  body: (server: TlsServerUnderTest) => Promise<void>,
): Promise<void> {
  const seen: Seen[] = [];
  const server = https.createServer({ ...certificate }, (request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("error", () => {});
    response.on("error", () => {});
    request.on("end", () => {
      const { socket, headers, url } = request;
      seen.push({
        serverName: "servername" in socket ? socket.servername : null,
        host: headers.host,
        path: url,
        body: new TextDecoder().decode(Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))),
        encoding: headers["accept-encoding"]?.toString(),
      });
      answer(request, response);
    });
  });
  server.on("tlsClientError", () => {});
  await listening(server);
  try {
    await body({ port: portOf(server), seen });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function withTcpServer<T>(
  connected: (socket: net.Socket) => void,
  body: (port: number) => Promise<T>,
): Promise<T> {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    connected(socket);
  });
  await listening(server);
  try {
    return await body(portOf(server));
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

function listening(server: TcpServer): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function portOf(server: TcpServer): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

/** Raw bytes in the place of an answer, one every few milliseconds. */
function drip(response: ServerResponse, text: string): void {
  const socket = response.socket;
  let at = 0;
  const timer = setInterval(() => {
    if (!socket || socket.destroyed) return clearInterval(timer);
    socket.write(text[at % text.length] ?? "x");
    at += 1;
  }, 20);
}

function dripBody(response: ServerResponse): void {
  const timer = setInterval(() => {
    if (response.destroyed) return clearInterval(timer);
    response.write("x");
  }, 20);
}
