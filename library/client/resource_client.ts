/** Types of the client of one resource (contract 4.1 to 4.4). */
import type * as api from "./api.ts";
import type { FileClient, FilesClient } from "./file_client.ts";
import type { Exactly, NarrowedPage, NarrowedRead, NarrowedRecord } from "./narrowed.ts";
import type { CallOptions } from "./transport.ts";

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
