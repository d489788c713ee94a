/** A typed client of a generated API: `createClient<Api>("https://api.example.com")` (contract 9.5). */
import type * as api from "./api.ts";
import { ApiError } from "./api_error.ts";
import { type Auth, RemoteAuth } from "./auth.ts";
import { Caller } from "./caller.ts";
import type { Changeset } from "./changeset.ts";
import { givenCredentials } from "./credentials.ts";
import type { Exactly, NarrowedPage, NarrowedRead, NarrowedRecord } from "./narrowed.ts";
import { segmentOf } from "./resource_name.ts";
import { RemoteResource } from "./remote_resource.ts";
import { Session, sessionCookie } from "./session.ts";
import { memoryStorage, SessionStore } from "./session_store.ts";
import { type Subscribe, subscribe, type SubscribeOptions } from "./subscription.ts";
import { type CallOptions, type ClientOptions, createTransport } from "./transport.ts";

export interface Tagged<T> {
  readonly record: T;
  /** For `ifMatch`; null: the resource has no revision. */
  readonly tag: string | null;
}

/** Reads of many records. What `fields` and `include` ask for is what the answers hold. */
export interface Pages<Q, Page> {
  /** One page. */
  list<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): Promise<NarrowedPage<Page, S>>;
  /** The first record; null: there is none. */
  first<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): Promise<NarrowedRecord<api.PageRecord<Page>, S> | null>;
  /** Page after page, by cursor. */
  pages<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): AsyncGenerator<NarrowedPage<Page, S>, void, void>;
  /** Record after record, whatever the pages. */
  all<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): AsyncGenerator<NarrowedRecord<api.PageRecord<Page>, S>, void, void>;
}

export interface ResourceClient<R> extends Pages<api.Query<R, "list">, api.Answer<R, "list">> {
  get<const S extends api.Query<R, "get">>(
    id: api.Id<R>,
    query?: Exactly<S, api.Query<R, "get">>,
    options?: CallOptions,
  ): Promise<NarrowedRead<api.Answer<R, "get">, S>>;
  /** The record with the tag that a guarded write names. */
  tagged(id: api.Id<R>, options?: CallOptions): Promise<Tagged<api.Answer<R, "get">>>;
  /** The record's changes, newest first; as the caller may see them today. */
  history(id: api.Id<R>): Pages<api.Query<R, "history">, api.Answer<R, "history">>;
  create(body: api.Body<R, "create">, options?: CallOptions): Promise<api.Answer<R, "create">>;
  update(
    id: api.Id<R>,
    body: api.Body<R, "update">,
    options?: CallOptions,
  ): Promise<api.Answer<R, "update">>;
  upsert(
    id: api.Id<R>,
    body: api.Body<R, "upsert">,
    options?: CallOptions,
  ): Promise<api.Answer<R, "upsert">>;
  /** `input` is that of the action which stands for the delete; a delete without one takes none. */
  delete(
    id: api.Id<R>,
    ...rest: api.DeleteArguments<R, CallOptions>
  ): Promise<api.Answer<R, "delete">>;
  /** Takes a soft deletion back, with what it took along. */
  restore(id: api.Id<R>, options?: CallOptions): Promise<api.Answer<R, "restore">>;
  /** The file that a column of the record holds. */
  file<N extends api.Names<api.Member<R, "files">>>(
    id: api.Id<R>,
    column: N,
  ): FileClient<api.Member<api.Member<R, "files">, N>>;
  /** The files of a column that holds several. */
  files<N extends api.Names<api.Member<R, "fileLists">>>(
    id: api.Id<R>,
    column: N,
  ): FilesClient<api.Member<api.Member<R, "fileLists">, N>>;
  createBatch(body: api.Body<R, "batchCreate">, options?: CallOptions): Promise<
    api.Answer<R, "batchCreate">
  >;
  updateBatch(body: api.Body<R, "batchUpdate">, options?: CallOptions): Promise<
    api.Answer<R, "batchUpdate">
  >;
  upsertBatch(body: api.Body<R, "batchUpsert">, options?: CallOptions): Promise<
    api.Answer<R, "batchUpsert">
  >;
  deleteBatch(body: api.Body<R, "batchDelete">, options?: CallOptions): Promise<
    api.Answer<R, "batchDelete">
  >;
  /** The view of this name (contract 4.2). */
  view<N extends api.Names<api.Member<R, "views">>>(
    name: N,
  ): Pages<api.Query<api.Member<R, "views">, N>, api.Answer<api.Member<R, "views">, N>>;
  /** An action on one record. */
  run<N extends api.Names<api.Member<R, "actions">>>(
    name: N,
    id: api.Id<R>,
    ...rest: api.ActionArguments<api.Member<api.Member<R, "actions">, N>, ActionOptions>
  ): Promise<api.Answer<api.Member<R, "actions">, N>>;
  /** An action on several records, each by itself. */
  runMany<N extends api.Names<api.Member<R, "bulkActions">>>(
    name: N,
    batch: Batch<R, api.Member<api.Member<api.Member<R, "bulkActions">, N>, "body">>,
    options?: CallOptions,
  ): Promise<BatchAnswer<api.Id<R>, api.Answer<api.Member<R, "bulkActions">, N>>>;
}

