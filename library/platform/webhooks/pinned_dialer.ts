/**
 * Posts to a given address under the name of a URL. `Host` and TLS use the name, the connection uses the address that passed
 * the destination policy, so that the name cannot resolve to another one meanwhile (traps 15).
 */
import type http from "node:http";
import type { Dialer, DialOutcome, DialRequest } from "../../../shared/runtime/ports.ts";

export interface PinnedDialerOptions {
  /** Additional trusted certificates in PEM. */
  readonly ca?: string;
}

export function pinnedDialer(options: PinnedDialerOptions = {}): Dialer {
  return { post: (request) => post(request, options) };
}

async function post(request: DialRequest, options: PinnedDialerOptions): Promise<DialOutcome> {
  const { promise, resolve } = Promise.withResolvers<DialOutcome>();
  const outgoing = await open(request, options);
  const deadline = setTimeout(() => settle(failed("The endpoint took too long")), request.timeout);
  const settle = (outcome: DialOutcome) => {
    clearTimeout(deadline);
    resolve(outcome);
    outgoing.destroy();
  };
  outgoing.on("response", (response) => readAnswer(response, request.maxBytes, settle));
  // No upgrade was requested, so this is the whole answer.
  outgoing.on("upgrade", (response) => settle(answerOf(response, "")));
  outgoing.on("error", () => settle(failed("The endpoint could not be reached")));
  outgoing.end(bytesOf(request));
  return await promise;
}

/** Largest headers. A redirect counts as an answer however long its target is. */
const HEADERS_MAX_BYTES = 1024 * 1024;

/** Sends a request. The platform's client is loaded on first use, because it would delay a start. */
async function open(
  request: DialRequest,
  { ca }: PinnedDialerOptions,
): Promise<http.ClientRequest> {
  const url = new URL(request.url);
  const family = request.address.includes(":") ? 6 : 4;
  const common: http.RequestOptions = {
    method: "POST",
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    path: url.pathname + url.search,
    // A kept connection would lead to the address of an earlier check.
    agent: false,
    maxHeaderSize: HEADERS_MAX_BYTES,
    headers: {
      ...request.headers,
      host: url.host,
      "accept-encoding": "identity",
      "content-length": String(bytesOf(request).byteLength),
    },
    lookup: (_name, lookup, callback) =>
      lookup.all
        ? callback(null, [{ address: request.address, family }])
        : callback(null, request.address, family),
    ...(url.port === "" ? {} : { port: Number(url.port) }),
  };
  if (url.protocol === "http:") return (await import("node:http")).request(common);
  const { request: requestSecurely } = await import("node:https");
  return requestSecurely({ ...common, ...(ca === undefined ? {} : { ca }) });
}

function bytesOf({ body }: DialRequest): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

/** Reads the beginning of the body. A body that breaks off still counts as an answer. */
function readAnswer(
  response: http.IncomingMessage,
  maxBytes: number,
  settle: (outcome: DialOutcome) => void,
): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const done = () =>
    settle(
      answerOf(
        response,
        new TextDecoder().decode(
          Uint8Array.from(chunks.flatMap((chunk) => [...chunk])).subarray(0, maxBytes),
        ),
      ),
    );
  response.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) done();
  });
  response.on("end", done);
  response.on("error", done);
  response.on("close", done);
}

function answerOf({ statusCode, headers }: http.IncomingMessage, body: string): DialOutcome {
  return {
    kind: "answered",
    status: statusCode ?? 0,
    location: headers.location ?? null,
    retryAfter: headers["retry-after"] ?? null,
    body,
  };
}

function failed(reason: string): DialOutcome {
  return { kind: "failed", reason };
}
