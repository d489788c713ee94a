/**
 * The text of a body, plain or gzipped. Never more than the limit is in memory (definitions 7). Refuses with
 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `COMPILE_TIMEOUT`, and `INVALID_JSON` for invalid UTF-8.
 */
import { utf8Text } from "../../lib/bytes.ts";
import { JSON_MEDIA_TYPE } from "../../lib/http.ts";
import { COMPILE_BODY_MAX_BYTES } from "../limits.ts";
import { ServiceRefusal } from "../refusal.ts";

/**
 * Size of the pieces given to the decompressor. They are small, because a bomb expands a thousandfold before the size can be
 * checked.
 */
const COMPRESSED_PIECE_BYTES = 1024;

export async function readBodyText(request: Request, signal: AbortSignal): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && type !== "" && !JSON_MEDIA_TYPE.test(type)) {
    throw unsupported("The body must be sent as 'application/json'");
  }
  const isGzipped = contentEncoding(request.headers) === "gzip";
  const wire = wireOf(request);
  if (wire === null) return "";
  const bytes = isGzipped
    ? wire.pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          for (let at = 0; at < chunk.byteLength; at += COMPRESSED_PIECE_BYTES) {
            controller.enqueue(chunk.slice(at, at + COMPRESSED_PIECE_BYTES));
          }
        },
      }),
    ).pipeThrough(new DecompressionStream("gzip"))
      .pipeThrough(limited())
    : wire;
  const text = utf8Text(await collected(bytes, { signal, isGzipped }));
  if (text === null) throw invalidJson("The body is not valid UTF-8");
  return text;
}

/** Reads a body without decoding, to be forwarded. */
export async function readWireBody(request: Request, signal: AbortSignal): Promise<Bytes> {
  const wire = wireOf(request);
  return wire === null ? new Uint8Array() : await collected(wire, { signal, isGzipped: false });
}

function wireOf(request: Request): ReadableStream<Bytes> | null {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > COMPILE_BODY_MAX_BYTES) throw tooLarge();
  return request.body?.pipeThrough(limited()) ?? null;
}

function contentEncoding(headers: Headers): "identity" | "gzip" {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return "identity";
  if (encoding === "gzip" || encoding === "x-gzip") return "gzip";
  throw unsupported("The body may be encoded with 'gzip' and nothing else");
}

function unsupported(detail: string): ServiceRefusal {
  return new ServiceRefusal("UNSUPPORTED_MEDIA_TYPE", {
    detail,
    headers: { "accept-encoding": "gzip, identity" },
  });
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Ends a stream with a refusal as soon as it is too long. */
function limited(): TransformStream<Bytes, Bytes> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > COMPILE_BODY_MAX_BYTES) throw tooLarge();
      controller.enqueue(chunk);
    },
  });
}

async function collected(
  stream: ReadableStream<Bytes>,
  { signal, isGzipped }: { readonly signal: AbortSignal; readonly isGzipped: boolean },
): Promise<Bytes> {
  const sink = new Collector();
  try {
    await stream.pipeTo(new WritableStream(sink), { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // The decompressor throws a TypeError if the bytes are no gzip or end too early.
    if (isGzipped && error instanceof TypeError) throw invalidJson("The body is not valid gzip");
    throw error;
  }
  return sink.bytes();
}

class Collector implements UnderlyingSink<Bytes> {
  readonly #chunks: Bytes[] = [];
  #size = 0;

  write(chunk: Bytes): void {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
  }

  bytes(): Bytes {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.byteLength;
    }
    return all;
  }
}

function invalidJson(detail: string): ServiceRefusal {
  return new ServiceRefusal("INVALID_JSON", { detail });
}

function tooLarge(): ServiceRefusal {
  return new ServiceRefusal("PAYLOAD_TOO_LARGE", {
    detail: `The body is larger than ${COMPILE_BODY_MAX_BYTES} bytes`,
    hint: "Send less than 8 MiB of JSON, decompressed",
  });
}
