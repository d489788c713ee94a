/**
 * Options of queries and mutations for TanStack Query 5 in any framework, and a cache that follows the API's frames. It imports
 * nothing of that library: a `QueryClient` has the required methods.
 */
import type { Answer, ApiShape, Body, Id, Member, Names, Query } from "./api.ts";
import type { Client } from "./client.ts";
import type { Pages, ResourceClient } from "./resource_client.ts";
import type { Exactly, NarrowedPage, NarrowedRead } from "./narrowed.ts";
import type { SubscribeOptions } from "./subscription.ts";
import { segmentOf } from "./resource_name.ts";

/** `["quickback", resource, ...]`: the part of the cache of an API, a resource or a record. */
export type QueryKey = readonly unknown[];

interface Filters {
  readonly queryKey: QueryKey;
}

/** The methods of a `QueryClient` that are used here. */
export interface QueryCache {
  invalidateQueries(
    filters: Filters | { readonly predicate: (query: { readonly queryKey: QueryKey }) => boolean },
  ): Promise<void>;
  cancelQueries(filters: Filters): Promise<void>;
  getQueriesData(filters: Filters): readonly (readonly [QueryKey, unknown])[];
  setQueriesData(filters: Filters, update: (data: unknown) => unknown): unknown;
  setQueryData(key: QueryKey, data: unknown): unknown;
}

/** Options for `useQuery`, `prefetchQuery` and the like. */
export interface QueryOptions<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>;
}

/** Options for `useInfiniteQuery`: page after page by cursor. */
export interface InfiniteQueryOptions<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (
    context: { readonly signal: AbortSignal; readonly pageParam: string | null },
  ) => Promise<T>;
  readonly initialPageParam: string | null;
  readonly getNextPageParam: (page: T) => string | null;
}

/** Options for `useMutation`. Changed data is read again afterwards. */
export interface MutationOptions<T, Variables> {
  readonly mutationFn: (variables: Variables) => Promise<T>;
  /** Shows the change before it is made. */
  readonly onMutate?: (variables: Variables) => Promise<Before>;
  /** Restores what was shown before. */
  readonly onError?: (error: Error, variables: Variables, before: Before | undefined) => void;
  readonly onSettled: () => Promise<void>;
}

/** The cache before the change. */
type Before = readonly (readonly [QueryKey, unknown])[];

export interface PageQueries<Q, Page> {
  list<const S extends Q>(query?: Exactly<S, Q>): QueryOptions<NarrowedPage<Page, S>>;
  pages<const S extends Q>(query?: Exactly<S, Q>): InfiniteQueryOptions<NarrowedPage<Page, S>>;
}

export interface ResourceQueries<R> extends PageQueries<Query<R, "list">, Answer<R, "list">> {
  /** Key of everything that was read of the resource. */
  readonly key: QueryKey;
  get<const S extends Query<R, "get">>(
    id: Id<R>,
    query?: Exactly<S, Query<R, "get">>,
  ): QueryOptions<NarrowedRead<Answer<R, "get">, S>>;
  view<N extends Names<Member<R, "views">>>(
    name: N,
  ): PageQueries<Query<Member<R, "views">, N>, Answer<Member<R, "views">, N>>;
  create(): MutationOptions<Answer<R, "create">, Body<R, "create">>;
  /** Updates a record. The change is shown at once wherever the record is shown. */
  update(): MutationOptions<Answer<R, "update">, Change<Id<R>, Body<R, "update">>>;
  /** Deletes a record. It disappears at once from every list. */
  delete(): MutationOptions<Answer<R, "delete">, Deletion<R>>;
  /** Runs an action on one record by POST. For another method write a mutation of your own. */
  run<N extends Posted<Member<R, "actions">>>(
    name: N,
  ): MutationOptions<
    Answer<Member<R, "actions">, N>,
    Change<Id<R>, Body<Member<R, "actions">, N>>
  >;
}

/** The record's id, with the input of the action that runs in place of the delete, if there is one. */
type Deletion<R> = [Body<R, "delete">] extends [never] ? Id<R>
  : Partial<Body<R, "delete">> extends Body<R, "delete"> ? Id<R> | Removal<R>
  : Removal<R>;

interface Removal<R> {
  readonly id: Id<R>;
  readonly input: Body<R, "delete">;
}

interface Change<Key, Input> {
  readonly id: Key;
  readonly body: Input;
}

