/** Answers with an entity tag, and the 304 that stands for one (RFC 9110, 8.8.3, 15.4.5; definitions 7 "revision"). */
import { HEADERS } from "../../contract/headers.ts";
import { textTag } from "../../lib/text_tag.ts";
import type { RequestContext } from "../context.ts";
import { holdsTag } from "../request/preconditions.ts";
import { jsonResponse } from "./record.ts";

/** An answer under its tag; null: it has none. */
export function taggedResponse(json: string, status: number, tag: string | null): Response {
  const response = jsonResponse(json, status);
  if (tag !== null) response.headers.set(HEADERS.etag, tag);
  return response;
}

/** The caller holds this very representation. */
export function notModifiedResponse(tag: string): Response {
  return new Response(null, { status: 304, headers: { [HEADERS.etag]: tag } });
}

/**
 * An answer tagged by its own bytes, so that the tag covers masks, labels and included records alike. Weak: it says
 * what was read and anchors no write. Without a tag where the project wants none (`etag.enabled`).
 */
export function contentResponse(
  json: string,
  { headers, app }: Pick<RequestContext, "headers" | "app">,
): Response {
  if (!app.project.etag) return jsonResponse(json, 200);
  const tag = `W/"${textTag(json)}"`;
  return holdsTag(headers, tag) ? notModifiedResponse(tag) : taggedResponse(json, 200, tag);
}
