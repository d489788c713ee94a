/**
 * Runs the playground's server inside the page: the same routes, over files in memory, a compiler in a worker, and an API in a
 * frame.
 */
import { proxy, type Remote } from "comlink";
import { parsedJson } from "../../../shared/lib/json.ts";
import { contentHash, isProjectPath, projectOf } from "../../project_files.ts";
import * as protocol from "../../protocol.ts";
import type { TabCompiler } from "./compile_worker.ts";
import { TabDev } from "./tab_dev.ts";

type Texts = Readonly<Record<string, string>>;

interface TabServerOptions {
  readonly name: string;
  readonly files: Texts;
  readonly compiler: Remote<TabCompiler>;
  readonly dev: TabDev;
}

const { ROUTES } = protocol;

export class TabServer {
  readonly #options: TabServerOptions;
  #files: Texts;

  constructor(options: TabServerOptions) {
    this.#options = options;
    this.#files = options.files;
  }

  get files(): Texts {
    return this.#files;
  }

  /** Has the signature of the platform's `fetch`. An address that matches no route is read as a file beside the page. */
  readonly fetch = async (path: string, init: RequestInit): Promise<Response> => {
    const { method = "GET" } = init;
    const body = typeof init.body === "string" ? init.body : "";
    const [route = ""] = path.split("?");
    if (route.startsWith(`${ROUTES.files}/`)) {
      return await this.#file(route.slice(ROUTES.files.length + 1), init);
    }
    switch (`${method} ${route}`) {
      case `GET ${ROUTES.project}`:
        return Response.json(await projectOf(this.#options.name, this.#files, {}));
      case `POST ${ROUTES.compile}`:
        return this.#compile(path.slice(route.length), init, body);
      case `POST ${ROUTES.declarations}`:
        return await this.#declarations(body);
      case `POST ${ROUTES.renames}`: {
        const { from, to } = protocol.RENAME.parse(parsedJson(body));
        const { [from]: text = "", ...others } = this.#files;
        return this.#written({ ...others, [to]: text });
      }
      default:
        return await this.#options.dev.answer(method, route, body) ?? await fetch(`.${path}`, init);
    }
  };

  async #file(encoded: string, { method, headers, body }: RequestInit): Promise<Response> {
    const path = decodeURIComponent(encoded);
    if (!isProjectPath(path)) {
      return refusal(
        "PATH_REFUSED",
        `${path} is no path of a definition: use quickback/features/<name>/<name>.ts`,
      );
    }
    const known = this.#files[path];
    const seen = /"(\w+)"/.exec(new Headers(headers).get("if-match") ?? "")?.[1] ?? null;
    const now = known === undefined ? null : await contentHash(known);
    if (now !== seen) return refusal("FILE_CHANGED", "The file has another text by now");
    if (method === "DELETE") {
      const { [path]: _gone, ...others } = this.#files;
      return this.#written(others);
    }
    const text = typeof body === "string" ? body : "";
    this.#written({ ...this.#files, [path]: text });
    return Response.json({ hash: await contentHash(text) });
  }

  #written(files: Texts): Response {
    this.#files = files;
    this.#options.dev.changed(files);
    return new Response(null, { status: 204 });
  }

  #compile(search: string, { headers, signal }: RequestInit, body: string): Response {
    const { compiler } = this.#options;
    const encoder = new TextEncoder();
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        const onText = proxy((text: string) => {
          if (!signal?.aborted) controller.enqueue(encoder.encode(text));
          return Promise.resolve();
        });
        const given = [...new Headers(headers)];
        await compiler.stream({ search, headers: given, body }, onText);
        if (!signal?.aborted) controller.close();
      },
    });
    signal?.addEventListener("abort", () => void stream);
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  }

  async #declarations(body: string): Promise<Response> {
    const edits = protocol.EDITS.parse(parsedJson(body));
    const made = await this.#options.compiler.declarations({ ...this.#files, ...edits });
    this.#declared = made ?? this.#declared;
    return Response.json({ isCurrent: made !== null, files: this.#declared });
  }

  /** Declarations of the last compile without mistakes. */
  #declared: Texts = {};
}

export function refusal(code: string, detail: string): Response {
  const problem = { title: "Refused", status: 409, code, detail };
  return new Response(JSON.stringify(problem), { status: 409 });
}
