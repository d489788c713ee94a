/** The playground's routes. Its files are everybody's; whatever says or does something is for its own page. */
import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { bytesEqual } from "../../shared/lib/bytes.ts";
import { onceMade } from "../../shared/lib/memo.ts";
import { uriDecoded } from "../../shared/lib/texts.ts";
import type { ServiceLogEntry } from "../../shared/service/mod.ts";
import {
  type Delivery,
  type EditorLibrary,
  ROUTES,
  type Status,
  type StoredRows,
  TOKEN_HEADER,
} from "../protocol.ts";
import { type ApiAddress, askApi } from "./ask_api.ts";
import { apiFrames } from "./api_frames.ts";
import type { CompileHost } from "../../shared/compiler/mod.ts";
import { createCompileService } from "../compile_service.ts";
import type { CompileFiles, Unreadable } from "./definition_files.ts";
import { declarationsOf } from "./declarations.ts";
import { projectOf } from "../project_files.ts";
import { DefinitionFiles, readable } from "./definition_files.ts";
import { guarded, pageFiles, type PageOptions } from "./page_files.ts";
import * as requests from "./request_body.ts";
import { StatusFeed } from "./status_feed.ts";

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
  /** Of the compiles that the page asks for. */
  readonly host: () => Promise<CompileHost>;
  /** Folder for what the page is made of; null: nothing is kept. */
  readonly cache: string | null;
  /** At the beginning. */
  readonly status: Status;
  /** Those that the webhook sink has received before somebody came. */
  readonly deliveries: readonly Delivery[];
  readonly development: Development;
  /** Null until it serves for the first time. */
  readonly api: () => ApiAddress | null;
  readonly log: (entry: ServiceLogEntry) => void;
}

/** Acts of `dev` alone: no output has anything like them. */
export interface Development {
  /** Rows as the database holds them, by id. */
  readonly stored: (table: string, ids: readonly string[]) => Promise<StoredRows>;
  /** Empties the database, and sets the demo anew. */
  readonly reset: () => Promise<void>;
  /** Plants the project's seed; says how that went, or why nothing was planted. */
  readonly seed: () => Promise<string>;
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
  const feed = new StatusFeed(options.status, options.deliveries);
  const onFailure = (error: unknown) =>
    options.log({ level: "error", message: "The playground's page cannot be made", error });
  app.use(async (c, next) => {
    // A name that leads here by rebinding is no name of ours.
    const host = c.req.raw.headers.get("host");
    if (!NAMES.some((name) => host === `${name}:${home.port}`)) {
      throw new requests.PlaygroundRefusal(
        "HOST_REFUSED",
        `The playground answers at 127.0.0.1:${home.port} and under no other name`,
      );
    }
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
    const encoder = new TextEncoder();
    if (
      !bytesEqual(
        encoder.encode(c.req.raw.headers.get(TOKEN_HEADER) ?? ""),
        encoder.encode(home.token),
      )
    ) {
      throw new requests.PlaygroundRefusal(
        "TOKEN_REFUSED",
        "The page belongs to another run of dev: open the address that dev printed",
      );
    }
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

function routes(app: Hono<Env>, options: PlaygroundOptions): void {
  const { project, log } = options;
  const files = new DefinitionFiles(project.folder);
  const compile = onceMade(async () => createCompileService(await options.host(), log));
  app.get(ROUTES.project, async () => {
    const { files, inputSchemas } = readable(await project.read());
    return Response.json(await projectOf(project.name, files, inputSchemas));
  });
  app.post(ROUTES.compile, async (c) => (await compile())(c.req.raw));
  app.post(ROUTES.declarations, async (c) => {
    const edits = await requests.readEdits(c.req.raw);
    return Response.json(await declarationsOf(edits, project));
  });
  app.put(`${ROUTES.files}/*`, async (c) => {
    const path = filePath(c.req.raw);
    const text = await requests.readText(c.req.raw);
    const hash = await files.write(path, text, requests.readHash(c.req.raw));
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
  apiRoutes(app, options);
}

/** Routes to the API and its database. */
function apiRoutes(app: Hono<Env>, { api, development }: PlaygroundOptions): void {
  const address = () => {
    const current = api();
    if (current !== null) return current;
    throw new requests.PlaygroundRefusal(
      "NO_API",
      "No API serves yet: the definitions have not compiled",
    );
  };
  app.post(ROUTES.requests, async (c) => {
    const request = await requests.readApiRequest(c.req.raw);
    return Response.json(await askApi(request, address()));
  });
  app.post(ROUTES.frames, async (c) => {
    const { as } = await requests.readFramesRequest(c.req.raw);
    return await apiFrames(as, address());
  });
  app.post(ROUTES.stored, async (c) => {
    const { table, ids } = await requests.readStoredQuestion(c.req.raw);
    return Response.json(await development.stored(table, ids));
  });
  app.post(ROUTES.reset, async () => {
    await development.reset();
    return new Response(null, { status: 204 });
  });
  app.post(ROUTES.seed, async () => Response.json({ said: await development.seed() }));
}

function requireHash(hash: string | null): string {
  if (hash !== null) return hash;
  throw new requests.PlaygroundRefusal(
    "HASH_MISSING",
    "'If-Match' names the version that the page has seen",
  );
}

function filePath({ url }: Request): string {
  const path = uriDecoded(new URL(url).pathname.slice(ROUTES.files.length + 1));
  if (path !== null) return path;
  throw new requests.PlaygroundRefusal("PATH_REFUSED", "The path is not encoded as a URL's");
}

function refusalOf(error: Error, { log }: PlaygroundOptions): requests.PlaygroundRefusal {
  if (error instanceof requests.PlaygroundRefusal) return error;
  log({ level: "error", message: "The playground failed", error });
  return new requests.PlaygroundRefusal(
    "FAILED",
    "The playground failed: the terminal of dev says why",
  );
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
