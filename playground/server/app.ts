/** The playground's routes. Its files are everybody's; whatever says or does something is for its own page. */
import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { bytesEqual } from "../../shared/lib/bytes.ts";
import { frame, KEEP_ALIVE, type ServiceLogEntry } from "../../shared/service/mod.ts";
import { type EditorLibrary, ROUTES, type Status, TOKEN_HEADER } from "../protocol.ts";
import { type ApiAddress, askApi } from "./ask_api.ts";
import { compileService } from "./compile_service.ts";
import type { CompileFiles, Unreadable } from "./definition_files.ts";
import { declarationsOf } from "./declarations.ts";
import { DefinitionFiles, projectOf } from "./definition_files.ts";
import { guarded, pageFiles, type PageOptions } from "./page_files.ts";
import * as requests from "./request_body.ts";

export interface PlaygroundOptions {
  readonly home: Home;
  readonly project: {
    readonly name: string;
    /** Absolute path. */
    readonly folder: string;
    readonly read: () => Promise<CompileFiles | Unreadable>;
    /** Declarations that the last compile without mistakes has left, by path from the project. */
    readonly declared: () => Promise<Readonly<Record<string, string>>>;
  };
  readonly library: () => Promise<EditorLibrary>;
  /** Folder for what the page is made of; null: nothing is kept. */
  readonly cache: string | null;
  /** At the beginning. */
  readonly status: Status;
  /** Null until it serves for the first time. */
  readonly api: () => ApiAddress | null;
  readonly log: (entry: ServiceLogEntry) => void;
}

export interface PlaygroundApp {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly feed: StatusFeed;
}

/** Kept by the browser, which asks whether it has changed. */
const KEPT = { "cache-control": "no-cache" };

type Env = { Bindings: PageOptions };

export function createPlaygroundApp(options: PlaygroundOptions): PlaygroundApp {
  const app = new Hono<Env>();
  const { home } = options;
  const feed = new StatusFeed(options.status);
  const onFailure = (error: unknown) =>
    options.log({ level: "error", message: "The playground's page cannot be made", error });
  app.use(async (c, next) => {
    requireHost(c.req.raw, home);
    await next();
  });
  for (const [path, { type, read }] of pageFiles({ ...options, onFailure })) {
    app.get(path, compress(), etag(), async (c) => {
      const body = await read(c.env);
      const headers = { "content-type": type, ...(path === "/" ? {} : KEPT) };
      return new Response(body, { headers });
    });
  }
  app.use(async (c, next) => {
    requireOwnPage(c.req.raw);
    requireToken(c.req.raw, home);
    await next();
  });
  app.get(ROUTES.events, () => feed.response());
  routes(app, options);
  app.notFound(() =>
    requests.refusalResponse(new requests.PlaygroundRefusal("ROUTE_NOT_FOUND", "Nothing is here"))
  );
  app.onError((error) => requests.refusalResponse(refusalOf(error, options)));
  const fetch = async (request: Request) => {
    const nonce = crypto.randomUUID();
    return guarded(await app.fetch(request, { nonce }), nonce);
  };
  return { feed, fetch };
}

function routes(app: Hono<Env>, { project, api, log }: PlaygroundOptions): void {
  const files = new DefinitionFiles(project.folder);
  const compile = once(() => compileService(log));
  app.get(
    ROUTES.project,
    async () => Response.json(await projectOf(project.name, await project.read())),
  );
  app.post(ROUTES.compile, (c) => compile()(c.req.raw));
  app.post(ROUTES.declarations, async (c) => {
    const edits = await requests.readEdits(c.req.raw);
    return Response.json(await declarationsOf(edits, project));
  });
  app.put(`${ROUTES.files}/*`, async (c) => {
    const write = { path: filePath(c.req.raw), text: await requests.readText(c.req.raw) };
    const hash = await files.write({ ...write, replaces: requests.readHash(c.req.raw) });
    return Response.json({ hash });
  });
  app.delete(`${ROUTES.files}/*`, async (c) => {
    await files.remove(filePath(c.req.raw), requireHash(requests.readHash(c.req.raw)));
    return new Response(null, { status: 204 });
  });
  app.post(ROUTES.renames, async (c) => {
    const { from, to } = await requests.readRename(c.req.raw);
    await files.rename({ from, to, hash: requireHash(requests.readHash(c.req.raw)) });
    return new Response(null, { status: 204 });
  });
  app.post(ROUTES.requests, async (c) => {
    const request = await requests.readApiRequest(c.req.raw);
    const address = api();
    if (address !== null) return Response.json(await askApi(request, address));
    throw new requests.PlaygroundRefusal(
      "NO_API",
      "No API serves yet: the definitions have not compiled",
    );
  });
}