export interface FileClient<F> {
  /** The answer with the bytes as a stream, and name, type and digest in its headers. */
  get(options?: FileReadOptions): Promise<Response>;
  /** Puts a file in place of what is there; its type is the blob's, its name the `File`'s or the one told. */
  put(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "writeFile">>;
  /**
   * The same by way of an address, so that the bytes go to the store itself where it has a server of its own; good for large
   * files. Nobody else's credentials get there with them.
   */
  upload(content: Blob, options?: FileUploadOptions): Promise<api.Answer<F, "writeFile">>;
  /** An address for the bytes, for whoever has it. */
  presign(asked: FilePresign, options?: UnkeyedOptions): Promise<FileAddress>;
  /** Clears the column; no error where it is empty. */
  delete(options?: UnkeyedOptions): Promise<api.Answer<F, "removeFile">>;
}

export interface FilesClient<F> {
  /** The answer with the bytes of one of them. */
  get(fileId: string, options?: FileReadOptions): Promise<Response>;
  /** Puts one more beside those that are there. */
  add(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "addFile">>;
  /** The same by way of an address, as `upload` of one file does. */
  upload(content: Blob, options?: FileUploadOptions): Promise<api.Answer<F, "addFile">>;
  /** Puts one file in place of all that are there. */
  replace(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "writeFile">>;
  /** An address for the bytes, for whoever has it; to read, of the file that `id` names. */
  presign(
    asked: FilePresign & { readonly id?: string },
    options?: UnkeyedOptions,
  ): Promise<FileAddress>;
  /** Removes one of them; no error where it is not there. */
  delete(fileId: string, options?: UnkeyedOptions): Promise<api.Answer<F, "removeFile">>;
}

/** Files take no idempotency keys: what was not answered is not sent again. */
export type UnkeyedOptions = Omit<CallOptions, "idempotencyKey">;

export interface FileReadOptions extends Pick<CallOptions, "signal"> {
  /** First and last byte; without a last one, up to the end. */
  readonly range?: { readonly start: number; readonly end?: number };
}

export interface FileWriteOptions extends UnkeyedOptions {
  readonly name?: string;
}

export interface FileUploadOptions extends FileWriteOptions {
  /** Seconds within which the upload must have begun; 300 unless told. */
  readonly expiresIn?: number;
}

export type FilePresign =
  | { readonly method: "GET"; readonly expiresIn?: number }
  | {
    readonly method: "PUT";
    readonly name?: string;
    /** Bytes. */
    readonly size: number;
    /** Media type. */
    readonly type: string;
    /** Of the bytes, in hex. */
    readonly sha256?: string;
    readonly expiresIn?: number;
  };

export interface FileAddress {
  readonly url: string;
  readonly method: "GET" | "PUT";
  /** To be sent with the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: string;
  /** Of an upload: what confirms it. */
  readonly upload?: string;
}

export interface ActionOptions extends CallOptions {
  /** Needed where it is not POST. */
  readonly method?: string;
  /** Runs the action and takes it back. */
  readonly dryRun?: boolean;
}

export interface Batch<R, Input> {
  readonly ids: readonly api.Id<R>[];
  readonly input?: Input;
  readonly options?: { readonly failFast?: boolean };
}

export interface BatchAnswer<Key, Item> {
  readonly success: readonly Item[];
  readonly errors: readonly { readonly index: number; readonly id: Key; readonly error: unknown }[];
  readonly meta: {
    readonly total: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly failFast: boolean;
    readonly transactional: boolean;
  };
}

export interface Client<A extends api.ApiShape> {
  readonly auth: Auth<A>;
  resource<N extends api.Names<A["resources"]>>(
    name: N,
  ): ResourceClient<api.Member<A["resources"], N>>;
  /** A standalone action, named as `METHOD /path`; `parameters` fill the path's own. */
  run<N extends api.Names<A["actions"]>>(
    name: N,
    body: api.Body<A["actions"], N>,
    options?: CallOptions & { readonly parameters?: Readonly<Record<string, string>> },
  ): Promise<api.Answer<A["actions"], N>>;
  /** Several writes in one transaction, all or nothing. */
  readonly changeset: Changeset<A>;
  /** Changes and signals as they happen, each shown as a read of the caller's own would show it. */
  readonly subscribe: Subscribe<A>;
  /** True for what this API refused, with one of the codes where some are named. */
  isRefusal<C extends A["code"]>(error: unknown, ...codes: readonly C[]): error is ApiError<C>;
}

/** The version of the contract is `v1` unless told: types are gone at run time. */
type ClientArguments<A extends api.ApiShape> = "v1" extends A["contract"]
  ? [options?: ClientOptions & { readonly contract?: A["contract"] }]
  : [options: ClientOptions & { readonly contract: A["contract"] }];

/** A client of the API at that origin. Its calls throw `ApiError` for whatever the API refuses. */
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
    // Their types, which are those of one API, alone say more of them.
    auth: Object(new RemoteAuth({ store, session, send: account, base: `/auth/${version}` })),
    changeset: Object((operations: unknown, callOptions?: CallOptions) =>
      caller.json({ method: "POST", path: "/changeset", body: { operations } }, callOptions)
    ),
    subscribe: Object((asked?: SubscribeOptions<string>) => subscribe(stream, asked)),
    resource: (name) => new RemoteResource(caller, segmentOf(name)),
    run: (name, body, { parameters = {}, ...callOptions } = {}) =>
      caller.action(pathOf(name, parameters), name.slice(0, name.indexOf(" ")), {
        body,
        options: callOptions,
      }),
    isRefusal: <C extends A["code"]>(
      error: unknown,
      ...codes: readonly C[]
    ): error is ApiError<C> =>
      error instanceof ApiError &&
      (codes.length === 0 || codes.some((code) => code === error.code)),
  };
}

function pathOf(name: string, parameters: Readonly<Record<string, string>>): string {
  const path = name.slice(name.indexOf(" ") + 1);
  return path.replace(/:([A-Za-z0-9_]+)/g, (_, parameter: string) => {
    const value = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
    if (value === undefined) throw new TypeError(`${name} needs the path parameter "${parameter}"`);
    return encodeURIComponent(value);
  });
}
