/**
 * Webhook sink of one run of `dev`. It receives deliveries on loopback, under a name that only this run's API can reach, so
 * that webhooks can be tried without the internet. It also resolves names for the API, because the destination policy resolves
 * the address before each attempt; all names except its own are passed on to the resolver that the API would have used.
 */
import { z } from "zod";
import { bytesEqual } from "../../shared/lib/bytes.ts";
import type { Delivery } from "../../playground/mod.ts";

/** Name of the sink; it is reserved for examples (RFC 2606) and belongs to nobody. */
export const SINK_HOST = "webhooks.quickback.example";

/**
 * Address that is public in form and routed nowhere (RFC 3701). No connection goes there: the preloaded module connects the
 * name to the sink.
 */
const SINK_ADDRESS = "3ffe::1";

const LOOPBACK = "127.0.0.1";
const RESOLVER_PATH = "/dns-query";
const BODY_MAX_BYTES = 256 * 1024;

interface WebhookSinkOptions {
  /** Last part of the address, which no other user of this machine knows. */
  readonly key: string;
  /** Resolver for all other names. */
  readonly resolver: string;
  readonly onDelivery: (delivery: Delivery) => void;
}

export class WebhookSink {
  readonly #options: WebhookSinkOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #count = 0;

  constructor(options: WebhookSinkOptions) {
    this.#options = options;
    this.#server = Deno.serve(
      { hostname: LOOPBACK, port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  get port(): number {
    return this.#server.addr.port;
  }

  /**
   * Address to register. With `/500` appended, deliveries are answered with that status; with `/to/3000/hooks`, they are passed
   * on to that port and path of this machine.
   */
  get url(): string {
    return `https://${SINK_HOST}/${this.#options.key}`;
  }

  /** Value of `WEBHOOK_RESOLVER_URL`. */
  get resolverUrl(): string {
    return `http://${LOOPBACK}:${this.port}${RESOLVER_PATH}`;
  }

  close(): Promise<void> {
    return this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname === RESOLVER_PATH && request.method === "GET") return await this.#resolve(search);
    const [, key = "", status = "200", port = "", ...path] = pathname.split("/");
    const encoder = new TextEncoder();
    const isOurs = bytesEqual(encoder.encode(key), encoder.encode(this.#options.key));
    if (!isOurs || request.method !== "POST") return new Response("Not here\n", { status: 404 });
    const bytes = await request.bytes();
    const target = status === "to" ? ownAddress(port, `/${path.join("/")}${search}`) : null;
    if (status === "to" && target === null) return new Response("No such port\n", { status: 404 });
    const answer = target === null
      ? new Response(null, { status: /^[45]\d\d$/.test(status) ? Number(status) : 200 })
      : await handOn(target, request.headers, bytes);
    this.#options.onDelivery({
      number: ++this.#count,
      at: new Date().toISOString(),
      headers: [...request.headers],
      body: new TextDecoder().decode(bytes.subarray(0, BODY_MAX_BYTES)),
      answered: answer.status,
    });
    return answer;
  }

  async #resolve(search: string): Promise<Response> {
    const { name, type } = QUESTION.parse(Object.fromEntries(new URLSearchParams(search)));
    if (name !== SINK_HOST) return await this.#passOn(search);
    const answers = type === "AAAA" ? [{ name, type: 28, TTL: 1, data: SINK_ADDRESS }] : [];
    return Response.json({ Status: 0, TC: false, Answer: answers });
  }

  async #passOn(search: string): Promise<Response> {
    const target = new URL(this.#options.resolver);
    for (const [name, value] of new URLSearchParams(search)) target.searchParams.set(name, value);
    const isWire = target.searchParams.has("dns");
    const accept = isWire ? "application/dns-message" : "application/dns-json";
    try {
      return await fetch(target, { headers: { accept }, redirect: "error" });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return new Response("The resolver does not answer\n", { status: 502 });
    }
  }
}

/** Returns an address of this machine; null if the text is not a port. */
function ownAddress(port: string, path: string): URL | null {
  const isPort = /^[1-9]\d{0,4}$/.test(port) && Number(port) < 65_536;
  return isPort ? new URL(`http://${LOOPBACK}:${port}${path}`) : null;
}

/** Headers of one connection, which are not passed on to the next. */
const HOP_HEADERS = ["host", "connection", "content-length", "transfer-encoding"];

/** Passes a delivery on unchanged. Its answer has the status of the server there, or 502 if there is none. */
async function handOn(
  target: URL,
  given: Headers,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const headers = new Headers(given);
  for (const name of HOP_HEADERS) headers.delete(name);
  try {
    const answer = await fetch(target, { method: "POST", headers, body, redirect: "manual" });
    await answer.body?.cancel();
    const later = answer.headers.get("retry-after");
    const { status } = answer;
    return new Response(null, { status, headers: later === null ? {} : { "retry-after": later } });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new Response(null, { status: 502 });
  }
}

/** Query of the resolver; a query in the binary format has no name here. */
const QUESTION = z.object({ name: z.string().default(""), type: z.string().default("") });
