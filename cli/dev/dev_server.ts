/**
 * Replaces the API that `dev` serves. A new API takes over only once it answers; until then, and if it cannot start, the last
 * good one keeps serving.
 */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { FILES_FOLDER, TENANTS_FOLDER } from "../../library/platform/read_environment.ts";
import { type ApiProcess, startApi, type StartOptions } from "./api_process.ts";
import { DATABASE } from "./dev_folder.ts";
import { openPortRelay, type PortRelay } from "./port_relay.ts";

interface DevServerOptions {
  /** Folder of the compiled project. */
  readonly folder: string;
  readonly hostname: string;
  readonly port: number;
  readonly mayMove: boolean;
  readonly authSecret: string;
  /** Receives each line that the API prints. */
  readonly onLine: (line: string) => void;
  /** Called when the API ends although `dev` did not stop it. */
  readonly onCrash: (exitCode: number) => void;
}

/** Time in which the old API may still answer requests from before the switch. */
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

  /** Address that people use. */
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
   * Starts the output in the folder and lets it take over; the arguments are what `dev` adds to its process. Throws
   * `ApiStartError` and changes nothing if it cannot start.
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

  /** Ends the API and removes all that it stores. The next API creates a new database; connections wait for it. */
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
   * Returns the environment without the shell's variables of places and mode: `dev` migrates the database to which it is
   * pointed, and removes files to which its own rows do not refer. An empty variable counts as not set.
   */
  environment(): Readonly<Record<string, string>> {
    return {
      ...Object.fromEntries(PLACES.map((name) => [name, ""])),
      ACCESS_LOG: "1",
      APP_ENV: "development",
      AUTH_SECRET: this.#options.authSecret,
      BASE_URL: this.origin,
      DATABASE_URL: `file:./${DATABASE}`,
      // The developer who reads the answer wrote the handler.
      EXPOSE_ERROR_STACK: Deno.env.get("EXPOSE_ERROR_STACK") ?? "1",
    };
  }
}

/** Variables with places in which an API stores something. */
const PLACES = [
  "DATABASE_AUTH_TOKEN",
  "DATABASE_REPLICA",
  "DATABASE_TENANTS",
  "DATABASE_TENANT_URL",
  "DATABASE_ADMIN_URL",
  "REDIS_URL",
  "STORAGE_URL",
];
