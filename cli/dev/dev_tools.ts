/** Tools of one run of `dev` for the playground: the webhook sink, and the trace of a request's statements. */
import { join } from "node:path";
import { z } from "zod";
import type { Delivery } from "../../playground/mod.ts";
import { PUBLIC_RESOLVER } from "../../library/platform/mod.ts";
import { sha256 } from "../../shared/lib/bytes.ts";
import { parsedJson } from "../../shared/lib/json.ts";
import { readTextFile } from "../project_folder.ts";
import { API_TOOLS, STATEMENTS_HEADER, TRACE_HEADER } from "./api_tools_words.ts";
import { SINK_HOST, WebhookSink } from "./webhook_sink.ts";

const PRELOADED = new URL("./api_tools.ts", import.meta.url);
const SECRET_BYTES = 24;

const OUTPUT_CONFIG = z.object({ imports: z.record(z.string(), z.string()).default({}) });

interface DevToolsOptions {
  /** Folder of the compiled API. */
  readonly folder: string;
  readonly authSecret: string;
  readonly onDelivery: (delivery: Delivery) => void;
}

export class DevTools {
  readonly #options: DevToolsOptions;
  readonly #secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toHex();
  readonly #sink: WebhookSink;

  private constructor(options: DevToolsOptions, key: string) {
    this.#options = options;
    this.#sink = new WebhookSink({
      key,
      resolver: Deno.env.get("WEBHOOK_RESOLVER_URL") ?? PUBLIC_RESOLVER,
      onDelivery: options.onDelivery,
    });
  }

  /** Opens the tools. The sink's address is derived from the folder, so that endpoints of an earlier run still reach it. */
  static async open(options: DevToolsOptions): Promise<DevTools> {
    const digest = await sha256(`webhook sink\n${options.authSecret}`);
    return new DevTools(options, digest.subarray(0, SECRET_BYTES).toHex());
  }

  get sinkUrl(): string {
    return this.#sink.url;
  }

  /** Headers of a traced request and of its answer. */
  get trace() {
    return { name: TRACE_HEADER, value: this.#secret, answer: STATEMENTS_HEADER };
  }

  get preloaded(): URL {
    return PRELOADED;
  }

  /** Returns variables for the API's process. */
  async environment(): Promise<Readonly<Record<string, string>>> {
    const config = parsedJson(await readTextFile(join(this.#options.folder, "deno.json")) ?? "");
    const { imports } = OUTPUT_CONFIG.parse(config ?? {});
    const settings = {
      secret: this.#secret,
      // An output that depends on the package gets the driver, in this same version, from it.
      driver: imports["libsql"] ?? import.meta.resolve("libsql"),
      sink: { host: SINK_HOST, port: this.#sink.port },
    };
    return {
      [API_TOOLS]: JSON.stringify(settings),
      WEBHOOK_RESOLVER_URL: this.#sink.resolverUrl,
    };
  }

  close(): Promise<void> {
    return this.#sink.close();
  }
}