/** Names of the actions that use POST. */
type Posted<T> = {
  [N in Names<T>]: Member<T[N], "method"> extends "POST" ? N : never;
}[Names<T>];

export interface Queries<A extends ApiShape> {
  /** Key of everything that was read of the API. */
  readonly key: QueryKey;
  resource<N extends Names<A["resources"]>>(name: N): ResourceQueries<Member<A["resources"], N>>;
  /**
   * Reads again what frames report, until the signal aborts. Rejects with the error that ends the subscription. `onFrame` gets
   * each frame, signals included, whose meaning only the application knows.
   */
  follow: Follow<A>;
}

type Follow<A extends ApiShape> = [Names<A["frames"]>] extends [never] ? never
  : (
    options: FollowOptions<Names<A["frames"]>, Member<A["frames"], Names<A["frames"]>>>,
  ) => Promise<
    void
  >;

interface FollowOptions<N extends string, F> extends SubscribeOptions<N> {
  readonly onFrame?: (frame: F) => void;
}

const ALL: QueryKey = ["quickback"];

/** Makes the queries and mutations of one API over the cache of one `QueryClient`. */
export function createQueries<A extends ApiShape>(api: Client<A>, cache: QueryCache): Queries<A> {
  return {
    key: ALL,
    resource: (name) => new CachedResource(api.resource(name), segmentOf(name), cache),
    // The type is `never` in projects without realtime.
    follow: Object((options: FollowOptions<string, unknown>) =>
      follow(Object(api).subscribe(options), cache, options)
    ),
  };
}

class CachedPages<Q, Page> implements PageQueries<Q, Page> {
  readonly #reads: Pages<Q, Page>;
  readonly #key: QueryKey;

  constructor(reads: Pages<Q, Page>, key: QueryKey) {
    this.#reads = reads;
    this.#key = key;
  }

