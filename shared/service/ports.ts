/** Ports of the build service; `shared/` itself reads no clock and starts no timer. */
import type { OnRouted } from "../contract/mod.ts";
import type { Sessions } from "./request/authenticate.ts";
import type { CompileEvent, CompileJob } from "./compile/compile_event.ts";
import type { CorsOrigins } from "./response/cors.ts";
import type { Template } from "./template.ts";

export interface ServiceTimers {
  /** Milliseconds of a clock that never runs backwards. */
  now(): number;
  /** Resolves after the time, or at once when the signal aborts. `0` is one turn of the event loop. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface ServiceLogEntry {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly requestId?: string;
  /** For the server's log only; never part of an answer. */
  readonly error?: unknown;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface ServicePorts {
  readonly timers: ServiceTimers;
  readonly newRequestId: () => string;
  readonly logger: { log(entry: ServiceLogEntry): void };
  /** For traces; absent: nobody traces. */
  readonly onRouted?: OnRouted;
}

/** Runs compiles. One that nobody waits for any more ends when the job's signal aborts. */
export interface Compiler {
  compile(job: CompileJob): AsyncGenerator<CompileEvent, void, void>;
}

/**
 * Keeps finished compiles by what they compiled. One that cannot keep forgets: it never fails. What it gives back is what it
 * was given, of this very compiler.
 */
export interface CompileStore {
  get(key: string): Promise<readonly CompileEvent[] | null>;
  set(key: string, events: readonly CompileEvent[]): Promise<void>;
}

/** A request, and the name that its answer and the log have for it. */
export interface ServiceRequest {
  readonly raw: Request;
  readonly requestId: string;
}

export interface ServiceRoutes {
  readonly compile: (request: ServiceRequest) => Promise<Response>;
  /** `name` is null for the list. Null where the service has none to give. */
  readonly templates:
    | ((request: ServiceRequest, name: string | null) => Response | Promise<Response>)
    | null;
  /** Signing in (definitions 7); absent: it is not hosted here. */
  readonly accounts?: ServiceAccounts | null;
}

/** Answers below `/auth/v1/device` and at `/device`; null: it has no such route. */
export type ServiceAccounts = (request: Request) => Promise<Response | null>;

export interface AppSettings {
  /** The host that answers. */
  readonly backend: "edge" | "container" | "router";
  /** The compiler's version. */
  readonly version: string;
  /** Public origin, for the problem documents. */
  readonly baseUrl: string;
  /** Origins whose pages may use the service; absent: any. */
  readonly corsOrigins?: CorsOrigins;
}

export interface ServiceSettings extends AppSettings {
  /** `edge` validates only. */
  readonly backend: "edge" | "container";
  /** At least one; any of them opens `POST /compile`. */
  readonly apiKeys: readonly string[];
  /** Verifies session tokens; absent: nobody can sign in. */
  readonly sessions?: Sessions | null;
  /** The account side of signing in; absent where it is not hosted. */
  readonly accounts?: ServiceAccounts | null;
  /** Answer of `GET /templates`; null where the service offers none. */
  readonly templates: readonly Template[] | null;
  /** Compiles at one time, and those that may wait for their turn. */
  readonly running: number;
  readonly waiting: number;
}
