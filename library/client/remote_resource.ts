/** One resource of the API: its operations, its views and its actions (contract 4.1–4.4). */
import type { Answer, Body, Id, Member, Names, PageRecord, Query } from "./api.ts";
import type { Caller } from "./caller.ts";
import type {
  ActionOptions,
  Batch,
  BatchAnswer,
  Pages,
  ResourceClient,
  Tagged,
} from "./resource_client.ts";
import type { FileClient, FilesClient } from "./file_client.ts";
import { RemoteFile, RemoteFiles } from "./remote_file.ts";
import type { Exactly, NarrowedPage, NarrowedRead, NarrowedRecord } from "./narrowed.ts";
import { queryText } from "./query_text.ts";
import type { CallOptions } from "./transport.ts";

/** Pages of a list at a path. */
class RemotePages<Q, Page> implements Pages<Q, Page> {
  constructor(protected readonly caller: Caller, private readonly pagesPath: string) {}

  list<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): Promise<NarrowedPage<Page, S>> {
    return this.caller.json(
      { method: "GET", path: this.pagesPath + queryText(Object(query)) },
      options,
    );
  }

  async first<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): Promise<NarrowedRecord<PageRecord<Page>, S> | null> {
    const path = this.pagesPath + queryText({ ...Object(query), limit: 1 });
    const { data }: Data<Page, S> = await this.caller.json({ method: "GET", path }, options);
    return data[0] ?? null;
  }

  async *pages<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): AsyncGenerator<NarrowedPage<Page, S>, void, void> {
    let next: string | null = null;
    do {
      const asked: object = next === null
        ? Object(query)
        : { ...Object(query), offset: undefined, starting_after: next };
      const path = this.pagesPath + queryText(asked);
      const page: NarrowedPage<Page, S> = await this.caller.json({ method: "GET", path }, options);
      yield page;
      const { pagination }: { pagination?: { nextCursor?: string | null } } = Object(page);
      next = pagination?.nextCursor ?? null;
    } while (next !== null);
  }

  async *all<const S extends Q>(
    query?: Exactly<S, Q>,
    options?: CallOptions,
  ): AsyncGenerator<NarrowedRecord<PageRecord<Page>, S>, void, void> {
    for await (const page of this.pages<S>(query, options)) {
      const { data }: Data<Page, S> = page;
      yield* data;
    }
  }
}

/** Members of every page. */
interface Data<Page, S> {
  readonly data: readonly NarrowedRecord<PageRecord<Page>, S>[];
}

export class RemoteResource<R> extends RemotePages<Query<R, "list">, Answer<R, "list">>
  implements ResourceClient<R> {
  private readonly path: string;

  constructor(caller: Caller, segment: string) {
    super(caller, `/${segment}`);
    this.path = `/${segment}`;
  }

  get<const S extends Query<R, "get">>(
    id: Id<R>,
    query?: Exactly<S, Query<R, "get">>,
    options?: CallOptions,
  ): Promise<NarrowedRead<Answer<R, "get">, S>> {
    const path = this.pathOf(id) + queryText(Object(query));
    return this.caller.json({ method: "GET", path }, options);
  }

  async tagged(id: Id<R>, options?: CallOptions): Promise<Tagged<Answer<R, "get">>> {
    const response = await this.caller.answer({ method: "GET", path: this.pathOf(id) }, options);
    const record: Answer<R, "get"> = await response.json();
    return { record, tag: response.headers.get("etag") };
  }

  history(id: Id<R>): Pages<Query<R, "history">, Answer<R, "history">> {
    return new RemotePages(this.caller, `${this.pathOf(id)}/history`);
  }

  create(body: Body<R, "create">, options?: CallOptions): Promise<Answer<R, "create">> {
    return this.caller.write({ method: "POST", path: this.path, body }, options);
  }

  update(
    id: Id<R>,
    body: Body<R, "update">,
    options?: CallOptions,
  ): Promise<Answer<R, "update">> {
    return this.caller.write({ method: "PATCH", path: this.pathOf(id), body }, options);
  }

  upsert(
    id: Id<R>,
    body: Body<R, "upsert">,
    options?: CallOptions,
  ): Promise<Answer<R, "upsert">> {
    return this.caller.json({ method: "PUT", path: this.pathOf(id), body }, options);
  }

  delete(
    id: Id<R>,
    ...[given]: [options?: CallOptions & { readonly input?: unknown }]
  ): Promise<Answer<R, "delete">> {
    const { input, ...options } = given ?? {};
    const body = input === undefined ? {} : { body: input };
    return this.caller.write({ method: "DELETE", path: this.pathOf(id), ...body }, options);
  }

  restore(id: Id<R>, options?: CallOptions): Promise<Answer<R, "restore">> {
    return this.caller.json({ method: "POST", path: `${this.pathOf(id)}/restore` }, options);
  }

  file<N extends Names<Member<R, "files">>>(
    id: Id<R>,
    column: N,
  ): FileClient<Member<Member<R, "files">, N>> {
    return new RemoteFile(this.caller, `${this.pathOf(id)}/${column}`);
  }

  files<N extends Names<Member<R, "fileLists">>>(
    id: Id<R>,
    column: N,
  ): FilesClient<Member<Member<R, "fileLists">, N>> {
    return new RemoteFiles(this.caller, `${this.pathOf(id)}/${column}`);
  }

  createBatch(
    body: Body<R, "batchCreate">,
    options?: CallOptions,
  ): Promise<Answer<R, "batchCreate">> {
    return this.batch("POST", body, options);
  }

  updateBatch(
    body: Body<R, "batchUpdate">,
    options?: CallOptions,
  ): Promise<Answer<R, "batchUpdate">> {
    return this.batch("PATCH", body, options);
  }

  upsertBatch(
    body: Body<R, "batchUpsert">,
    options?: CallOptions,
  ): Promise<Answer<R, "batchUpsert">> {
    return this.batch("PUT", body, options);
  }

  deleteBatch(
    body: Body<R, "batchDelete">,
    options?: CallOptions,
  ): Promise<Answer<R, "batchDelete">> {
    return this.batch("DELETE", body, options);
  }

  view<N extends Names<Member<R, "views">>>(
    name: N,
  ): Pages<Query<Member<R, "views">, N>, Answer<Member<R, "views">, N>> {
    return new RemotePages(this.caller, `${this.path}/views/${name}`);
  }

  run<T>(
    name: string,
    id: Id<R>,
    ...[body, options = {}]: [body?: unknown, options?: ActionOptions]
  ): Promise<T> {
    const { method = "POST", ...callOptions } = options;
    return this.caller.action(`${this.pathOf(id)}/${name}`, method, { body, options: callOptions });
  }

  runMany<Input, Item>(
    name: string,
    batch: Batch<R, Input>,
    options?: CallOptions,
  ): Promise<BatchAnswer<Id<R>, Item>> {
    const path = `${this.path}/batch/${name}`;
    return this.caller.json({ method: "POST", path, body: batch }, options);
  }

  private batch<T>(method: string, body: unknown, options?: CallOptions): Promise<T> {
    return this.caller.json({ method, path: `${this.path}/batch`, body }, options);
  }

  private pathOf(id: Id<R>): string {
    return `${this.path}/${encodeURIComponent(String(id))}`;
  }
}
