/** Files of records in a bucket (contract 4.7, definitions 8): a server of that protocol, small files and parted ones. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHash, createHmac } from "node:crypto";
import { s3Store } from "../../library/platform/files/s3_store.ts";
import { openFiles, readEnvironment } from "../../library/platform/mod.ts";
import { type FileStore, StorageUnavailableError } from "../../shared/runtime/mod.ts";
import { bucketServer } from "../support/bucket_server.ts";
import { openPapers } from "../support/killed_upload.ts";
import { schemaOf } from "../support/model_database.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const MIB = 1024 * 1024;

async function withStore(
  body: (store: FileStore, folder: string) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withTempFolder(async (folder) => {
    await using server = await bucketServer(`${folder}/bucket`);
    const variables = { ...server.variables, PORT: "8000", AUTH_SECRET: "x".repeat(32), ...more };
    const environment = await readEnvironment(new Map(Object.entries(variables)));
    await body((await openFiles(environment)).store, folder);
  });
}

async function* bytesOf(size: number, chunk = 64 * 1024) {
  for (let at = 0; at < size; at += chunk) {
    yield new Uint8Array(Math.min(chunk, size - at)).fill((at / chunk) % 251);
  }
}

async function sizeOf(stream: ReadableStream<Uint8Array> | null): Promise<number> {
  let size = 0;
  for await (const bytes of stream ?? []) size += bytes.length;
  return size;
}

Deno.test("a bucket keeps small files and parted ones, by their ranges too", async () => {
  await withStore(async (store) => {
    for (const [id, size] of [["file_0", 0], ["file_1", 1000], ["file_2", 20 * MIB]] as const) {
      const kept = await store.put(`org_1/papers/${id}`, bytesOf(size));
      assertEquals(kept.size, size);
      assertEquals(await sizeOf(await store.get(`org_1/papers/${id}`)), size);
    }
    const range = { start: 16 * MIB - 1, end: 16 * MIB };
    assertEquals(await sizeOf(await store.get("org_1/papers/file_2", range)), 2);
    assertEquals(await store.get("org_1/papers/file_9"), null);
    await store.put("org_2/papers/file_3", bytesOf(1));
    const keys = async (prefix: string) =>
      (await Array.fromAsync(store.list(prefix))).map(({ key, size }) => [key, size]);
    assertEquals((await keys("")).length, 4);
    assertEquals(await keys("org_2/"), [["org_2/papers/file_3", 1]]);
    await store.remove("org_2/papers/file_3");
    await store.remove("org_2/papers/file_3");
    assertEquals(await keys("org_2/"), []);
  });
});

Deno.test("an upload into a bucket that breaks off leaves no object", async () => {
  await withStore(async (store) => {
    const broken = async function* () {
      yield* bytesOf(9 * MIB);
      throw new RangeError("cut");
    };
    await assertRejects(() => store.put("org_1/papers/file_1", broken()), RangeError);
    assertEquals(await Array.fromAsync(store.list("")), []);
  });
});

Deno.test("a bucket whose server is away, busy or failing is unavailable, one that refuses our key is not", async () => {
  const answers = new Map([["503", 503], ["500", 500], ["429", 429], ["403", 403]]);
  const ending = new AbortController();
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: ending.signal,
    onListen: () => {},
  }, ({ url }) => {
    const [, id = ""] = /file_(\d+)/.exec(url) ?? [];
    return new Response(null, { status: answers.get(id) ?? 200 });
  });
  const variables = {
    PORT: "8000",
    AUTH_SECRET: "x".repeat(32),
    STORAGE_URL: `http://127.0.0.1:${server.addr.port}/files`,
    STORAGE_ACCESS_KEY_ID: "a",
    STORAGE_SECRET_ACCESS_KEY: "b",
  };
  const { store } = await openFiles(await readEnvironment(new Map(Object.entries(variables))));
  for (const id of ["503", "500", "429"]) {
    const error = await assertRejects(() => store.get(`file_${id}`), StorageUnavailableError);
    assert(error.message.includes(id), error.message);
  }
  const refused = await assertRejects(() => store.get("file_403"), Error, "403");
  assert(!(refused instanceof StorageUnavailableError));
  // At once: a graceful end waits for connections that the client keeps.
  ending.abort();
  await server.finished;
  const calls = [
    () => store.get("file_1"),
    () => store.put("file_1", bytesOf(10)),
    () => store.put("file_1", bytesOf(9 * MIB)),
    () => store.remove("file_1"),
    () => Array.fromAsync(store.list("")),
  ];
  for (const call of calls) await assertRejects(call, StorageUnavailableError, "did not answer");
});

Deno.test("a bucket's server that takes a request and never answers is away, and a slow download lives", async () => {
  const held = Promise.withResolvers<void>();
  const ending = new AbortController();
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: ending.signal,
    onListen: () => {},
  }, ({ url }) => {
    if (!url.endsWith("slow")) return held.promise.then(() => new Response());
    const late = async function* () {
      yield new Uint8Array(1);
      await new Promise((resolve) => setTimeout(resolve, 550));
      yield new Uint8Array(1);
    };
    return new Response(ReadableStream.from(late()));
  });
  const credentials = { accessKeyId: "a", secretAccessKey: "b", region: "us-east-1" };
  const url = `http://127.0.0.1:${server.addr.port}/files`;
  const store = s3Store({ url, ...credentials, answerMs: 20 });
  await assertRejects(() => store.get("a"), StorageUnavailableError, "did not answer GET");
  const bytes = () => store.put("a", bytesOf(10));
  await assertRejects(bytes, StorageUnavailableError, "did not answer PUT");
  assertEquals(await sizeOf(await s3Store({ url, ...credentials, answerMs: 500 }).get("slow")), 2);
  held.resolve();
  ending.abort();
  await server.finished;
});

Deno.test("an API with its files in a bucket answers as with a folder", async () => {
  await withStore(async (store, folder) => {
    const papers = await openPapers(folder, { wrapStore: () => store });
    try {
      await papers.database.migrate(schemaOf(papers.project));
      const json = { "content-type": "application/json" };
      const { id } = await (await papers.ask("", { method: "POST", body: "{}", headers: json }))
        .json();
      const body = ReadableStream.from(bytesOf(10 * MIB));
      const headers = { "content-type": "application/octet-stream" };
      const sent = await papers.ask(`/${id}/scan`, { method: "PUT", body, headers });
      const { scan } = await sent.json();
      assertEquals([sent.status, scan.size], [200, 10 * MIB]);
      const got = await papers.ask(`/${id}/scan`);
      assertEquals(got.headers.get("etag"), `"${scan.sha256}"`);
      assertEquals(await sizeOf(got.body), 10 * MIB);
      const part = await papers.ask(`/${id}/scan`, { headers: { range: "bytes=5-9" } });
      assertEquals([part.status, await sizeOf(part.body)], [206, 5]);
    } finally {
      await papers.close();
    }
  });
});

Deno.test("addresses of a bucket are its own server's, and what comes there becomes a record's file", async () => {
  await withStore(async (store, folder) => {
    const papers = await openPapers(folder, { wrapStore: () => store });
    try {
      await papers.database.migrate(schemaOf(papers.project));
      const json = { "content-type": "application/json" };
      const post = async (path: string, body: object, method = "POST") => {
        const asked = { method, body: JSON.stringify(body), headers: json };
        return await (await papers.ask(path, asked)).json();
      };
      const { id } = await post("", {});
      const type = "text/plain";
      const put = { method: "PUT", name: "über.txt", size: 5, type };
      const address = await post(`/${id}/scan/presign`, put);
      const bucket = "/files/below/org_1/_upload/";
      assert(new URL(address.url).pathname.startsWith(bucket), address.url);
      const sent = await fetch(address.url, { ...address, body: "hello" });
      assertEquals([sent.status, await sent.text()], [200, ""]);
      const { scan } = await post(`/${id}/scan`, { upload: address.upload }, "PUT");
      assertEquals([scan.name, scan.size, scan.type], ["über.txt", 5, type]);
      const { url } = await post(`/${id}/scan/presign`, { method: "GET" });
      const got = await fetch(url, { headers: { range: "bytes=1-2" } });
      assertEquals([got.status, await got.text()], [206, "el"]);
      assertEquals([got.headers.get("content-type"), got.headers.get("content-disposition")], [
        type,
        "attachment; filename=\"_ber.txt\"; filename*=UTF-8''%C3%BCber.txt",
      ]);
      assertSigned(url, "GET", {});
      assertSigned(address.url, "PUT", { "content-length": "5", "content-type": type });
    } finally {
      await papers.close();
    }
  });
});

Deno.test("addresses of a bucket begin with its public name, and are signed for it", async () => {
  for (const name of ["https://files.example.com/files/below/", "https://files.example.com:8443"]) {
    await withStore(async (store) => {
      const use = { method: "PUT", key: "org_1/_upload/1", type: "text/plain", size: 5 } as const;
      const address = await store.presign?.(use, 300);
      assert(address);
      const start = `${name.replace(/\/$/, "")}/org_1/_upload/1?`;
      assert(address.url.startsWith(start), address.url);
      assertSigned(address.url, "PUT", { "content-length": "5", "content-type": "text/plain" });
      // The API goes on asking its own address.
      await store.put("org_1/papers/file_1", bytesOf(10));
      assertEquals((await Array.fromAsync(store.list(""))).length, 1);
    }, { STORAGE_PUBLIC_URL: name });
  }
});

/** The stand-in does not look at signatures in addresses: they are made again, as the protocol has it (SigV4). */
function assertSigned(
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): void {
  const url = new URL(address);
  const query = new Map(url.searchParams);
  const signature = query.get("X-Amz-Signature");
  query.delete("X-Amz-Signature");
  const all = Object.entries({ ...headers, host: url.host }).sort(([a], [b]) => a < b ? -1 : 1);
  const names = all.map(([name]) => name).join(";");
  assertEquals([query.get("X-Amz-SignedHeaders"), query.get("X-Amz-Expires")], [names, "300"]);
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const canonical = [
    method,
    url.pathname,
    [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort().join("&"),
    ...all.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const date = query.get("X-Amz-Date") ?? "";
  const scope = [date.slice(0, 8), "us-east-1", "s3", "aws4_request"];
  const text = [
    "AWS4-HMAC-SHA256",
    date,
    scope.join("/"),
    createHash("sha256").update(canonical).digest("hex"),
  ].join("\n");
  const hmac = (key: string | Uint8Array, of: string) => createHmac("sha256", key).update(of);
  const key = scope.reduce<string | Uint8Array>(
    (key, part) => hmac(key, part).digest(),
    "AWS4S3RVER",
  );
  assertEquals(signature, hmac(key, text).digest("hex"));
}

Deno.test("a store is full at STORAGE_MAX_BYTES, and has room again where something went", async () => {
  await withStore(async (store) => {
    await store.put("org_1/papers/file_1", bytesOf(600));
    await assertRejects(() => store.put("org_1/papers/file_2", bytesOf(600)), Error, "More than");
    assertEquals((await Array.fromAsync(store.list(""))).length, 1);
    await store.put("org_1/papers/file_3", bytesOf(300));
    const address = (size: number) =>
      store.presign?.({ method: "PUT", key: "org_1/_upload/1", type: "text/plain", size }, 60);
    assert(await address(100));
    await assertRejects(async () => await address(101), Error, "More than");
  }, { STORAGE_MAX_BYTES: "1000" });
});

Deno.test("a place for files that cannot be read, or that is none here, ends the start", async () => {
  const started = async (variables: Readonly<Record<string, string>>) => {
    const all = { PORT: "8000", AUTH_SECRET: "x".repeat(32), ...variables };
    return await openFiles(await readEnvironment(new Map(Object.entries(all))));
  };
  const key = { STORAGE_ACCESS_KEY_ID: "a", STORAGE_SECRET_ACCESS_KEY: "b" };
  const rows: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ STORAGE_URL: "nowhere" }, "must name a folder"],
    [{ STORAGE_URL: "https://s3.example.com" }, "must name a folder"],
    [{ STORAGE_URL: "https://user:secret@s3.example.com/b", ...key }, "must name a folder"],
    [{ STORAGE_URL: "https://s3.example.com/b" }, "needs both"],
    [{ STORAGE_URL: "https://s3.example.com/b", STORAGE_ACCESS_KEY_ID: "a" }, "needs both"],
    [
      {
        STORAGE_URL: "https://s3.example.com/b",
        ...key,
        STORAGE_PUBLIC_URL: "files.example.com/b",
      },
      "as callers reach it",
    ],
    [
      {
        STORAGE_URL: "https://s3.example.com/b",
        ...key,
        STORAGE_PUBLIC_URL: "https://u:secret@f/b",
      },
      "as callers reach it",
    ],
    [{ STORAGE_GRACE_S: "soon" }, "number of seconds"],
    [{ STORAGE_MAX_BYTES: "1GB" }, "number of bytes"],
    [{ DATABASE_URL: "https://db.example.com" }, "database on a server"],
    [{ APP_ENV: "production", REDIS_URL: "redis://localhost:6379" }, "REDIS_URL in production"],
    [{ DENO_DEPLOYMENT_ID: "d" }, "keeps no folder"],
  ];
  for (const [variables, said] of rows) {
    const error = await assertRejects(() => started(variables), Error);
    assert(error.message.includes(said), error.message);
    assert(!error.message.includes("secret@"), error.message);
  }
  for (const variables of [{ STORAGE_URL: "http://localhost:9000/b/below", ...key }, {}]) {
    assert((await started(variables)).store);
  }
});
