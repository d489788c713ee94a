/** Turns HTTP into the request that the layers see. Never refuses: faults are flags of the result. */
import type { AppContext, RequestContext } from "../context.ts";
import type { Connection } from "../ports.ts";
import { bodyOf } from "./body.ts";
import { clientAddress } from "./client_address.ts";
import { isHostAccepted } from "./host.ts";
import { targetOf } from "./path.ts";

export interface ReadRequest {
  readonly context: RequestContext;
  readonly isHostAccepted: boolean;
  /** False when the path has more than one reading: it has no route. */
  readonly isPathCanonical: boolean;
}

export function readRequest(
  app: AppContext,
  request: Request,
  connection: Connection,
): ReadRequest {
  const { clock, random, timer } = app.ports;
  const isAccepted = isHostAccepted(request.headers.get("host"), app.settings);
  // Some platforms build the URL from the Host header: before that is checked, the path is anybody's word.
  const target = isAccepted ? targetOf(request.url) : { raw: "/", path: null, search: "" };
  const context: RequestContext = {
    app,
    requestId: `req_${random.bytes(12).toHex()}`,
    method: request.method,
    path: target.path ?? target.raw,
    search: target.search,
    headers: request.headers,
    clientIp: clientAddress(connection.clientIp),
    upgrade: connection.upgrade ?? null,
    now: new Date(clock.now()).toISOString(),
    body: bodyOf(request, timer),
  };
  return { context, isHostAccepted: isAccepted, isPathCanonical: target.path !== null };
}