function requireHash(hash: string | null): string {
  if (hash !== null) return hash;
  throw new requests.PlaygroundRefusal(
    "HASH_MISSING",
    "'If-Match' names the version that the page has seen",
  );
}

function filePath({ url }: Request): string {
  const encoded = new URL(url).pathname.slice(ROUTES.files.length + 1);
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new requests.PlaygroundRefusal("PATH_REFUSED", "The path is not encoded as a URL's");
  }
}

function refusalOf(error: Error, { log }: PlaygroundOptions): requests.PlaygroundRefusal {
  if (error instanceof requests.PlaygroundRefusal) return error;
  log({ level: "error", message: "The playground failed", error });
  return new requests.PlaygroundRefusal(
    "FAILED",
    "The playground failed: the terminal of dev says why",
  );
}

function once<Result>(make: () => Result): () => Result {
  let made: { readonly value: Result } | null = null;
  return () => (made ??= { value: make() }).value;
}

/**
 * Guards the playground's server, which serves its own page only. Another page in the same browser is stopped by `Host`,
 * `Origin` and `Sec-Fetch-Site`, another user of this machine by the token (docs/decisions/commands.md).
 */
interface Home {
  readonly port: number;
  readonly token: string;
}

const NAMES = ["127.0.0.1", "localhost"] as const;

/** A name that leads here by rebinding is no name of ours. */
function requireHost({ headers }: Request, { port }: Home): void {
  const host = headers.get("host");
  if (NAMES.some((name) => host === `${name}:${port}`)) return;
  throw new requests.PlaygroundRefusal(
    "HOST_REFUSED",
    `The playground answers at 127.0.0.1:${port} and under no other name`,
  );
}

/** Browsers set both headers themselves; no page can write them. */
function requireOwnPage({ headers, method }: Request): void {
  const origin = headers.get("origin");
  const own = `http://${headers.get("host")}`;
  const isOwnOrigin = origin === own || (origin === null && method === "GET");
  if (isOwnOrigin && headers.get("sec-fetch-site") === "same-origin") return;
  throw new requests.PlaygroundRefusal(
    "ORIGIN_REFUSED",
    "Only the playground's own page is answered",
  );
}

function requireToken({ headers }: Request, { token }: Home): void {
  const encoder = new TextEncoder();
  if (bytesEqual(encoder.encode(headers.get(TOKEN_HEADER) ?? ""), encoder.encode(token))) return;
  throw new requests.PlaygroundRefusal(
    "TOKEN_REFUSED",
    "The page belongs to another run of dev: open the address that dev printed",
  );
}

const KEEP_ALIVE_MILLISECONDS = 15_000;

type Listener = ReadableStreamDefaultController<Uint8Array>;

/** Tells every open page what `dev` is doing, and that files have changed on disk. */
class StatusFeed {
  readonly #listeners = new Map<Listener, ReturnType<typeof setInterval>>();
  readonly #encoder = new TextEncoder();
  #status: Status;

  constructor(status: Status) {
    this.#status = status;
  }

  get status(): Status {
    return this.#status;
  }

  /** To pages that are open, and first of all to those that open later. */
  tell(status: Status): void {
    this.#status = status;
    this.#send(frame("status", status));
  }

  /** The page reads the project again. */
  tellFilesChanged(): void {
    this.#send(frame("files", {}));
  }

  /** `status` and `files` events until the page leaves. */
  response(): Response {
    let own: Listener | null = null;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        controller.enqueue(this.#encoder.encode(frame("status", this.#status)));
        const alive = () => controller.enqueue(this.#encoder.encode(KEEP_ALIVE));
        this.#listeners.set(controller, setInterval(alive, KEEP_ALIVE_MILLISECONDS));
      },
      cancel: () => this.#forget(own),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  close(): void {
    for (const listener of [...this.#listeners.keys()]) {
      this.#forget(listener);
      listener.close();
    }
  }

  #forget(listener: Listener | null): void {
    if (listener === null) return;
    clearInterval(this.#listeners.get(listener));
    this.#listeners.delete(listener);
  }

  #send(text: string): void {
    for (const listener of this.#listeners.keys()) listener.enqueue(this.#encoder.encode(text));
  }
}
