/**
 * Declares the contexts of every layer: the application's, made once, and the request's, which never changes after it was read.
 */
import type { ContractSwitches, RateLimit, RuntimeCode } from "../contract/mod.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Soon } from "../lib/soon.ts";
import type { Principal, ProjectModel, TableModel } from "../model/mod.ts";
import type { Step } from "../surface/mod.ts";
import type { Ports, Settings, Upgraded } from "./ports.ts";

/** Reports the steps of an operation. Null in production, so that a step costs one comparison. */
export type Trace = ((requestId: string, step: Step) => void) | null;

/** Facts about the application that are available before a caller is admitted. */
export interface AppContext {
  readonly project: ProjectModel;
  readonly switches: ContractSwitches;
  /** Ports without databases. Only admitted requests get those (`gate.ts`). */
  readonly ports: Omit<Ports, "database" | "tenants">;
  readonly settings: Settings;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly trace: Trace;
  /** Codes of refusals by their answers; null: no observer needs them. */
  readonly refusals: WeakMap<Response, RuntimeCode> | null;
  /** Times in milliseconds at which a misfit of a column was last logged, by column. */
  readonly misfitsTold: Map<string, number>;
}

/** A request with an `Idempotency-Key`, as digests. */
export interface KeyedRequest {
  /** Digest of the key within its tenant or user. */
  readonly id: string;
  /** Digest of all that identifies the request. */
  readonly fingerprint: string;
  /** Digest of the caller with all rights. */
  readonly principal: string;
  /** Organization of the caller. */
  readonly organizationId: string | null;
}

/** Makes the id of a new row; null when the database numbers the table's rows. */
export type NewId = (table: TableModel) => string | null;

/** The body of one request. It is read on first use, after the layers that do not need it. */
export interface BodySource {
  /** Returns the raw bytes, JSON or not. Throws the refusal of a body above the limit. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the stream; null: there is no body. The body cannot be read otherwise afterwards. */
  stream(): ReadableStream<Uint8Array> | null;
  /** Parses a JSON object. Throws the refusal of any other body. */
  object(): Promise<JsonObject>;
  /** Parses the change of a record, which may also be a merge patch. */
  patch(): Promise<PatchBody>;
  /** Returns the parsed body for a problem document; undefined if it was not read, or is not JSON. */
  parsed(): unknown;
  /** Reads the body for the problem document unless it was read. Its refusal is not thrown. */
  settle(): Promise<void>;
}

/** The body of a PATCH. */
interface PatchBody {
  readonly fields: JsonObject;
  /** True when objects in JSON columns are merged with the stored ones (RFC 7396) instead of replacing them. */
  readonly isMerged: boolean;
}

/** Deleted organizations, whose tokens are no longer valid. */
export interface PurgedOrganizations {
  has(organizationId: string): Soon<boolean>;
  /** Adds an organization; it counts in this process at once. */
  add(organizationId: string): void;
}

export interface RequestContext {
  readonly app: AppContext;
  readonly requestId: string;
  readonly method: string;
  /** The canonical path: for routing, rate keys and `instance`. */
  readonly path: string;
  /** Query with its question mark, or empty. */
  readonly search: string;
  readonly headers: Headers;
  /** The client's address (`request/read_request.ts`); null: unknown. */
  readonly clientIp: string | null;
  /** Upgrades the connection to a WebSocket; null: the host cannot. */
  readonly upgrade: (() => Upgraded) | null;
  /** The time of the request in ISO 8601, which all its operations use. */
  readonly now: string;
  readonly body: BodySource;
}

/** Rate limits of a call, and the tokens that it costs (contract 8.1). */
export interface RateGate {
  /** Limit of the call; null: none. */
  readonly limit: RateLimit | null;
  bucketOf(caller: string): string;
}

/** The caller, with the organization of the request: the caller's, or the one that a PUBLIC request names. */
export interface Caller {
  readonly principal: Principal;
  readonly organizationId: string | null;
}
