/** Types of the client of one resource (contract 4.1 to 4.4). */
import type * as api from "./api.ts";
import type { FileClient, FilesClient } from "./file_client.ts";
import type { Exactly, NarrowedPage, NarrowedRead, NarrowedRecord } from "./narrowed.ts";
import type { CallOptions } from "./transport.ts";

export interface Tagged<T> {
  readonly record: T;
  /** Tag for `ifMatch`; null: the resource has no revision. */
  readonly tag: string | null;
}

/** Reads of many records. The answer's type depends on `fields` and `include`. */
export interface Pages<Q, Page> {
  /** Reads one page. */
  list<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): Promise<NarrowedPage<Page, S>>;
  /** Reads the first record; null: there is none. */
  first<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): Promise<NarrowedRecord<api.PageRecord<Page>, S> | null>;
  /** Yields page after page by cursor. */
  pages<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): AsyncGenerator<NarrowedPage<Page, S>, void, void>;
  /** Yields record after record over all pages. */
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
  /** Reads a record with the tag for a guarded write. */
  tagged(id: api.Id<R>, options?: CallOptions): Promise<Tagged<api.Answer<R, "get">>>;
  /** Reads a record's changes, the newest first, masked as the caller may see them now. */
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
  /** Deletes a record. `input` is that of the action that runs in place of the delete, if there is one. */
  delete(
    id: api.Id<R>,
    ...rest: api.DeleteArguments<R, CallOptions>
  ): Promise<api.Answer<R, "delete">>;
  /** Restores a soft-deleted record, with the rows that were deleted together with it. */
  restore(id: api.Id<R>, options?: CallOptions): Promise<api.Answer<R, "restore">>;
  /** Returns access to the file of a column. */
  file<N extends api.Names<api.Member<R, "files">>>(
    id: api.Id<R>,
    column: N,
  ): FileClient<api.Member<api.Member<R, "files">, N>>;
  /** Returns access to the files of a column with several. */
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
  /** Returns the view of this name (contract 4.2). */
  view<N extends api.Names<api.Member<R, "views">>>(
    name: N,
  ): Pages<api.Query<api.Member<R, "views">, N>, api.Answer<api.Member<R, "views">, N>>;
  /** Runs an action on one record. */
  run<N extends api.Names<api.Member<R, "actions">>>(
    name: N,
    id: api.Id<R>,
    ...rest: api.ActionArguments<api.Member<api.Member<R, "actions">, N>, ActionOptions>
  ): Promise<api.Answer<api.Member<R, "actions">, N>>;
  /** Runs an action on several records, each on its own. */
  runMany<N extends api.Names<api.Member<R, "bulkActions">>>(
    name: N,
    batch: Batch<R, api.Member<api.Member<api.Member<R, "bulkActions">, N>, "body">>,
    options?: CallOptions,
  ): Promise<BatchAnswer<api.Id<R>, api.Answer<api.Member<R, "bulkActions">, N>>>;
}

export interface ActionOptions extends CallOptions {
  /** Required if it is not POST. */
  readonly method?: string;
  /** Runs the action and rolls it back. */
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
