/** Answers with the bytes of a file (contract 4.7): whole, by a range, or with a 304 where the caller has them. */
import { dispositionOf, type FileValue, HEADERS } from "../../contract/mod.ts";
import type { RequestContext } from "../context.ts";
import type { ByteRange, FileStore } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { holdsTag } from "../request/read_request.ts";

export interface SentFile {
  readonly file: FileValue;
  /** Key in the store. */
  readonly key: string;
  /** True when a browser saves the file instead of showing it. */
  readonly isSaved: boolean;
  readonly cacheControl: string;
}

/** Builds the answer; null: the store has no such object. Refuses with `RANGE_NOT_SATISFIABLE`. */
export async function fileResponse(
  request: Pick<RequestContext, "headers" | "method">,
  store: Pick<FileStore, "get">,
  { file, key, isSaved, cacheControl }: SentFile,
): Promise<Response | null> {
  const tag = `"${file.sha256}"`;
  if (holdsTag(request.headers, tag)) {
    const held = { [HEADERS.etag]: tag, "cache-control": cacheControl };
    return new Response(null, { status: 304, headers: held });
  }
  // A range of an answer without a body is ignored (RFC 9110, 14.2).
  const range = request.method === "HEAD" ? null : rangeOf(request.headers, file, tag);
  const length = range === null ? file.size : range.end - range.start + 1;
  const headers = new Headers({
    "accept-ranges": "bytes",
    "cache-control": cacheControl,
    "content-disposition": dispositionOf(file, isSaved),
    "content-length": String(length),
    "content-security-policy": "sandbox; default-src 'none'",
    "content-type": file.type,
    [HEADERS.etag]: tag,
  });
  if (range !== null) {
    headers.set("content-range", `bytes ${range.start}-${range.end}/${file.size}`);
  }
  const status = range === null ? 200 : 206;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const body = await store.get(key, range ?? undefined);
  return body && new Response(body, { status, headers });
}

const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * Returns the one requested range (RFC 9110, 14.2). Null: the whole file, also for several ranges, for a malformed one, and
 * where `If-Range` names another file. Refuses with `RANGE_NOT_SATISFIABLE`.
 */
function rangeOf(headers: Headers, { size }: FileValue, tag: string): ByteRange | null {
  const condition = headers.get("if-range");
  if (condition !== null && condition.trim() !== tag) return null;
  const [, first, last, suffix] = RANGE.exec(headers.get("range")?.replaceAll(" ", "") ?? "") ?? [];
  if (first === undefined && suffix === undefined) return null;
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return null;
  if (start >= size || Number(suffix) === 0) {
    refuse("RANGE_NOT_SATISFIABLE", {
      detail: `The file has ${size} bytes`,
      headers: { "content-range": `bytes */${size}` },
    });
  }
  return { start, end };
}
