/**
 * Serves the project's own page, the folder `web`, together with its API: both have one origin, as behind a reverse proxy, and
 * the client is a module of that origin (docs/client.md). The files are read with each request, so that a change only needs a
 * reload.
 */
import { extname, join } from "node:path";
import { bundleForBrowser } from "../../container/browser_bundle.ts";
import { uriDecoded } from "../../shared/lib/texts.ts";

const FOLDER = "web";
const LOOPBACK = "127.0.0.1";

/** Paths that the API answers itself. */
const API_PATHS = ["/api/", "/auth/", "/broadcast/"];

/** Modules of the client, by their address in the page's import map. */
const CLIENT_MODULES: Readonly<Record<string, string>> = {
  "/quickback/client.js": "library/client/mod.ts",
  "/quickback/client/tanstack.js": "library/client/tanstack.ts",
};

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

interface DevPageOptions {
  /** Absolute path of the project. */
  readonly project: string;
  /** Port that is tried first; another one is used if it is taken. */
  readonly port: number;
  /** Origin of the API. */
  readonly api: string;
}

export class DevPage {
  readonly #options: DevPageOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #modules = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  private constructor(options: DevPageOptions) {
    this.#options = options;
    this.#server = listening(options.port, (request) => this.#answer(request));
  }

  /** Opens the page; null: the project has none. */
  static async open(options: DevPageOptions): Promise<DevPage | null> {
    const index = await contentOf(join(options.project, FOLDER, "index.html"));
    return index === null ? null : new DevPage(options);
  }

  get url(): string {
    return `http://localhost:${this.#server.addr.port}/`;
  }

  close(): Promise<void> {
    return this.#server.shutdown();
  }

  #answer(request: Request): Promise<Response> | Response {
    const { host, pathname, search } = new URL(request.url);
    // A foreign host name that DNS rebinding points here is refused.
    const { port } = this.#server.addr;
    if (host !== `localhost:${port}` && host !== `${LOOPBACK}:${port}`) return NOT_HERE();
    if (API_PATHS.some((path) => pathname.startsWith(path))) {
      return forwarded(request, this.#options.api + pathname + search);
    }
    if (Object.hasOwn(CLIENT_MODULES, pathname)) return this.#module(pathname);
    return this.#file(uriDecoded(pathname));
  }

  async #module(pathname: string): Promise<Response> {
    const known = this.#modules.get(pathname) ?? bundleForBrowser(CLIENT_MODULES[pathname] ?? "");
    this.#modules.set(pathname, known);
    return fileResponse(await known, ".js");
  }

  /** Serves a file. Hidden files, and files outside the folder, are not part of the page. */
  async #file(pathname: string | null): Promise<Response> {
    const names = pathname?.split("/").slice(1) ?? [".."];
    if (names.some((name) => name.startsWith(".") || /[\\\0]/.test(name))) return NOT_HERE();
    const path = names.at(-1) === "" ? [...names.slice(0, -1), "index.html"] : names;
    const content = await contentOf(join(this.#options.project, FOLDER, ...path));
    return content === null ? NOT_HERE() : fileResponse(content, extname(path.at(-1) ?? ""));
  }
}

/** Listens at that port, or at any free one. */
function listening(port: number, handler: Deno.ServeHandler): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: LOOPBACK, onListen: () => {} };
  try {
    return Deno.serve({ ...options, port }, handler);
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    return Deno.serve({ ...options, port: 0 }, handler);
  }
}

/** Forwards a request to the API; a stream is passed on as it arrives. */
async function forwarded(request: Request, target: string): Promise<Response> {
  const { method, body } = request;
  const headers = new Headers(request.headers);
  for (const name of ["host", "connection", "accept-encoding"]) headers.delete(name);
  try {
    return await fetch(target, { method, headers, body, redirect: "manual" });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new Response("The API does not answer\n", { status: 502 });
  }
}

function fileResponse(content: Uint8Array<ArrayBuffer>, extension: string): Response {
  const type = TYPES[extension] ?? "application/octet-stream";
  return new Response(content, { headers: { "content-type": type, "cache-control": "no-store" } });
}

const NOT_HERE = () => new Response("Not here\n", { status: 404 });

const { NotFound, IsADirectory, NotADirectory } = Deno.errors;
const NO_FILE = [NotFound, IsADirectory, NotADirectory];

/** Returns the content of a file; null: there is no such file. */
async function contentOf(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (NO_FILE.some((kind) => error instanceof kind)) return null;
    throw error;
  }
}