  list<const S extends Q>(query?: Exactly<S, Q>): QueryOptions<NarrowedPage<Page, S>> {
    return {
      queryKey: [...this.#key, "list", query ?? {}],
      queryFn: ({ signal }) => this.#reads.list<S>(query, { signal }),
    };
  }

  pages<const S extends Q>(query?: Exactly<S, Q>): InfiniteQueryOptions<NarrowedPage<Page, S>> {
    return {
      queryKey: [...this.#key, "pages", query ?? {}],
      queryFn: ({ signal, pageParam }) => {
        const at = pageParam === null ? {} : { offset: undefined, starting_after: pageParam };
        return this.#reads.list<S>(Object({ ...Object(query), ...at }), { signal });
      },
      initialPageParam: null,
      getNextPageParam(page) {
        const { pagination }: { pagination?: { nextCursor?: string | null } } = Object(page);
        return pagination?.nextCursor ?? null;
      },
    };
  }
}

function pagesOf<Q, Page>(reads: Pages<Q, Page>, key: QueryKey): PageQueries<Q, Page> {
  return new CachedPages(reads, key);
}

class CachedResource<R> extends CachedPages<Query<R, "list">, Answer<R, "list">>
  implements ResourceQueries<R> {
  readonly key: QueryKey;
  readonly #resource: ResourceClient<R>;
  readonly #cache: QueryCache;

  constructor(resource: ResourceClient<R>, segment: string, cache: QueryCache) {
    const key = [...ALL, segment];
    super(resource, key);
    this.key = key;
    this.#resource = resource;
    this.#cache = cache;
  }

  get<const S extends Query<R, "get">>(
    id: Id<R>,
    query?: Exactly<S, Query<R, "get">>,
  ): QueryOptions<NarrowedRead<Answer<R, "get">, S>> {
    return {
      queryKey: [...this.key, "get", id, query ?? {}],
      queryFn: ({ signal }) => this.#resource.get<S>(id, query, { signal }),
    };
  }

  view<N extends Names<Member<R, "views">>>(
    name: N,
  ): PageQueries<Query<Member<R, "views">, N>, Answer<Member<R, "views">, N>> {
    return pagesOf(this.#resource.view(name), [...this.key, "view", name]);
  }

  create(): MutationOptions<Answer<R, "create">, Body<R, "create">> {
    return this.#mutation((body) => this.#resource.create(body));
  }

  update(): MutationOptions<Answer<R, "update">, Change<Id<R>, Body<R, "update">>> {
    return this.#optimistic(
      ({ id, body }) => this.#resource.update(id, body),
      ({ id, body }) => (record) => record.id === id ? changed(record, Object(body)) : record,
    );
  }

  delete(): MutationOptions<Answer<R, "delete">, Deletion<R>> {
    const resource: DeleteCall<Answer<R, "delete">> = Object(this.#resource);
    return this.#optimistic(
      (deletion) => resource.delete(...deletionOf(deletion)),
      (deletion) => {
        const [id] = deletionOf(deletion);
        return (record) => record.id === id ? null : record;
      },
    );
  }

  run<N extends Posted<Member<R, "actions">>>(
    name: N,
  ): MutationOptions<
    Answer<Member<R, "actions">, N>,
    Change<Id<R>, Body<Member<R, "actions">, N>>
  > {
    const call: ActionCall = Object(this.#resource);
    return this.#mutation(({ id, body }) => call.run(name, id, body));
  }

  #mutation<T, V>(mutationFn: (variables: V) => Promise<T>): MutationOptions<T, V> {
    const own = { queryKey: this.key };
    return { mutationFn, onSettled: () => this.#cache.invalidateQueries(own) };
  }

  #optimistic<T, V>(
    mutationFn: (variables: V) => Promise<T>,
    changeOf: (variables: V) => RecordChange,
  ): MutationOptions<T, V> {
    const own = { queryKey: this.key };
    const cache = this.#cache;
    return {
      ...this.#mutation(mutationFn),
      async onMutate(variables) {
        // A read in progress would restore the old state.
        await cache.cancelQueries(own);
        const before = cache.getQueriesData(own);
        const change = changeOf(variables);
        cache.setQueriesData(own, (data) => changedData(data, change));
        return before;
      },
      onError(_error, _variables, before = []) {
        for (const [key, data] of before) cache.setQueryData(key, data);
      },
    };
  }
}

/** The method without the types that depend on the API. */
interface DeleteCall<T> {
  delete(id: unknown, options: { readonly input?: unknown }): Promise<T>;
}

/** Distinguishes an id from an object with an id. */
function deletionOf(deletion: unknown): [id: unknown, options: { readonly input?: unknown }] {
  if (typeof deletion !== "object" || deletion === null) return [deletion, {}];
  const { id, input }: { readonly id?: unknown; readonly input?: unknown } = deletion;
  return [id, { input }];
}

/** The method whose arguments depend on the HTTP method, which is always POST here. */
interface ActionCall {
  run<T>(name: string, id: unknown, body: unknown): Promise<T>;
}

interface CachedRecord {
  readonly id?: unknown;
}

/** Returns the changed record; null: it is gone. */
type RecordChange = (record: CachedRecord) => CachedRecord | null;

/** Applies a body to a record. Members that the record was read without are left out. */
function changed(record: CachedRecord, body: object): CachedRecord {
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(record, name));
  return { ...record, ...Object.fromEntries(known) };
}

/** Applies a change to a page, to pages of an infinite query, or to a record. */
function changedData(data: unknown, change: RecordChange): unknown {
  if (typeof data !== "object" || data === null) return data;
  const held: { pages?: readonly unknown[]; data?: readonly CachedRecord[] } = data;
  if (Array.isArray(held.pages)) {
    return { ...held, pages: held.pages.map((page) => changedData(page, change)) };
  }
  if (Array.isArray(held.data)) {
    return { ...held, data: held.data.flatMap((record) => change(record) ?? []) };
  }
  // A record that is shown by itself stays until it is read again and refused.
  return change(data) ?? data;
}

interface HeardFrame {
  readonly type: string;
  readonly resource?: string;
  readonly id?: unknown;
}

async function follow(
  frames: AsyncIterable<HeardFrame>,
  cache: QueryCache,
  { onFrame }: FollowOptions<string, unknown>,
): Promise<void> {
  for await (const frame of frames) {
    if (frame.type !== "resync") onFrame?.(frame);
    if (frame.type === "invalidate") continue;
    await cache.invalidateQueries({ predicate: ({ queryKey }) => isAbout(frame, queryKey) });
  }
}

/** True when the cached value under the key may have changed with the frame. */
function isAbout({ resource, id }: HeardFrame, [api, segment, kind, read]: QueryKey): boolean {
  if (api !== ALL[0]) return false;
  if (resource === undefined) return true;
  return segment === segmentOf(resource) && (kind !== "get" || id === undefined || read === id);
}
