/** Routes of the playground. Its files are public; every route that reads or changes anything is for its own page only. */
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
    /** Absolute path of the project. */
    readonly folder: string;
    readonly read: () => Promise<CompileFiles | Unreadable>;
    /** Returns the declarations of the last compile without mistakes, by path relative to the project. */
    readonly declared: () => Promise<Readonly<Record<string, string>>>;
  };
  readonly library: () => Promise<EditorLibrary>;
  /** Returns the compile host for the page's compiles. */
  readonly host: () => Promise<CompileHost>;
  /** Folder in which built parts of the page are cached; null: nothing is cached. */
  readonly cache: string | null;
  /** Initial status. */
  readonly status: Status;
  /** Deliveries that the webhook sink received before the page was opened. */
  readonly deliveries: readonly Delivery[];
  readonly development: Development;
  /** Returns the API's address; null until the API serves for the first time. */
  readonly api: () => ApiAddress | null;
  readonly log: (entry: ServiceLogEntry) => void;
}

/** Operations of `dev` only: no generated output has anything like them. */
export interface Development {
  /** Returns stored rows by id. */
  readonly stored: (table: string, ids: readonly string[]) => Promise<StoredRows>;
  /** Empties the database and plants the demo again. */
  readonly reset: () => Promise<void>;
  /** Plants the project's seed. Returns a text that says what was planted, or why nothing was. */
  readonly seed: () => Promise<string>;
}

export interface PlaygroundApp {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly feed: StatusFeed;
}

/** Header with which the browser caches a file, and checks whether it has changed. */
const KEPT = { "cache-control": "no-cache" };

type Env = { Bindings: PageOptions };

export function createPlaygroundApp(options: PlaygroundOptions): PlaygroundApp {
  const app = new Hono<Env>();
  const { home } = options;
  const feed = new StatusFeed(options.status, options.deliveries);
  const onFailure = (error: unknown) =>
    options.log({ level: "error", message: "The playground's page cannot be made", error });
  app.use(async (c, next) => {
    // A foreign host name that DNS rebinding points here is refused.
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

/** Refuses requests of other pages. Browsers set both headers themselves; no page can set them. */
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
