/** Compresses answers for clients that accept it (contract 4.8). */
import { acceptsEncoding } from "../request/compile_options.ts";
import { GZIP_MIN_BYTES } from "../limits.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** Makes a response of these pieces. Each is released when it is sent. */
export function piecesResponse(
  pieces: readonly Bytes[],
  request: Headers,
  headers: Readonly<Record<string, string>>,
  status: number = 200,
): Response {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const rest = pieces.toReversed();
  const body = new ReadableStream<Bytes>({
    pull(controller) {
      const next = rest.pop();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  }, { highWaterMark: 0 });
  const told = { ...headers, vary: "Accept-Encoding", "content-length": String(length) };
  const response = new Response(body, { status, headers: told });
  return length < GZIP_MIN_BYTES ? response : gzipped(response, request);
}

/** Compresses a response if the client accepts it. */
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

/** Size of a piece. Between pieces the thread answers others. */
const PIECE_BYTES = 64 * 1024;

export function jsonResponse(value: unknown, request: Request): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return piecesResponse([bytes], request.headers, { "content-type": "application/json" });
}
