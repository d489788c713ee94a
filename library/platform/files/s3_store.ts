/** Files of records in a bucket of an S3-compatible server (definitions 8, `STORAGE_URL`). */
import { createHash } from "node:crypto";
import { AwsClient, AwsV4Signer } from "aws4fetch";
import { dispositionOf } from "../../../shared/contract/mod.ts";
import {
  type AddressedRequest,
  type AddressedUse,
  type ByteRange,
  type FileStore,
  StorageFullError,
  StorageUnavailableError,
  type StoredObject,
} from "../../../shared/runtime/ports.ts";

export interface S3Place {
  /** URL of the bucket with the prefix of all keys: path style, without a slash at the end. */
  readonly url: string;
  /** URL of the bucket for callers. Absent: the same. */
  readonly publicUrl?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Milliseconds until an answer must begin, beside the time for a body. Default: 30 s. */
  readonly answerMs?: number;
}

/** Size of a part. Servers require at least 5 MiB; one part is in memory. */
const PART_BYTES = 8 * 1024 * 1024;
const RETRIES = 2;
const ANSWER_MS = 30_000;
/** Slowest accepted upload to the server. */
const SENT_BYTES_PER_MS = 100;

export function s3Store(place: S3Place): FileStore {
  const { url, publicUrl = url, answerMs = ANSWER_MS, ...credentials } = place;
  const client = new AwsClient({ ...credentials, service: "s3", retries: RETRIES });
  const [, origin = "", bucket = "", prefix = ""] =
    /^(https?:\/\/[^/]+)\/([^/]+)(?:\/(.+))?$/.exec(url) ?? [];
  const bucketUrl = `${origin}/${bucket}`;
  const start = prefix === "" ? "" : `${prefix}/`;
  const server: Server = {
    ask: (address, init, also) => asked({ client, answerMs }, address, init, also),
    objectUrl: (key) => `${bucketUrl}/${start}${key}`,
  };
  return {
    put: (key, body) => put(server, key, body),
    get: (key, range) => get(server, key, range),
    async remove(key) {
      await discarded(await server.ask(server.objectUrl(key), { method: "DELETE" }, [404]));
    },
    list: (below) => list(server, bucketUrl, start, below),
    presign: (use, seconds) => presign(credentials, `${publicUrl}/${use.key}`, use, seconds),
  };
}

interface Server {
  /**
   * Sends a request. Throws for an answer that is neither a success nor in `also`: `StorageFullError`, or
   * `StorageUnavailableError` if the server cannot be reached or cannot serve now.
   */
  ask(url: string, init?: AskInit, also?: readonly number[]): Promise<Response>;
  objectUrl(key: string): string;
}

type AskInit = RequestInit & { readonly body?: Uint8Array<ArrayBuffer> | string };

