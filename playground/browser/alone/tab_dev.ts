/** Does the work of `dev` in a tab: compiles saved files, starts the API over its rows, and reports to the page. */
import { proxy, type Remote } from "comlink";
import { parsedJson } from "../../../shared/lib/json.ts";
import { NO_STATUS } from "../../no_status.ts";
import * as protocol from "../../protocol.ts";
import type { TabCompile, TabCompiler } from "./compile_worker.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import type { TabOutput } from "./sandboxed_api.ts";
import { historyIn } from "./tab_history.ts";

type Texts = Readonly<Record<string, string>>;

interface TabDevOptions {
  readonly compiler: Remote<TabCompiler>;
  /** Maps TypeScript by path to JavaScript in CommonJS. */
  readonly transpiled: (files: Texts) => Promise<Texts>;
  readonly addresses: { readonly frame: string; readonly script: string };
}

const { ROUTES } = protocol;

export class TabDev {
  readonly #options: TabDevOptions;
  readonly #listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  #status = NO_STATUS;
  #files: Texts = {};
  #sandbox: Promise<Sandbox> | null = null;
  /** Ends with the last queued compile and start: they run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: TabDevOptions) {
    this.#options = options;
  }

  /** Recompiles after files were saved. */
  changed(files: Texts): void {
    this.#files = files;
    this.#turn = this.#turn.then(() => this.#serve(files)).catch((error: unknown) => {
      this.#tell({
        phase: "failed",
        message: error instanceof Error ? error.message : String(error),
      });
    });
  }

  /** Answers a request for the API or its state; null if the route is neither. */
  async answer(method: string, route: string, body: string): Promise<Response | null> {
    switch (`${method} ${route}`) {
      case `GET ${ROUTES.events}`:
        return this.#feed();
      case `POST ${ROUTES.requests}`: {
        const { api } = await this.#opened();
        return Response.json(await api.ask(protocol.API_REQUEST.parse(parsedJson(body))));
      }
      case `POST ${ROUTES.stored}`: {
        const { table, ids } = protocol.STORED_QUESTION.parse(parsedJson(body));
        const { api } = await this.#opened();
        return Response.json(await api.stored(table, ids));
      }
      case `POST ${ROUTES.reset}`:
        await (await this.#opened()).api.empty();
        this.changed(this.#files);
        await this.#turn;
        return new Response(null, { status: 204 });
      case `POST ${ROUTES.seed}`:
        return Response.json({ said: await (await this.#opened()).api.seed() });
      case `POST ${ROUTES.frames}`:
        return await this.#frames(protocol.FRAMES_REQUEST.parse(parsedJson(body)).as);
      default:
        return null;
    }
  }

  #opened(): Promise<Sandbox> {
    const { frame, script } = this.#options.addresses;
    return this.#sandbox ??= openSandbox(frame, script);
  }

  async #serve(files: Texts): Promise<void> {
    this.#tell({ phase: "compiling", message: "Compiling" });
    const { compiler } = this.#options;
    // Migrations count releases, not saves: each save rewrites the one migration after the last release.
    const compiled = await compiler.build(files);
    if (compiled === null) {
      return this.#tell({
        phase: "failed",
        message: "The definitions have errors; the last good API keeps serving",
      });
    }
    const { api } = await this.#opened();
    const onDelivery = proxy((delivery: protocol.Delivery) => this.#send("delivery", delivery));
    const output = await this.#output(compiled, files);
    const plan = proxy((reached: string | null) => compiler.following(compiled.model, reached));
    const shown = await api.start(output, onDelivery, plan);
    this.#tell({
      phase: "serving",
      message: `Serving ${compiled.model.name} in this tab`,
      api: {
        origin: "http://api.localhost",
        isServing: true,
        openapi: "/openapi.json",
        docs: null,
      },
      ...shown,
    });
  }

  async #output({ model, files }: TabCompile, saved: Texts): Promise<TabOutput> {
    const own = Object.entries(files).filter(([path]) =>
      path.startsWith("src/") && path.endsWith(".ts") && !path.startsWith("src/quickback/")
    );
    const config: { imports?: Texts } = Object(parsedJson(files["deno.json"] ?? "{}"));
    return {
      model,
      openapi: files["openapi.json"] ?? null,
      asyncapi: files["asyncapi.json"] ?? null,
      ...historyIn({ ...saved, ...files }),
      authored: {
        texts: await this.#options.transpiled(Object.fromEntries(own)),
        imports: config.imports ?? {},
      },
    };
  }

  async #frames(as: string | null): Promise<Response> {
    const { api } = await this.#opened();
    const encoder = new TextEncoder();
    let isWanted = true;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const onText = proxy((text: string) => {
          if (isWanted) controller.enqueue(encoder.encode(text));
          return Promise.resolve(isWanted);
        });
        void api.frames(as, onText).then(() => isWanted && controller.close());
      },
      cancel: () => void (isWanted = false),
    });
    return new Response(stream);
  }

  #feed(): Response {
    const encoder = new TextEncoder();
    let own: ReadableStreamDefaultController<Uint8Array> | null = null;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        controller.enqueue(encoder.encode(frame("status", this.#status)));
        this.#listeners.add(controller);
      },
      cancel: () => void (own && this.#listeners.delete(own)),
    });
    return new Response(stream);
  }

  #tell(change: Partial<protocol.Status>): void {
    this.#status = { ...this.#status, ...change };
    this.#send("status", this.#status);
  }

  #send(event: string, data: unknown): void {
    const bytes = new TextEncoder().encode(frame(event, data));
    for (const listener of this.#listeners) listener.enqueue(bytes);
  }
}

function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
