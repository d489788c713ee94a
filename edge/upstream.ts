/** A backend behind the router: in this process, or at an origin. */
import type { Fetch } from "./edge_service.ts";

/** Sends a request on; aborting its signal ends it. */
export type Upstream = Fetch;

/** Hop-by-hop (RFC 9110, 7.6.1), and what `fetch` sets by itself. */
const NOT_SENT_ON = ["connection", "content-length", "host", "keep-alive", "transfer-encoding"];

/** A backend at an origin. Answers come uncompressed, so that streams pass as they are. */
export function remote(origin: string): Upstream {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of NOT_SENT_ON) headers.delete(name);
    headers.set("accept-encoding", "identity");
    const { method, body, signal } = request;
    const response = await fetch(origin + pathname + search, {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body === null ? {} : { body, duplex: "half" }),
    });
    return new Response(response.body, response);
  };
}