async function asked(
  { client, answerMs }: { readonly client: AwsClient; readonly answerMs: number },
  url: string,
  init: AskInit = {},
  also: readonly number[] = [],
): Promise<Response> {
  const { method = "GET", body = "" } = init;
  // The limit applies until the answer begins. A large file then takes as long as its reader.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs + body.length / SENT_BYTES_PER_MS);
  let response: Response;
  try {
    response = await client.fetch(url, { ...init, signal: late.signal });
  } catch (error) {
    throw new StorageUnavailableError(`The store of files did not answer ${method}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
  const { status } = response;
  if (response.ok || also.includes(status)) return response;
  // The server's message goes to the log only.
  const said = `The store of files answered ${method} with ${status}: ${await response.text()}`;
  if (status === 507) throw new StorageFullError(said.slice(0, 1000));
  if (status === 429 || status >= 500) throw new StorageUnavailableError(said.slice(0, 1000));
  throw new Error(said.slice(0, 1000));
}

async function discarded(response: Response): Promise<void> {
  await response.body?.cancel();
}

/** Signs a URL for this method, type and length (SigV4 in the query). Some servers do not enforce the latter two. */
async function presign(
  credentials: Pick<S3Place, "accessKeyId" | "secretAccessKey" | "region">,
  objectUrl: string,
  use: AddressedUse,
  seconds: number,
): Promise<AddressedRequest> {
  const url = new URL(objectUrl);
  url.searchParams.set("X-Amz-Expires", String(seconds));
  if (use.method === "GET") {
    const { file, isSaved } = use;
    url.searchParams.set("response-content-type", file.type);
    url.searchParams.set("response-content-disposition", dispositionOf(file, isSaved));
  }
  const headers = use.method === "PUT" ? { "content-type": use.type } : {};
  const length = use.method === "PUT" ? { "content-length": String(use.size) } : {};
  const signer = new AwsV4Signer({
    ...credentials,
    service: "s3",
    method: use.method,
    url: url.href,
    headers: { ...headers, ...length },
    signQuery: true,
    allHeaders: true,
  });
  return { url: String((await signer.sign()).url), headers };
}

/** Stores a small file by one request, and a large one by parts. */
async function put(server: Server, key: string, body: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let size = 0;
  const upload = new PartedUpload(server, server.objectUrl(key));
  try {
    for await (const part of partsOf(body)) {
      hash.update(part.bytes);
      size += part.bytes.length;
      if (part.isLast && !upload.hasBegun) {
        const init = { method: "PUT", body: part.bytes };
        await discarded(await server.ask(server.objectUrl(key), init));
      } else {
        await upload.send(part.bytes);
      }
    }
    if (upload.hasBegun) await upload.complete();
  } catch (error) {
    // The original error is thrown. If the upload cannot be aborted, the bucket's own rule removes it.
    await Promise.allSettled([upload.abort()]);
    throw error;
  }
  return { size, sha256: hash.digest("hex") };
}

interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isLast: boolean;
}

/** Yields the bytes in parts of equal size, the last one smaller. There is at least one part. */
async function* partsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  let bytes = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length;) {
      if (filled === PART_BYTES) {
        yield { bytes, isLast: false };
        bytes = new Uint8Array(PART_BYTES);
        filled = 0;
      }
      const piece = chunk.subarray(at, at + PART_BYTES - filled);
      bytes.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
  }
  yield { bytes: bytes.slice(0, filled), isLast: true };
}

/** An upload in parts. The object appears only when it is complete. */
class PartedUpload {
  #id: string | null = null;
  readonly #tags: string[] = [];

  constructor(private readonly server: Server, private readonly url: string) {}

  get hasBegun(): boolean {
    return this.#id !== null;
  }

  async send(body: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#id ??= await this.#begun();
    const query = `partNumber=${this.#tags.length + 1}&uploadId=${encodeURIComponent(this.#id)}`;
    const response = await this.server.ask(`${this.url}?${query}`, { method: "PUT", body });
    const tag = response.headers.get("etag");
    await discarded(response);
    if (tag === null) throw new Error("The store of files gave a part no tag");
    this.#tags.push(tag);
  }

  async complete(): Promise<void> {
    const parts = this.#tags.map((tag, at) =>
      `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`
    );
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const response = await this.server.ask(this.#own(), { method: "POST", body });
    const text = await response.text();
    // The server may report a failure after the status was sent.
    if (/<Error>/.test(text)) throw new Error(`The store of files failed: ${text.slice(0, 1000)}`);
  }

  async abort(): Promise<void> {
    if (this.#id === null) return;
    await discarded(await this.server.ask(this.#own(), { method: "DELETE" }, [404]));
  }

  #own(): string {
    return `${this.url}?uploadId=${encodeURIComponent(this.#id ?? "")}`;
  }

  async #begun(): Promise<string> {
    const response = await this.server.ask(`${this.url}?uploads=`, { method: "POST" });
    const [id] = elements(await response.text(), "UploadId");
    if (id === undefined) throw new Error("The store of files began no upload");
    return id;
  }
}

async function get(
  server: Server,
  key: string,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
  const response = await server.ask(server.objectUrl(key), { headers }, [404]);
  if (response.status !== 404 && response.body) return response.body;
  await discarded(response);
  return response.status === 404 ? null : new Blob([]).stream();
}

async function* list(
  server: Server,
  bucketUrl: string,
  start: string,
  below: string,
): AsyncGenerator<StoredObject> {
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ "list-type": "2", prefix: start + below });
    if (token !== undefined) query.set("continuation-token", token);
    const text = await (await server.ask(`${bucketUrl}?${query}`)).text();
    for (const object of elements(text, "Contents")) {
      const [key = ""] = elements(object, "Key");
      const [modified = ""] = elements(object, "LastModified");
      const [size = "0"] = elements(object, "Size");
      yield {
        key: key.slice(start.length),
        size: Number(size),
        modifiedAt: Date.parse(modified),
      };
    }
    token = elements(text, "NextContinuationToken")[0];
  } while (token !== undefined);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/** Returns the contents of XML elements. Keys and tokens need no full parser. */
function elements(text: string, name: string): readonly string[] {
  return [...text.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"))].map(([, content = ""]) =>
    content.includes("<")
      ? content
      : content.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity)
  );
}
