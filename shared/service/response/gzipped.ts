/** Answers compressed for clients that ask for it (contract 4.8). */
import { acceptsEncoding } from "../request/accept.ts";
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
  const body = response.body.pipeThrough(new CompressionStream("gzip"));
  return new Response(body, { status: response.status, headers });
}

export function jsonResponse(value: unknown, request: Request): Response {
  return textResponse(JSON.stringify(value), request.headers, {
    headers: { "content-type": "application/json" },
  });
}
