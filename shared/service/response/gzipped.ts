/** Answers compressed for clients that ask for it (contract 4.8). */
import { acceptsEncoding } from "../request/compile_options.ts";
import { GZIP_MIN_BYTES } from "../limits.ts";

/** A response with this text; its bytes before compression depend on nothing but the text. */
export function textResponse(
  text: string,
  request: Headers,
  init: { readonly status?: number; readonly headers: Readonly<Record<string, string>> },
): Response {
  const bytes = new TextEncoder().encode(text);
  const headers = { ...init.headers, vary: "Accept-Encoding" };
  const status = init.status ?? 200;
  const response = new Response(bytes, { status, headers });
  return bytes.byteLength < GZIP_MIN_BYTES ? response : gzipped(response, request);
}

/** The same response, compressed if the client asks for that. */
export function gzipped(response: Response, request: Headers): Response {
  if (response.body === null || !acceptsEncoding(request, "gzip")) return response;
  const headers = new Headers(response.headers);
  headers.set("content-encoding", "gzip");
  headers.delete("content-length");
  const reader = response.body.getReader();
  let rest = new Uint8Array();
  const body = new ReadableStream({
    async pull(controller) {
      while (rest.byteLength === 0) {
        const next = await reader.read();
        if (next.done) return controller.close();
        rest = next.value;
      }
      controller.enqueue(rest.slice(0, PIECE_BYTES));
      rest = rest.subarray(PIECE_BYTES);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 }).pipeThrough(new CompressionStream("gzip"));
  return new Response(body, { status: response.status, headers });
}

/** Compressing megabytes in one piece would keep the thread until it is done; between pieces it answers others. */
const PIECE_BYTES = 64 * 1024;

export function jsonResponse(value: unknown, request: Request): Response {
  return textResponse(JSON.stringify(value), request.headers, {
    headers: { "content-type": "application/json" },
  });
}
