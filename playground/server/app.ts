/** The playground's routes. Its files are everybody's; whatever says or does something is for its own page. */
import { Hono } from "hono";
import type { ServiceLogEntry } from "../../shared/service/mod.ts";
import { ROUTES } from "../protocol.ts";
import { type ApiAddress, askApi } from "./ask_api.ts";
import { compileService } from "./compile_service.ts";
import { DefinitionFiles } from "./definition_files.ts";
import { type Home, requireHost, requireOwnPage, requireToken } from "./guard.ts";
import { pageFiles, type PageOptions } from "./page_files.ts";
import { guarded } from "./page_headers.ts";
import { type CompileFiles, projectOf, type Unreadable } from "./read_project.ts";
import { PlaygroundRefusal, refusalResponse } from "./refusal.ts";
import { readApiRequest, readHash, readRename, readText } from "./request_body.ts";
import type { Status } from "../protocol.ts";
import { StatusFeed } from "./status_feed.ts";

export interface PlaygroundOptions {
  readonly home: Home;
  readonly project: {
    readonly name: string;
    /** Absolute path. */
    readonly folder: string;
    readonly read: () => Promise<CompileFiles | Unreadable>;
  };
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
  for (const [path, { type, read }] of pageFiles({ onFailure })) {
    app.get(path, async (c) => {
      const body = await read(c.env);
      return new Response(body, { headers: { "content-type": type } });
    });
  }
  app.use(async (c, next) => {
    requireOwnPage(c.req.raw);
    requireToken(c.req.raw, home);
    await next();
  });
  app.get(ROUTES.events, () => feed.response());
  routes(app, options);
  app.notFound(() => refusalResponse(new PlaygroundRefusal("ROUTE_NOT_FOUND", "Nothing is here")));
  app.onError((error) => refusalResponse(refusalOf(error, options)));
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
  app.put(`${ROUTES.files}/*`, async (c) => {
    const write = { path: filePath(c.req.raw), text: await readText(c.req.raw) };
    const hash = await files.write({ ...write, replaces: readHash(c.req.raw) });
    return Response.json({ hash });
  });
  app.delete(`${ROUTES.files}/*`, async (c) => {
    await files.remove(filePath(c.req.raw), requireHash(readHash(c.req.raw)));
    return new Response(null, { status: 204 });
  });
  app.post(ROUTES.renames, async (c) => {
    const { from, to } = await readRename(c.req.raw);
    await files.rename({ from, to, hash: requireHash(readHash(c.req.raw)) });
    return new Response(null, { status: 204 });
  });
  app.post(ROUTES.requests, async (c) => {
    const request = await readApiRequest(c.req.raw);
    const address = api();
    if (address !== null) return Response.json(await askApi(request, address));
    throw new PlaygroundRefusal("NO_API", "No API serves yet: the definitions have not compiled");
  });
}

function requireHash(hash: string | null): string {
  if (hash !== null) return hash;
  throw new PlaygroundRefusal(
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
    throw new PlaygroundRefusal("PATH_REFUSED", "The path is not encoded as a URL's");
  }
}

function refusalOf(error: Error, { log }: PlaygroundOptions): PlaygroundRefusal {
  if (error instanceof PlaygroundRefusal) return error;
  log({ level: "error", message: "The playground failed", error });
  return new PlaygroundRefusal("FAILED", "The playground failed: the terminal of dev says why");
}

function once<Result>(make: () => Result): () => Result {
  let made: { readonly value: Result } | null = null;
  return () => (made ??= { value: make() }).value;
}
