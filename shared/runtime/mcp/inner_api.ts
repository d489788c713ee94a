/**
 * Runs the tools' requests to the API: each is a request of its own, through router, gate and every layer, for the caller whom
 * `/mcp` admitted.
 */
import { exactJsonText, type JsonObject } from "../../lib/json.ts";
import type { Admitted, Endpoint } from "../gate.ts";
import { Refusal } from "../refusal.ts";
import { requestReader } from "../request/read_request.ts";
import { refusedResponse } from "../response/refused.ts";
import type { Router } from "../router.ts";

/** The request to which a tool's arguments lead. */
export interface InnerCall {
  /** The endpoint's id; an id in the path that leads to another endpoint is refused. */
  readonly endpoint: string;
  readonly method: string;
  /** The canonical path. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null: none is sent. */
  readonly body: JsonObject | null;
  /** Wraps the endpoint in a dry run, which keeps no write; returns it unchanged for an ordinary call. */
  readonly around: (endpoint: Endpoint) => Endpoint;
}

/** Answers a call for the caller of `/mcp`. */
export type InnerApi = (call: InnerCall, outer: Admitted) => Promise<Response>;

export function createInnerApi(router: Router): InnerApi {
  return async (call, outer) => {
    const { requestId, now, clientIp, app } = outer;
    const { method, path, query, headers, body } = call;
    const all = new Headers(headers);
    for (const name of FORWARDED) {
      const value = outer.headers.get(name);
      if (value !== null) all.set(name, value);
    }
    if (body !== null) all.set("content-type", "application/json");
    const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
    const read = requestReader(app)(
      new Request(
        outer.app.settings.baseUrl + path + (search === "" ? "" : `?${search}`),
        { method, headers: all, ...(body === null ? {} : { body: exactJsonText(body) }) },
      ),
      { clientIp },
    );
    const request = { ...read.context, requestId, now };
    const match = router(call.path);
    const endpoint = match?.endpoints.get(call.method);
    const isMeant = read.isPathCanonical && request.path === call.path &&
      endpoint?.id === call.endpoint;
    if (!match || !isMeant) {
      const refusal = new Refusal("ROUTE_NOT_FOUND", {
        detail: "No record can have this id",
        hint: "Take ids from what other tools answer",
      });
      return refusedResponse(refusal, request, call.endpoint);
    }
    return await outer.enter(request, call.around(endpoint), match.id);
  };
}

/**
 * Headers that are forwarded: credentials that explicitly name the caller, for code that reads the request; cookies are not.
 */
const FORWARDED = ["host", "authorization", "x-api-key", "user-agent"];
