/** A typed client of a generated API: `createClient<Api>("https://api.example.com")` (contract 9.5). */
import type * as api from "./api.ts";
import { ApiError } from "./api_error.ts";
import { type Auth, RemoteAuth } from "./auth.ts";
import { Caller } from "./caller.ts";
import type { Changeset } from "./changeset.ts";
import { givenCredentials } from "./credentials.ts";
import { segmentOf } from "./resource_name.ts";
import { RemoteResource } from "./remote_resource.ts";
import { Session, sessionCookie } from "./session.ts";
import { memoryStorage, SessionStore } from "./session_store.ts";
import { type Subscribe, subscribe, type SubscribeOptions } from "./subscription.ts";
import { type CallOptions, type ClientOptions, createTransport } from "./transport.ts";
import type { ResourceClient } from "./resource_client.ts";

export interface Client<A extends api.ApiShape> {
  readonly auth: Auth<A>;
  resource<N extends api.Names<A["resources"]>>(
    name: N,
  ): ResourceClient<api.Member<A["resources"], N>>;
  /** Runs a standalone action, named as `METHOD /path`. `parameters` fill the path. */
  run<N extends api.Names<A["actions"]>>(
    name: N,
    body: api.Body<A["actions"], N>,
    ...rest: api.RunArguments<api.Member<A["actions"], N>, CallOptions>
  ): Promise<api.Answer<A["actions"], N>>;
  /** Runs several writes in one transaction, all or none. */
  readonly changeset: Changeset<A>;
  /** Yields changes and signals as they happen, with the values that the caller may read. */
  readonly subscribe: Subscribe<A>;
  /** True for a refusal of this API. With `codes` only these count. */
  isRefusal<C extends A["code"]>(error: unknown, ...codes: readonly C[]): error is ApiError<C>;
}

/** Options of a client. A contract version other than `v1` must be passed, because types do not exist at run time. */
type ClientArguments<A extends api.ApiShape> = "v1" extends A["contract"]
  ? [options?: ClientOptions & { readonly contract?: A["contract"] }]
  : [options: ClientOptions & { readonly contract: A["contract"] }];

/** Makes a client of the API at an origin. Its calls throw `ApiError` for refusals. */
export function createClient<A extends api.ApiShape>(
  baseUrl: string,
  ...[options = {}]: ClientArguments<A>
): Client<A> {
  const version = options.contract ?? "v1";
  const base = `/api/${version}`;
  const store = new SessionStore(options.storage ?? memoryStorage(), baseUrl);
  const cookie = sessionCookie(store, baseUrl);
  const last = { position: null };
  const account = createTransport({ baseUrl, options, credentials: cookie, last });
  const session = new Session({ store, cookie, send: account, tokenPath: `${base}/token` });
  const credentials = givenCredentials(options) ?? session;
  const send = createTransport({ baseUrl, options, credentials, last });
  const caller = new Caller(send, base);
  const stream = {
    send,
    path: `/broadcast/${version}/events`,
    ...(options.wait ? { wait: options.wait } : {}),
  };
  return {
    // The types of one API describe these members more exactly.
    auth: Object(new RemoteAuth({ store, session, send: account, base: `/auth/${version}` })),
    changeset: Object((operations: unknown, callOptions?: CallOptions) =>
      caller.json({ method: "POST", path: "/changeset", body: { operations } }, callOptions)
    ),
    subscribe: Object((asked?: SubscribeOptions<string>) => subscribe(stream, asked)),
    resource: (name) => new RemoteResource(caller, segmentOf(name)),
    run: (name, body, ...[options]) => {
      const { parameters = {}, ...callOptions }: RunOptions = Object(options ?? {});
      return caller.action(pathOf(name, parameters), name.slice(0, name.indexOf(" ")), {
        body,
        options: callOptions,
      });
    },
    isRefusal: <C extends A["code"]>(
      error: unknown,
      ...codes: readonly C[]
    ): error is ApiError<C> =>
      error instanceof ApiError &&
      (codes.length === 0 || codes.some((code) => code === error.code)),
  };
}

interface RunOptions extends CallOptions {
  readonly parameters?: Readonly<Record<string, unknown>>;
}

function pathOf(name: string, parameters: Readonly<Record<string, unknown>>): string {
  const path = name.slice(name.indexOf(" ") + 1);
  return path.replace(/:([A-Za-z0-9_]+)/g, (_, parameter: string) => {
    const value = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
    if (value === undefined) throw new TypeError(`${name} needs the path parameter "${parameter}"`);
    return encodeURIComponent(String(value));
  });
}
