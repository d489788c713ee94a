/**
 * The API that `dev` serves at the moment. A new one takes over only once it answers; until then, and whenever it cannot
 * start, the last good one keeps serving.
 */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { FILES_FOLDER, TENANTS_FOLDER } from "../../library/platform/read_environment.ts";
import { type ApiProcess, startApi, type StartOptions } from "./api_process.ts";
import { DATABASE } from "./dev_folder.ts";
import { openPortRelay, type PortRelay } from "./port_relay.ts";

interface DevServerOptions {
  /** The compiled project. */
  readonly folder: string;
  readonly hostname: string;
  readonly port: number;
  readonly mayMove: boolean;
  readonly authSecret: string;
  /** Receives each line that the API prints. */
  readonly onLine: (line: string) => void;
  /** The API ended although nobody asked it to. */
  readonly onCrash: (exitCode: number) => void;
}

/** Time for the old API to answer requests from before the switch. */
const DRAIN_MILLISECONDS = 500;

export class DevServer {
  readonly #options: DevServerOptions;
  readonly #relay: PortRelay;
  #current: ApiProcess | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: DevServerOptions) {
    this.#options = options;
    this.#relay = openPortRelay(options);
  }

  /** The address that people use. */
  get origin(): string {
    return `http://localhost:${this.#relay.port}`;
  }

  get port(): number {
    return this.#relay.port;
  }

  get isServing(): boolean {
    return this.#current !== null;
  }

  get hasMoved(): boolean {
    return this.#relay.port !== this.#options.port;
  }

  /**
   * Starts what stands in the folder now and lets it take over; `additions` are what `dev` adds to its process. Throws
   * `ApiStartError` and changes nothing if it cannot.
   */
  async replace({ environment, preloaded }: StartOptions): Promise<void> {
    const next = await startApi({
      folder: this.#options.folder,
      port: 0,
      environment: { ...this.environment(), ...environment },
      preloaded,
      onLine: this.#options.onLine,
    }).catch((error: unknown) => {
      this.#relay.release();
      throw error;
    });
    const previous = this.#current;
    if (this.#stopped) return await next.stop();
    this.#current = next;
    this.#relay.switchTo(next.port);
    void next.ended.then((exitCode) => this.#noteEnd(next, exitCode));
    if (previous === null) return;
    await new Promise((resolve) => setTimeout(resolve, DRAIN_MILLISECONDS));
    await previous.stop();
  }

  /** Ends the API and removes all that it keeps: the next one that starts makes another database, for which connections wait. */
  async empty(): Promise<void> {
    this.#relay.hold();
    const current = this.#current;
    this.#current = null;
    try {
      await current?.stop();
      const parts = ["", "-wal", "-shm"].map((ending) => DATABASE + ending);
      for (const name of [...parts, TENANTS_FOLDER, FILES_FOLDER]) {
        await ifThere(Deno.remove(join(this.#options.folder, name), { recursive: true }));
      }
    } catch (error) {
      this.#relay.release();
      throw error;
    }
  }

  /** Ends the API and frees the port. */
  stop(): Promise<void> {
    return this.#stopped ??= this.#stop();
  }

  async #stop(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    this.#relay.close();
    await current?.stop();
  }

  #noteEnd(api: ApiProcess, exitCode: number): void {
    if (this.#current !== api) return;
    this.#current = null;
    this.#options.onCrash(exitCode);
  }

  /**
   * Never the places or the mode of the surrounding shell: `dev` migrates the database that it is pointed at, and removes files
   * that its own rows do not refer to. What is empty counts as not set.
   */
  environment(): Readonly<Record<string, string>> {
    return {
      ...Object.fromEntries(PLACES.map((name) => [name, ""])),
      ACCESS_LOG: "1",
      APP_ENV: "development",
      AUTH_SECRET: this.#options.authSecret,
      BASE_URL: this.origin,
      DATABASE_URL: `file:./${DATABASE}`,
      // The reader of the answer wrote the handler.
      EXPOSE_ERROR_STACK: Deno.env.get("EXPOSE_ERROR_STACK") ?? "1",
    };
  }
}

/** Variables that name where an API keeps something. */
const PLACES = [
  "DATABASE_AUTH_TOKEN",
  "DATABASE_REPLICA",
  "DATABASE_TENANTS",
  "DATABASE_TENANT_URL",
  "DATABASE_ADMIN_URL",
  "REDIS_URL",
  "STORAGE_URL",
];
