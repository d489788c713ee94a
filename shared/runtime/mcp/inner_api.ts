/** How tools reach the API: a request of its own, through the router and every layer, for the caller that `/mcp` knows. */
import { exactJsonText } from "../../lib/exact_json.ts";
import type { JsonObject } from "../../lib/json_object.ts";
import type { Principal } from "../../model/principal.ts";
import type { AppContext, RequestContext } from "../context.ts";
import { Refusal } from "../refusal.ts";
import { type ReadRequest, readRequest } from "../request/read_request.ts";
import { refusedResponse } from "../response/refused.ts";
import type { Router } from "../router.ts";

/** The request that a tool's arguments mean. */
export interface InnerCall {
  /** The endpoint that is meant; an id that makes the path another one's is refused. */
  readonly endpoint: string;
  readonly method: string;
  /** Canonical. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none is sent. */
  readonly body: JsonObject | null;
  /** Records are written in a transaction that is taken back. */
  readonly rehearses: boolean;
}

/** Who asked `/mcp`, and with which request. */
export interface McpCaller {
  readonly request: RequestContext;
  readonly principal: Principal;
}

export type InnerApi = (call: InnerCall, caller: McpCaller) => Promise<Response>;

interface InnerApiOptions {
  readonly router: Router;
  readonly answer: (read: ReadRequest) => Promise<Response>;
}

/** Authentication is not passed twice: an API key with a limit of its own would be counted twice. */
export function createInnerApi({ router, answer }: InnerApiOptions): InnerApi {
  return async (call, { request: outer, principal }) => {
    const app: AppContext = { ...outer.app, identify: () => Promise.resolve(principal) };
    const request = requestOf(call, outer);
    const read = readRequest(app, request, { clientIp: outer.clientIp });
    const { requestId, now } = outer;
    const context = { ...read.context, requestId, now, rehearses: call.rehearses };
    const isMeant = context.path === call.path &&
      router(call.path)?.endpoints.get(call.method)?.id === call.endpoint;
    if (isMeant) return await answer({ ...read, context });
    const refusal = new Refusal("ROUTE_NOT_FOUND", {
      detail: "No record can have this id",
      hint: "Take ids from what other tools answer",
    });
    return refusedResponse(refusal, context, call.endpoint);
  };
}

/** Credentials that explicitly name the caller go along, for code that looks at the request; cookies do not. */
const FORWARDED = ["host", "authorization", "x-api-key", "user-agent"];

function requestOf({ method, path, query, headers, body }: InnerCall, outer: RequestContext) {
  const all = new Headers(headers);
  for (const name of FORWARDED) {
    const value = outer.headers.get(name);
    if (value !== null) all.set(name, value);
  }
  if (body !== null) all.set("content-type", "application/json");
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
  return new Request(
    outer.app.settings.baseUrl + path + (search === "" ? "" : `?${search}`),
    { method, headers: all, ...(body === null ? {} : { body: exactJsonText(body) }) },
  );
}
