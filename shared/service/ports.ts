/** Ports of the build service; `shared/` itself reads no clock and starts no timer. */
import type { OnRouted } from "../contract/mod.ts";
import type { Sessions } from "./request/authenticate.ts";
import type { CompileEvent, CompileJob } from "./compile/compile_event.ts";
import type { CorsOrigins } from "./response/cors.ts";
import type { Template } from "./template.ts";

export interface ServiceTimers {
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /** Resolves after the time, or at once if the signal aborts. `0` is one turn of the event loop. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface ServiceLogEntry {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly requestId?: string;
  /** For the server's log only. An answer never contains it. */
  readonly error?: unknown;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface ServicePorts {
  readonly timers: ServiceTimers;
  readonly newRequestId: () => string;
  readonly logger: { log(entry: ServiceLogEntry): void };
  /** Reports the route for traces. Absent: nobody traces. */
  readonly onRouted?: OnRouted;
}

/** Runs compiles. A compile ends when its job's signal aborts. */
export interface Compiler {
  compile(job: CompileJob): AsyncGenerator<CompileEvent, void, void>;
}

/** Keeps finished compiles by their input, for this compiler only. A store that fails forgets, and never throws. */
export interface CompileStore {
  get(key: string): Promise<readonly CompileEvent[] | null>;
  set(key: string, events: readonly CompileEvent[]): Promise<void>;
}

/** A request with the id that its answer and the log use. */
export interface ServiceRequest {
  readonly raw: Request;
  readonly requestId: string;
}

export interface ServiceRoutes {
  readonly compile: (request: ServiceRequest) => Promise<Response>;
  /** Answers templates. `name` is null for the list. Null: the service has none. */
  readonly templates:
    | ((request: ServiceRequest, name: string | null) => Response | Promise<Response>)
    | null;
  /** Routes for signing in (definitions 7). Absent: they are not hosted here. */
  readonly accounts?: ServiceAccounts | null;
}

/** Answers below `/auth/v1/device` and at `/device`; null: there is no such route. */
export type ServiceAccounts = (request: Request) => Promise<Response | null>;

export interface AppSettings {
  /** Kind of host that answers. */
  readonly backend: "edge" | "container" | "router";
  /** The compiler's version. */
  readonly version: string;
  /** Public origin, for problem documents. */
  readonly baseUrl: string;
  /** Origins whose pages may use the service. Absent: any. */
  readonly corsOrigins?: CorsOrigins;
}

export interface ServiceSettings extends AppSettings {
  /** Kind of backend. `edge` only validates. */
  readonly backend: "edge" | "container";
  /** Keys, at least one. Each opens `POST /compile`. */
  readonly apiKeys: readonly string[];
  /** Verifies session tokens. Absent: nobody can sign in. */
  readonly sessions?: Sessions | null;
  /** Routes for signing in. Absent: they are not hosted here. */
  readonly accounts?: ServiceAccounts | null;
  /** Templates for `GET /templates`; null: the service has none. */
  readonly templates: readonly Template[] | null;
  /** Most concurrent and most waiting compiles. */
  readonly running: number;
  readonly waiting: number;
}
