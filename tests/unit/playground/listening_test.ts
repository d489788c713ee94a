/** The playground over the wire: where it listens, and whom it answers before anything is loaded or read. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Playground } from "../../../playground/mod.ts";
import { TOKEN_HEADER } from "../../../playground/protocol.ts";
import { freePort } from "../../support/free_port.ts";

Deno.test("it listens on loopback only, on the first port that is free", async () => {
  await using first = opened(freePort());
  await using second = opened(first.port);
  assert(second.port > first.port);
  const others = Deno.networkInterfaces().filter(({ family, address }) =>
    family === "IPv4" && !address.startsWith("127.")
  );
  for (const { address: hostname } of others) {
    const connected = await Deno.connect({ hostname, port: first.port }).catch(() => null);
    connected?.close();
    assertEquals(connected, null);
  }
});

Deno.test("its address holds a token of its own run", async () => {
  await using first = opened(freePort());
  await using second = opened(freePort());
  const tokens = [first, second].map(({ url }) => new URL(url).hash.slice(1));
  assertEquals(tokens.map((token) => /^[0-9a-f]{48}$/.test(token)), [true, true]);
  assert(tokens[0] !== tokens[1]);
  const page = await (await fetch(first.url)).text();
  assertEquals(tokens.filter((token) => page.includes(token)), []);
});

Deno.test("a name that was made to lead here gets nothing, not even the page", async () => {
  await using playground = opened(freePort());
  for (const path of ["/", "/page.js", "/page.css", "/project"]) {
    for (const host of ["evil.example", `evil.example:${playground.port}`, "127.0.0.1", ""]) {
      const answer = await raw(playground.port, `GET ${path} HTTP/1.1\r\nHost: ${host}`);
      assertStringIncludes(answer.split("\r\n")[0] ?? "", host === "" ? " 4" : " 421 ");
    }
  }
  const answer = await raw(playground.port, `GET / HTTP/1.1\r\nHost: localhost:${playground.port}`);
  assertStringIncludes(answer, "HTTP/1.1 200");
});

Deno.test("a preflight of another page is not answered with a permission", async () => {
  await using playground = opened(freePort());
  const answer = await fetch(`http://127.0.0.1:${playground.port}/files/quickback/lib/x.ts`, {
    method: "OPTIONS",
    headers: {
      origin: "https://evil.example",
      "access-control-request-method": "PUT",
      "access-control-request-headers": TOKEN_HEADER,
    },
  });
  await answer.body?.cancel();
  assertEquals(answer.status, 403);
  assertEquals([...answer.headers.keys()].filter((name) => name.startsWith("access-")), []);
});

function opened(port: number) {
  const playground = Playground.open({
    port,
    project: {
      name: "none",
      folder: "/nowhere",
      read: () => Promise.resolve({ unreadable: "There is none" }),
      declared: () => Promise.resolve({}),
    },
    library: () => Promise.reject(new Error("There is none")),
    host: () => Promise.reject(new Error("There is none")),
    cache: null,
    development: {
      stored: () => Promise.resolve({}),
      reset: () => Promise.resolve(),
      seed: () => Promise.resolve(""),
    },
    log: () => {},
  });
  if (playground === null) throw new Error("No port is free");
  const { url } = playground;
  return {
    url,
    port: Number(new URL(url).port),
    [Symbol.asyncDispose]: () => playground.close(),
  };
}

/** Sends the head as it is: `fetch` would set `Host` itself. */
async function raw(port: number, head: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(`${head}\r\nConnection: close\r\n\r\n`));
  return await new Response(connection.readable).text();
}
