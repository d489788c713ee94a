/**
 * Listens on loopback for the page's visitors. The rest of the playground loads with the first request, so that it does not
 * slow the start of `dev`.
 */
import { NO_STATUS } from "./no_status.ts";
import type { Delivery, Status } from "./protocol.ts";
import type { PlaygroundApp, PlaygroundOptions } from "./server/app.ts";
import type { ApiAddress } from "./server/ask_api.ts";

export interface OpenOptions
  extends
    Pick<PlaygroundOptions, "project" | "library" | "host" | "cache" | "log" | "development"> {
  /** Port that is tried first; the following ones are tried if it is taken. */
  readonly port: number;
}

const LOOPBACK = "127.0.0.1";
const PORTS_TRIED = 20;
const LAST_PORT = 65535;
const TOKEN_BYTES = 24;
const DELIVERIES_KEPT = 100;

export class Playground {
  readonly #options: OpenOptions;
  readonly #token = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).toHex();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #status: Status = NO_STATUS;
  #address: ApiAddress | null = null;
  /** Received deliveries, newest last. */
  readonly #deliveries: Delivery[] = [];
  #app: Promise<PlaygroundApp> | null = null;

  private constructor(options: OpenOptions, port: number) {
    this.#options = options;
    this.#server = Deno.serve(
      { hostname: LOOPBACK, port, onListen: () => {} },
      async (request) => await (await this.#loaded()).fetch(request),
    );
  }

  /** Opens the playground; null if every port that it tried is taken. */
  static open(options: OpenOptions): Playground | null {
    const last = Math.min(options.port + PORTS_TRIED, LAST_PORT);
    for (let port = options.port; port <= last; port++) {
      try {
        return new Playground(options, port);
      } catch (error) {
        if (!(error instanceof Deno.errors.AddrInUse)) throw error;
      }
    }
    return null;
  }

  /**
   * Address with the token that gives the right to edit the project. The token is in the fragment, which browsers do not send
   * to servers.
   */
  get url(): string {
    return `http://${LOOPBACK}:${this.#server.addr.port}/#${this.#token}`;
  }

  tell(status: Status): void {
    this.#status = status;
    void this.#app?.then((app) => app.feed.tell(status));
  }

  /** Sets the address of the API, with credentials for each person of the status. */
  showApi(address: ApiAddress): void {
    this.#address = address;
  }

  /** Sends the delivery to open pages, and to those that open later. */
  tellDelivery(delivery: Delivery): void {
    this.#deliveries.push(delivery);
    if (this.#deliveries.length > DELIVERIES_KEPT) this.#deliveries.shift();
    void this.#app?.then((app) => app.feed.tellDelivery(delivery));
  }

  tellFilesChanged(): void {
    void this.#app?.then((app) => app.feed.tellFilesChanged());
  }

  async close(): Promise<void> {
    const app = await this.#app;
    app?.feed.close();
    await this.#server.shutdown();
  }

  #loaded(): Promise<PlaygroundApp> {
    return this.#app ??= import("./server/app.ts").then(({ createPlaygroundApp }) =>
      createPlaygroundApp({
        ...this.#options,
        home: { port: this.#server.addr.port, token: this.#token },
        status: this.#status,
        deliveries: this.#deliveries,
        api: () => this.#address,
      })
    );
  }
}
